/*
 * Files of records: each damage with its place and what it costs, against a plain reading of the
 * whole file in memory; files that grow; what is stopped; files made to cost time.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dump/format/crc32c.h"
#include "dump/format/tfrecord.h"
#include "tests/message.h"
#include "tests/program.h"

#define BASE 118                 /* bytes of put_base, and where its records begin */
enum { FIRST = 0, SECOND = 21, THIRD = 37, FOURTH = 93 };

static struct file file;

static void put_head(struct str *out, uint64_t len)
{
	size_t at = out->len;

	put_fixed(out, len, 8);
	put_fixed(out, crc32c_masked(crc32c_by_table(0, out->text + at, 8)), 4);
}

static void put_record(struct str *out, size_t len)
{
	size_t at;

	put_head(out, len);
	at = out->len;
	for (size_t i = 0; i < len; i++)
		str_putc(out, (char)(at * 31 + i * 7 + i / 256));
	put_fixed(out, crc32c_masked(crc32c_by_table(0, out->text + at, len)), 4);
}

static void put_base(struct str *out)
{
	put_record(out, 5);
	put_record(out, 0);
	put_record(out, 40);
	put_record(out, 9);
	ck_assert_uint_eq(out->len, BASE);
}

static void open_bytes(const struct str *bytes)
{
	struct err err = {0};

	ck_assert_msg(file_open(&file, file_of(bytes->len ? bytes->text : "", bytes->len), &err),
	              "%s", err.msg);
}

/* To the file that is open, which is opened again. */
static void append(const void *bytes, size_t len)
{
	const char *path = file.path;
	FILE *f = fopen(path, "a");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fwrite(bytes, 1, len, f), len);
	ck_assert_int_eq(fclose(f), 0);
	file_close(&file);
	ck_assert(file_open(&file, path, NULL));
}

/* What a walk said, in order. */
struct finding {
	enum tfrecord_found what;
	uint64_t off, bytes;
};
struct findings {
	struct finding at[400];
	int n;
};

/* A finding at the offset of the last takes its place, as the header says. */
static void add(struct findings *f, enum tfrecord_found what, uint64_t off, uint64_t bytes)
{
	if (f->n > 0 && f->at[f->n - 1].off == off)
		f->n--;
	ck_assert_int_lt(f->n, ROWS(f->at));
	f->at[f->n++] = (struct finding){ what, off, bytes };
}

static enum tfrecord_found walk_on(struct tfrecord_walk *walk, struct findings *f)
{
	struct tfrecord record;
	struct err err = {0};
	enum tfrecord_found what;

	while ((what = tfrecord_next(walk, &record, &err)) > TFRECORD_STOPPED) {
		bool payload = what == TFRECORD_WHOLE || what == TFRECORD_BAD_PAYLOAD;

		ck_assert_int_eq(err.code, what == TFRECORD_WHOLE ? ERR_NONE : ERR_FORMAT);
		ck_assert_uint_eq(err.off, what == TFRECORD_WHOLE ? 0 : record.off);
		ck_assert_uint_gt(record.bytes, 0);
		ck_assert_uint_le(record.off + record.bytes, walk->file->size);
		ck_assert_uint_eq(record.payload.off, payload ? record.off + 12 : 0);
		ck_assert_uint_eq(record.payload.len, payload ? record.bytes - 16 : 0);
		add(f, what, record.off, record.bytes);
		err = (struct err){0};
	}
	if (what == TFRECORD_END)
		ck_assert_int_eq(err.code, ERR_NONE);
	return what;
}

static void ck_same(const struct findings *got, const struct findings *wanted, const char *when)
{
	for (int i = 0; i < got->n && i < wanted->n; i++) {
		ck_assert_msg(got->at[i].what == wanted->at[i].what, "%s: finding %d is %d", when,
		              i, got->at[i].what);
		ck_assert_msg(got->at[i].off == wanted->at[i].off, "%s: finding %d at %ju", when, i,
		              (uintmax_t)got->at[i].off);
		ck_assert_msg(got->at[i].bytes == wanted->at[i].bytes, "%s: finding %d has %ju",
		              when, i, (uintmax_t)got->at[i].bytes);
	}
	ck_assert_msg(got->n == wanted->n, "%s: %d findings, not %d", when, got->n, wanted->n);
}

/* The plain reading. */

static bool head_at(const struct str *bytes, uint64_t off, uint64_t *len)
{
	const unsigned char *at = (const unsigned char *)bytes->text + off;
	uint32_t stored = 0;

	*len = 0;
	for (int i = 7; i >= 0; i--)
		*len = *len << 8 | at[i];
	for (int i = 11; i >= 8; i--)
		stored = stored << 8 | at[i];
	return stored == crc32c_masked(crc32c_by_table(0, at, 8)) && *len <= INT32_MAX;
}

static bool payload_at(const struct str *bytes, uint64_t off, uint64_t len)
{
	const unsigned char *at = (const unsigned char *)bytes->text + off + 12;
	uint32_t stored = 0;

	for (int i = 3; i >= 0; i--)
		stored = stored << 8 | at[len + (uint64_t)i];
	return stored == crc32c_masked(crc32c_by_table(0, at, len));
}

static uint64_t next_good(const struct str *bytes, uint64_t off)
{
	uint64_t len;

	for (; off + 16 <= bytes->len; off++)
		if (head_at(bytes, off, &len) && len <= bytes->len - off - 16 &&
		    payload_at(bytes, off, len))
			return off;
	return bytes->len;
}

static void read_plainly(const struct str *bytes, struct findings *f)
{
	uint64_t off = 0, len, to;

	for (f->n = 0; off < bytes->len; off = to) {
		to = bytes->len;
		if (to - off < 12) {
			add(f, TFRECORD_CUT, off, to - off);
		} else if (!head_at(bytes, off, &len)) {
			to = next_good(bytes, off + 1);
			add(f, TFRECORD_BAD_LENGTH, off, to - off);
		} else if (len + 16 > to - off) {
			add(f, TFRECORD_CUT, off, to - off);
		} else {
			to = off + 16 + len;
			add(f, payload_at(bytes, off, len) ? TFRECORD_WHOLE : TFRECORD_BAD_PAYLOAD,
			    off, 16 + len);
		}
	}
}

#define WHOLE(off, bytes) { TFRECORD_WHOLE, off, bytes }
#define BAD_LENGTH(off, bytes) { TFRECORD_BAD_LENGTH, off, bytes }
#define BAD_PAYLOAD(off, bytes) { TFRECORD_BAD_PAYLOAD, off, bytes }
#define CUT(off, bytes) { TFRECORD_CUT, off, bytes }
#define SOUND WHOLE(0, 21), WHOLE(21, 16), WHOLE(37, 56)
#define NO BASE                  /* flips nothing */

/* The base with bits of two bytes turned, then cut. */
static const struct {
	const char *name;
	size_t flip, also, size;
	struct findings found;
} spoiled[] = {
	{ "sound", NO, NO, BASE, { { SOUND, WHOLE(93, 25) }, 4 } },
	{ "empty", NO, NO, 0, { .n = 0 } },
	{ "length", THIRD, NO, BASE,
	  { { WHOLE(0, 21), WHOLE(21, 16), BAD_LENGTH(37, 56), WHOLE(93, 25) }, 4 } },
	{ "top of the length", THIRD + 7, NO, BASE,
	  { { WHOLE(0, 21), WHOLE(21, 16), BAD_LENGTH(37, 56), WHOLE(93, 25) }, 4 } },
	{ "checksum of the length", THIRD + 9, NO, BASE,
	  { { WHOLE(0, 21), WHOLE(21, 16), BAD_LENGTH(37, 56), WHOLE(93, 25) }, 4 } },
	{ "payload", THIRD + 12, NO, BASE,
	  { { WHOLE(0, 21), WHOLE(21, 16), BAD_PAYLOAD(37, 56), WHOLE(93, 25) }, 4 } },
	{ "checksum of the payload", FOURTH - 1, NO, BASE,
	  { { WHOLE(0, 21), WHOLE(21, 16), BAD_PAYLOAD(37, 56), WHOLE(93, 25) }, 4 } },
	{ "checksum of no payload", THIRD - 1, NO, BASE,
	  { { WHOLE(0, 21), BAD_PAYLOAD(21, 16), WHOLE(37, 56), WHOLE(93, 25) }, 4 } },
	{ "the first length", FIRST, NO, BASE,
	  { { BAD_LENGTH(0, 21), WHOLE(21, 16), WHOLE(37, 56), WHOLE(93, 25) }, 4 } },
	{ "the last length", FOURTH, NO, BASE, { { SOUND, BAD_LENGTH(93, 25) }, 4 } },
	{ "two lengths", SECOND, THIRD, BASE,
	  { { WHOLE(0, 21), BAD_LENGTH(21, 72), WHOLE(93, 25) }, 3 } },
	{ "a length, then a payload", SECOND, THIRD + 20, BASE,
	  { { WHOLE(0, 21), BAD_LENGTH(21, 72), WHOLE(93, 25) }, 3 } },
	{ "a payload, then a length", SECOND - 1, SECOND, BASE,
	  { { BAD_PAYLOAD(0, 21), BAD_LENGTH(21, 16), WHOLE(37, 56), WHOLE(93, 25) }, 4 } },
	{ "between two records", NO, NO, FOURTH, { { SOUND }, 3 } },
	{ "one byte of a head", NO, NO, FOURTH + 1, { { SOUND, CUT(93, 1) }, 4 } },
	{ "all but one of a head", NO, NO, FOURTH + 11, { { SOUND, CUT(93, 11) }, 4 } },
	{ "a head alone", NO, NO, FOURTH + 12, { { SOUND, CUT(93, 12) }, 4 } },
	{ "half a payload", NO, NO, FOURTH + 16, { { SOUND, CUT(93, 16) }, 4 } },
	{ "all but the last byte", NO, NO, BASE - 1, { { SOUND, CUT(93, 24) }, 4 } },
	{ "a bad length, then cut", THIRD, NO, FOURTH + 20,
	  { { WHOLE(0, 21), WHOLE(21, 16), BAD_LENGTH(37, 76) }, 3 } },
	{ "a bad length, cut in the head", FOURTH, NO, FOURTH + 11, { { SOUND, CUT(93, 11) }, 4 } },
};

static void spoil(struct str *bytes, int row)
{
	put_base(bytes);
	if (spoiled[row].flip < BASE)
		bytes->text[spoiled[row].flip] ^= 0x40;
	if (spoiled[row].also < BASE)
		bytes->text[spoiled[row].also] ^= 0x40;
	bytes->len = spoiled[row].size;
}

START_TEST(damage_costs_itself)
{
	struct tfrecord_walk walk = { .file = &file };
	struct findings got = {0}, plain = {0};
	struct str bytes = {0};

	spoil(&bytes, _i);
	open_bytes(&bytes);
	ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
	ck_same(&got, &spoiled[_i].found, spoiled[_i].name);
	read_plainly(&bytes, &plain);
	ck_same(&got, &plain, spoiled[_i].name);
	got.n = 0;
	ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
	ck_assert_int_eq(got.n, 0);      /* nothing is said twice */
	file_close(&file);
	str_release(&bytes);
}
END_TEST

static void is_as_read_plainly(const struct str *bytes, const char *what, size_t at)
{
	struct tfrecord_walk walk = { .file = &file };
	struct findings got = {0}, plain = {0};
	char when[40];

	snprintf(when, sizeof when, "%s %zu", what, at);
	open_bytes(bytes);
	walk_on(&walk, &got);
	read_plainly(bytes, &plain);
	ck_same(&got, &plain, when);
	file_close(&file);
}

START_TEST(each_bit_and_each_cut)
{
	struct str bytes = {0};

	put_base(&bytes);
	for (size_t at = 0; at < BASE; at++) {
		bytes.text[at] ^= (char)(1 << _i);
		is_as_read_plainly(&bytes, "bit of byte", at);
		bytes.len = at;
		is_as_read_plainly(&bytes, "cut at", at);
		bytes.len = BASE;
		bytes.text[at] ^= (char)(1 << _i);
	}
	str_release(&bytes);
}
END_TEST

/* A head that is right by its checksum, and whether its length is believed. */
static const struct { uint64_t len; enum tfrecord_found found; } lengths[] = {
	{ 21, TFRECORD_BAD_PAYLOAD },
	{ 22, TFRECORD_CUT },
	{ INT32_MAX, TFRECORD_CUT },
	{ (uint64_t)INT32_MAX + 1, TFRECORD_BAD_LENGTH },
	{ (uint64_t)1 << 32, TFRECORD_BAD_LENGTH },
	{ INT64_MAX, TFRECORD_BAD_LENGTH },
	{ UINT64_MAX - 15, TFRECORD_BAD_LENGTH },
	{ UINT64_MAX, TFRECORD_BAD_LENGTH },
};

START_TEST(a_length_is_checked_before_it_is_believed)
{
	struct tfrecord_walk walk = { .file = &file };
	struct tfrecord record;
	struct err err = {0};
	struct str bytes = {0};
	uint64_t len;

	put_head(&bytes, lengths[_i].len);
	ck_assert(tfrecord_head((const unsigned char *)bytes.text, &len));
	ck_assert_uint_eq(len, lengths[_i].len);
	put_record(&bytes, 9);
	ck_assert_uint_eq(bytes.len, 37);
	open_bytes(&bytes);
	ck_assert_int_eq(tfrecord_next(&walk, &record, &err), lengths[_i].found);
	if (lengths[_i].found == TFRECORD_BAD_LENGTH)
		ck_assert_uint_eq(record.bytes, 12);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* Noise that holds no record, behind which there is one. */
START_TEST(a_search_is_long_and_finds_the_first)
{
	struct tfrecord_walk walk = { .file = &file };
	struct findings got = {0}, wanted = { { BAD_LENGTH(0, 0), WHOLE(0, 16), WHOLE(0, 21) }, 3 };
	struct str bytes = {0};
	uint32_t state = 5;

	for (int i = 0; i < 200000 + _i; i++)
		str_putc(&bytes, (char)((state = state * 1664525 + 1013904223) >> 24));
	memset(bytes.text + 1000, 0, 1000);      /* lengths of 0, but not their checksums */
	wanted.at[0].bytes = wanted.at[1].off = bytes.len;
	wanted.at[2].off = bytes.len + 16;
	put_record(&bytes, 0);
	put_record(&bytes, 5);
	open_bytes(&bytes);
	walk_on(&walk, &got);
	ck_same(&got, &wanted, "behind noise");
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* Zeros, which are passed over in one go, up to a length of 0 that is a record's. */
START_TEST(zeros_end_where_a_record_begins)
{
	size_t n = _i < 160 ? (size_t)_i + 1 : 65536 - 20 + (size_t)_i - 160;
	struct tfrecord_walk walk = { .file = &file };
	struct findings wanted = { { BAD_LENGTH(0, n), WHOLE(n, 16), WHOLE(n + 16, 21) }, 3 };
	struct findings got = {0};
	struct str bytes = {0};

	for (size_t i = 0; i < n; i++)
		str_putc(&bytes, 0);
	put_record(&bytes, 0);
	put_record(&bytes, 5);
	open_bytes(&bytes);
	walk_on(&walk, &got);
	ck_same(&got, &wanted, "behind zeros");
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* In windows: a payload of several, damaged at their edges. */
static const size_t edges[] = { 0, 1, 65523, 65524, 65535, 65536, 65537, 131060, 149999 };

START_TEST(a_long_payload_is_checked)
{
	struct tfrecord_walk walk = { .file = &file };
	struct tfrecord record;
	struct err err = {0};
	struct str bytes = {0};

	put_record(&bytes, 150000);
	open_bytes(&bytes);
	ck_assert_int_eq(tfrecord_next(&walk, &record, &err), TFRECORD_WHOLE);
	file_close(&file);

	bytes.text[12 + edges[_i]] ^= 1;
	open_bytes(&bytes);
	walk.off = 0;
	ck_assert_int_eq(tfrecord_next(&walk, &record, &err), TFRECORD_BAD_PAYLOAD);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, 0);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* Byte after byte, the walk asked after each: at any time it knows what a new one would. */
START_TEST(a_file_that_grows)
{
	struct tfrecord_walk walk = { .file = &file };
	struct findings got = {0}, plain = {0};
	struct str bytes = {0}, none = {0};

	spoil(&bytes, _i);
	open_bytes(&none);
	walk_on(&walk, &got);
	for (size_t n = 1, all = bytes.len; n <= all; n++) {
		append(bytes.text + n - 1, 1);
		ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
		bytes.len = n;
		read_plainly(&bytes, &plain);
		ck_same(&got, &plain, spoiled[_i].name);
	}
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* Stops at the nth look, and remembers the lowest place that was looked at after the first. */
struct watched {
	struct progress progress;
	long looks, stops_at;
	uint64_t lowest;
};

static void look(struct progress *progress)
{
	struct watched *w = progress->owner;

	if (w->looks++ == w->stops_at)
		progress->cancel = true;
	if (w->looks > 1 && progress->done < w->lowest)
		w->lowest = progress->done;
}

static void watch(struct watched *w, long stops_at)
{
	*w = (struct watched){ .stops_at = stops_at, .lowest = UINT64_MAX };
	w->progress.tick = look;
	w->progress.owner = w;
}

START_TEST(only_what_is_new_is_searched)
{
	struct watched watched;
	struct tfrecord_walk walk = { .file = &file, .progress = &watched.progress };
	struct findings got = {0};
	struct str bytes = {0}, more = {0};

	str_fill(&bytes, 'x', 300000);
	open_bytes(&bytes);
	watch(&watched, -1);
	ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
	watch(&watched, -1);
	put_record(&more, 20);
	append(more.text, more.len);
	ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
	ck_assert_int_gt(watched.looks, 1);
	ck_assert_uint_ge(watched.lowest, 300000 - 11);
	ck_assert_int_eq(got.n, 2);
	ck_assert_uint_eq(got.at[1].off, 300000);
	file_close(&file);
	str_release(&bytes);
	str_release(&more);
}
END_TEST

/* Wherever it is stopped it can be asked on, and says nothing twice and leaves nothing out. */
START_TEST(stopped_and_asked_on)
{
	struct findings plain = {0};
	struct str bytes = {0};
	bool stopped = true;

	spoil(&bytes, _i);
	read_plainly(&bytes, &plain);
	open_bytes(&bytes);
	for (long nth = 0; stopped; nth++) {
		struct watched watched;
		struct tfrecord_walk walk = { .file = &file, .progress = &watched.progress };
		struct tfrecord record;
		struct findings got = {0};
		struct err err = {0};

		watch(&watched, nth);
		stopped = walk_on(&walk, &got) == TFRECORD_STOPPED;
		if (stopped) {
			ck_assert_int_eq(tfrecord_next(&walk, &record, &err), TFRECORD_STOPPED);
			ck_assert_int_eq(err.code, ERR_CANCELLED);
			ck_assert_int_eq(tfrecord_next(&walk, &record, NULL), TFRECORD_STOPPED);
		}
		watched.progress.cancel = false;
		ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
		ck_same(&got, &plain, spoiled[_i].name);
		ck_assert_int_lt(nth, 1000);
	}
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* Many right heads, of payloads that lie within each other and are all wrong. */
START_TEST(many_false_heads_cost_no_more_than_the_file)
{
	enum { HEADS = 20000, SIZE = 12 * (HEADS + 1) };
	struct watched watched;
	struct tfrecord_walk walk = { .file = &file, .progress = &watched.progress };
	struct findings got = {0};
	struct str bytes = {0};

	str_fill(&bytes, 'x', 12);
	for (size_t i = 1; i <= HEADS; i++)
		put_head(&bytes, i + 10 < HEADS ? SIZE - 12 * i - 16 : 1);
	ck_assert_uint_eq(bytes.len, SIZE);
	open_bytes(&bytes);
	watch(&watched, -1);
	ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
	ck_assert_uint_gt(walk.tried, SIZE);
	ck_assert_uint_le(walk.tried, 6 * SIZE);
	ck_assert_int_le(watched.looks, SIZE);
	ck_assert_int_eq(got.at[0].what, TFRECORD_BAD_LENGTH);
	ck_assert_int_eq(got.at[1].what, TFRECORD_BAD_PAYLOAD);  /* its head was believed */
	file_close(&file);
	str_release(&bytes);
}
END_TEST

START_TEST(a_file_cut_under_the_walk_is_no_damage)
{
	struct tfrecord_walk walk = { .file = &file };
	struct tfrecord record;
	struct err err = {0};
	struct str bytes = {0};

	put_base(&bytes);
	open_bytes(&bytes);
	ck_assert_int_eq(truncate(file.path, FOURTH + 3), 0);
	while (tfrecord_next(&walk, &record, &err) == TFRECORD_WHOLE)
		ck_assert_uint_lt(record.off, FOURTH);
	ck_assert_int_eq(err.code, ERR_IO);
	ck_assert_uint_eq(walk.off, FOURTH);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* As TensorFlow 2.21 wrote them. */
#define RECORDED "testdata/v2/while_overflow/tfdbg_events.1795224390.demo-host."
static const struct { const char *path; int n; uint64_t size; } recorded[] = {
	{ RECORDED "metadata", 1, 60 },
	{ RECORDED "execution", 1, 660 },
	{ RECORDED "graph_execution_traces", 41, 7435 },
};

START_TEST(recorded_files_are_whole)
{
	struct tfrecord_walk walk = { .file = &file };
	struct findings got = {0};
	struct err err = {0};
	uint64_t end = 0;

	ck_assert_msg(file_open(&file, recorded[_i].path, &err), "%s", err.msg);
	ck_assert_int_eq(walk_on(&walk, &got), TFRECORD_END);
	ck_assert_int_eq(got.n, recorded[_i].n);
	for (int i = 0; i < got.n; i++) {
		ck_assert_int_eq(got.at[i].what, TFRECORD_WHOLE);
		ck_assert_uint_eq(got.at[i].off, end);
		end += got.at[i].bytes;
	}
	ck_assert_uint_eq(end, recorded[_i].size);
	file_close(&file);
}
END_TEST

SUITE_MAIN("tfrecord",
	tcase_add_loop_test(t, damage_costs_itself, 0, ROWS(spoiled));
	tcase_add_loop_test(t, each_bit_and_each_cut, 0, 8);
	tcase_add_loop_test(t, a_length_is_checked_before_it_is_believed, 0, ROWS(lengths));
	tcase_add_loop_test(t, a_search_is_long_and_finds_the_first, 0, 3);
	tcase_add_loop_test(t, zeros_end_where_a_record_begins, 0, 200);
	tcase_add_loop_test(t, a_long_payload_is_checked, 0, ROWS(edges));
	tcase_add_loop_test(t, a_file_that_grows, 0, ROWS(spoiled));
	tcase_add_test(t, only_what_is_new_is_searched);
	tcase_add_loop_test(t, stopped_and_asked_on, 0, ROWS(spoiled));
	tcase_add_test(t, many_false_heads_cost_no_more_than_the_file);
	tcase_add_test(t, a_file_cut_under_the_walk_is_no_damage);
	tcase_add_loop_test(t, recorded_files_are_whole, 0, ROWS(recorded));
)
