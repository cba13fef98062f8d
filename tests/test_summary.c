/*
 * Files of summaries: what is written is read again; and a file with one byte changed, cut
 * anywhere, or with frames missing, doubled or moved, is refused.
 */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/format/crc32c.h"
#include "dump/summary/rows.h"
#include "dump/summary/writer.h"
#include "tests/message.h"

static struct arena mem;

/* ---- a summary in memory */

struct stream {
	char *bytes;
	size_t len;
	FILE *out;
	struct summary_writer writer;
};

static void stream_begin(struct stream *s)
{
	s->out = open_memstream(&s->bytes, &s->len);
	ck_assert_ptr_nonnull(s->out);
	summary_begin(&s->writer, s->out);
}

static void stream_add(struct stream *s, const struct summary_key *key, const struct str *value)
{
	struct str bytes = {0};

	summary_put_key(&bytes, key);
	summary_add(&s->writer, (struct text){ bytes.text, bytes.len },
	            (struct text){ value->text, value->len });
	str_release(&bytes);
}

static void stream_end(struct stream *s)
{
	summary_finish(&s->writer);
	summary_writer_release(&s->writer);
	ck_assert_int_eq(fclose(s->out), 0);
}

static struct summary_key value_key(const char *node, uint32_t slot, uint64_t number)
{
	return (struct summary_key){ SUMMARY_VALUE, slot, number, "worker/3", "run_1", "CPU:0",
	                             node, "DebugIdentity" };
}

/* Two frames of rows, a graph among them. */
static struct stream made(void)
{
	struct stream s;
	struct str value = {0};
	struct summary_key graph = { SUMMARY_GRAPH, 0, 0, "", "", "", "0123456789abcdef", "" };

	stream_begin(&s);
	str_fill(&value, 'g', 70000);
	stream_add(&s, &graph, &value);
	for (uint32_t i = 0; i < 4; i++) {
		struct summary_key key = value_key("loss", i / 2, i % 2);
		struct summary_value v = { .time_us = 1000 + i, .size_bytes = 40, .modulus = -1 };

		str_reset(&value);
		summary_put_value(&value, &v);
		stream_add(&s, &key, &value);
	}
	str_release(&value);
	stream_end(&s);
	return s;
}

/* How many rows it has; -1: it is refused. */
static int count_rows(const void *bytes, size_t len, struct err *err)
{
	struct summary_reader *r = summary_open(file_of(bytes, len), err);
	struct summary_row row;
	int n = 0;

	if (!r)
		return -1;
	while (summary_next(r, &row, err))
		n++;
	summary_close(r);
	return err->code ? -1 : n;
}

START_TEST(rows_come_back)
{
	struct stream s = made();
	struct err err = {0};
	struct summary_reader *r = summary_open(file_of(s.bytes, s.len), &err);
	struct summary_row row;
	struct summary_value v;

	ck_assert_msg(r, "%s", err.msg);
	ck_assert_uint_eq(summary_version(r), SUMMARY_VERSION);
	ck_assert(summary_next(r, &row, &err));
	ck_assert_int_eq(row.key.kind, SUMMARY_GRAPH);
	ck_assert_uint_eq(row.value.len, 70000);
	ck_assert(!memcmp(s.bytes + row.off, row.value.at, row.value.len));
	for (uint32_t i = 0; i < 4; i++) {
		ck_assert(summary_next(r, &row, &err));
		ck_assert_int_eq(row.key.kind, SUMMARY_VALUE);
		ck_assert_str_eq(row.key.worker, "worker/3");
		ck_assert_str_eq(row.key.run, "run_1");
		ck_assert_str_eq(row.key.device, "CPU:0");
		ck_assert_str_eq(row.key.node, "loss");
		ck_assert_str_eq(row.key.debug_op, "DebugIdentity");
		ck_assert_uint_eq(row.key.slot, i / 2);
		ck_assert_uint_eq(row.key.number, i % 2);
		ck_assert(summary_read_value("f", &row, &mem, &v, &err));
		ck_assert_int_eq(v.time_us, 1000 + i);
	}
	ck_assert(!summary_next(r, &row, &err));
	ck_assert_int_eq(err.code, ERR_NONE);
	summary_close(r);
	free(s.bytes);
}
END_TEST

START_TEST(empty_summary_is_one)
{
	struct stream s;
	struct err err = {0};

	stream_begin(&s);
	stream_end(&s);
	ck_assert_int_eq(count_rows(s.bytes, s.len, &err), 0);
	free(s.bytes);
}
END_TEST

/* ---- values */

static struct summary_value full_value(void)
{
	struct summary_value v = {
		.position = 7, .time_us = 1795219542605815, .size_bytes = 300,
		.type = dtype_info(DTYPE_FLOAT32), .shape = { 2, { 3, -1 } },
		.nan = 1, .neg_inf = 2, .pos_inf = 3, .negative = 4, .zero = 5, .positive = 6,
		.has_ends = true, .min = { 1, 2, 3, 4 }, .max = { 5, 6, 7, 8 },
		.has_moments = true, .mean = -0.0, .std = NAN, .modulus = 0,
		.told = { { 1, 2, 3, -1 }, KNOWN_NAN, true, true },
		.problem = "cut", .problem_off = 12, .problem_kind = PROBLEM_CUT, .file = "a/b",
		.op = "npy", .doubt = "odd", .has_stats = true,
		.stats = { { 0, -1, INFINITY, 0 }, { true, true, true, false } },
	};

	vec_push(&v.below, ((struct summary_bin){ -149, 1 }));
	vec_push(&v.below, ((struct summary_bin){ 3, 3 }));
	vec_push(&v.above, ((struct summary_bin){ 0, 6 }));
	return v;
}

static void read_again(const struct str *bytes, struct summary_value *out)
{
	struct summary_row row = { .value = { bytes->text, bytes->len },
	                           .key = value_key("n", 0, 0) };
	struct err err = {0};

	ck_assert_msg(summary_read_value("f", &row, &mem, out, &err), "%s", err.msg);
}

START_TEST(values_come_back)
{
	struct summary_value v = full_value(), back;
	struct str bytes = {0}, again = {0};

	summary_put_value(&bytes, &v);
	read_again(&bytes, &back);
	summary_put_value(&again, &back);
	ck_assert_uint_eq(bytes.len, again.len);
	ck_assert(!memcmp(bytes.text, again.text, bytes.len));
	ck_assert(signbit(back.mean) && isnan(back.std) && back.modulus == 0);
	ck_assert_int_eq(back.shape.dim[1], -1);
	ck_assert_int_eq(back.below.at[0].exponent, -149);
	ck_assert_int_eq(back.told.counts.size, -1);
	ck_assert(isinf(back.stats.at[STATS_MEAN]) && !back.stats.has[STATS_NORM]);
	ck_assert_str_eq(back.file, "a/b");
	summary_value_release(&v);
	summary_value_release(&back);
	str_release(&bytes);
	str_release(&again);
	arena_release(&mem);
}
END_TEST

START_TEST(runs_come_back)
{
	struct summary_run run = { .position = 3, .time_us = -1,
	                           .suffix = "2", .counter = 2, .step = -1, .fetches = "[]",
	                           .n_graph_files = 2, .is_empty = true }, back;
	struct str bytes = {0};
	struct summary_row row;
	struct err err = {0};

	vec_push(&run.metadata, "{}");
	vec_push(&run.metadata, "");
	vec_push(&run.facts, ((struct run_fact){ FACT_VALUE, "lr", "1", false }));
	summary_put_run(&bytes, &run);
	row = (struct summary_row){ .value = { bytes.text, bytes.len } };
	ck_assert(summary_read_run("f", &row, &mem, &back, &err));
	ck_assert_uint_eq(back.position, 3);
	ck_assert_int_eq(back.time_us, -1);
	ck_assert_int_eq(back.counter, 2);
	ck_assert_str_eq(back.fetches, "[]");
	ck_assert_ptr_null(back.feeds);
	ck_assert_uint_eq(back.metadata.len, 2);
	ck_assert_str_eq(back.facts.at[0].text, "1");
	ck_assert_int_eq(back.facts.at[0].kind, FACT_VALUE);
	ck_assert(back.is_empty);
	summary_run_release(&run);
	summary_run_release(&back);
	str_release(&bytes);
	arena_release(&mem);
}
END_TEST

/* Whatever the bytes of a value are, reading them ends, with a row or an error. */
START_TEST(damaged_values_are_refused_or_read)
{
	struct summary_value v = full_value(), back;
	struct str bytes = {0};

	summary_put_value(&bytes, &v);
	for (size_t i = 0; i < bytes.len * 8; i++) {
		struct summary_row row = { .value = { bytes.text, bytes.len },
		                           .key = value_key("n", 0, 0), .off = 5 };
		struct err err = {0};

		bytes.text[i / 8] ^= (char)(1 << i % 8);
		if (!summary_read_value("f", &row, &mem, &back, &err)) {
			ck_assert_int_eq(err.code, ERR_FORMAT);
			ck_assert_uint_eq(err.off, 5);
			ck_assert_ptr_nonnull(strstr(err.msg, "worker/3"));
		}
		summary_value_release(&back);
		bytes.text[i / 8] ^= (char)(1 << i % 8);
	}
	summary_value_release(&v);
	str_release(&bytes);
	arena_release(&mem);
}
END_TEST

/* ---- damage */

/* The bytes of a small summary: without the graph that fills a frame. */
static struct stream small(void)
{
	struct stream s;
	struct str value = {0};

	stream_begin(&s);
	for (uint32_t i = 0; i < 2; i++) {
		struct summary_key key = value_key("loss", i, 0);
		struct summary_value v = { .time_us = i, .size_bytes = 40, .modulus = -1 };

		str_reset(&value);
		summary_put_value(&value, &v);
		stream_add(&s, &key, &value);
	}
	str_release(&value);
	stream_end(&s);
	return s;
}

START_TEST(any_changed_byte_is_found)
{
	struct stream s = small();

	for (size_t i = 0; i < s.len; i++)
		for (int bit = 0; bit < 8; bit += 3) {
			struct err err = {0};

			s.bytes[i] ^= (char)(1 << bit);
			ck_assert_msg(count_rows(s.bytes, s.len, &err) < 0, "byte %zu", i);
			ck_assert(err.code == ERR_FORMAT || err.code == ERR_UNSUPPORTED);
			s.bytes[i] ^= (char)(1 << bit);
		}
	free(s.bytes);
}
END_TEST

START_TEST(any_cut_is_found)
{
	struct stream s = small();

	for (size_t len = 0; len < s.len; len++) {
		struct err err = {0};

		ck_assert_msg(count_rows(s.bytes, len, &err) < 0, "cut at %zu", len);
		ck_assert_int_eq(err.code, ERR_FORMAT);
	}
	free(s.bytes);
}
END_TEST

static size_t frame_len(const char *at)
{
	uint32_t len;

	memcpy(&len, at + 1, sizeof len);
	return SUMMARY_FRAME_BYTES + len;
}

/* Frames of `made`, as numbers: a head, a graph, rows, the end. */
static const char *const orders[] = { "0123", "013", "023", "01223", "0213", "1023", "012", "0123x",
                                      "01233" };

START_TEST(frames_are_in_their_places)
{
	struct stream s = made();
	size_t at[5] = { SUMMARY_MAGIC_BYTES };
	struct str bytes = {0};
	struct err err = {0};

	for (int i = 0; i < 4; i++)
		at[i + 1] = at[i] + frame_len(s.bytes + at[i]);
	ck_assert_uint_eq(at[4], s.len);
	str_put(&bytes, s.bytes, SUMMARY_MAGIC_BYTES);
	for (const char *c = orders[_i]; *c; c++)
		if (*c == 'x')
			str_putc(&bytes, 'x');
		else
			str_put(&bytes, s.bytes + at[*c - '0'], at[*c - '0' + 1] - at[*c - '0']);
	ck_assert_int_eq(count_rows(bytes.text, bytes.len, &err), _i ? -1 : 5);
	if (_i)
		ck_assert_int_eq(err.code, ERR_FORMAT);
	str_release(&bytes);
	free(s.bytes);
}
END_TEST

/* A file whose checksums are right, with another head. */
static int with_version(uint32_t version, struct err *err)
{
	struct stream s = small();
	unsigned char sum[4];
	uint32_t crc;
	int n;

	s.bytes[SUMMARY_MAGIC_BYTES + SUMMARY_FRAME_BYTES + 1] = (char)version;
	crc = crc32c(0, s.bytes + SUMMARY_MAGIC_BYTES, 5);
	crc = crc32c(crc, s.bytes + SUMMARY_MAGIC_BYTES + SUMMARY_FRAME_BYTES, 2);
	for (int i = 0; i < 4; i++)
		sum[i] = (unsigned char)(crc >> (8 * i));
	memcpy(s.bytes + SUMMARY_MAGIC_BYTES + 5, sum, sizeof sum);
	n = count_rows(s.bytes, s.len, err);
	free(s.bytes);
	return n;
}

START_TEST(newer_versions_are_refused_by_name)
{
	struct err err = {0};

	ck_assert_int_eq(with_version(SUMMARY_VERSION + 1, &err), -1);
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(err.msg, "newer than this program's"));
}
END_TEST

START_TEST(newer_frames_are_refused_by_name)
{
	struct stream s = small();
	struct err err = {0};

	s.bytes[SUMMARY_MAGIC_BYTES - 1] = '2';
	ck_assert(summary_begins(s.bytes, s.len));
	ck_assert_int_eq(count_rows(s.bytes, s.len, &err), -1);
	ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(err.msg, "version 2"));
	free(s.bytes);
}
END_TEST

/* ---- keys */

static const struct summary_key keys[] = {
	{ SUMMARY_GRAPH, 0, 0, "", "", "", "00ff", "" },
	{ SUMMARY_VALUE, 0, 0, "a", "run_1", "", "n", "" },
	{ SUMMARY_VALUE, 1, 0, "a", "run_1", "", "n", "" },
	{ SUMMARY_VALUE, 256, 3, "a", "run_1", "", "n", "" },
	{ SUMMARY_VALUE, 256, 300, "a", "run_1", "", "n", "" },
	{ SUMMARY_VALUE, 0, 0, "a", "run_1", "", "n/m", "" },
	{ SUMMARY_VALUE, 0, 0, "a", "run_10", "", "a", "" },
	{ SUMMARY_VALUE, UINT32_MAX, UINT64_MAX, "ab", "", "d", "n", "o" },
};

START_TEST(keys_sort_as_their_parts_do)
{
	struct str a = {0}, b = {0};
	struct summary_key back;

	summary_put_key(&a, &keys[_i]);
	ck_assert(summary_read_key(a.text, a.len, &back));
	summary_put_key(&b, &back);
	ck_assert(a.len == b.len && !memcmp(a.text, b.text, a.len));
	ck_assert(!summary_read_key(a.text, a.len - 1, &back));
	ck_assert(!summary_read_key(a.text, a.len - 9, &back));
	str_putc(&a, 'x');
	ck_assert(!summary_read_key(a.text, a.len, &back));
	if (_i) {
		str_reset(&b);
		summary_put_key(&b, &keys[_i - 1]);
		ck_assert_int_lt(memcmp(b.text, a.text, b.len < a.len ? b.len : a.len), 0);
	}
	str_release(&a);
	str_release(&b);
}
END_TEST

START_TEST(shards_take_whole_keys)
{
	struct str key = {0};
	int n = 0;

	/* As published with the algorithm. */
	ck_assert_uint_eq(summary_hash(SUMMARY_HASH, "a", 1), 0xaf63dc4c8601ec8c);
	ck_assert_uint_eq(summary_hash(SUMMARY_HASH, "foobar", 6), 0x85944171f73967e8);
	summary_put_key(&key, &keys[2]);
	for (uint32_t k = 1; k <= 7; k++)
		n += summary_is_in_shard(&key, k, 7);
	ck_assert_int_eq(n, 1);
	ck_assert(summary_is_in_shard(&key, 1, 1));
	str_release(&key);
}
END_TEST

SUITE_MAIN("summary",
	tcase_add_test(t, rows_come_back);
	tcase_add_test(t, empty_summary_is_one);
	tcase_add_test(t, values_come_back);
	tcase_add_test(t, runs_come_back);
	tcase_add_test(t, damaged_values_are_refused_or_read);
	tcase_add_test(t, any_changed_byte_is_found);
	tcase_add_test(t, any_cut_is_found);
	tcase_add_loop_test(t, frames_are_in_their_places, 0, ROWS(orders));
	tcase_add_test(t, newer_versions_are_refused_by_name);
	tcase_add_test(t, newer_frames_are_refused_by_name);
	tcase_add_loop_test(t, keys_sort_as_their_parts_do, 0, ROWS(keys));
	tcase_add_test(t, shards_take_whole_keys);
)
