/*
 * Graphs of more bytes than a reader holds: they lie apart from their rows, and are read, joined
 * and refused as others are.
 */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "dump/base/arena.h"
#include "dump/base/mem.h"
#include "dump/format/crc32c.h"
#include "dump/summary/fields.h"
#include "dump/summary/merge.h"
#include "dump/summary/reader.h"
#include "dump/summary/writer.h"
#include "tests/program.h"

enum { LARGE = 2 * SUMMARY_HELD + 4321 };

static char *dir;
static struct arena mem;

static struct str made_of(char first)
{
	struct str value = {0};

	for (int i = 0; i < LARGE; i++)
		str_putc(&value, (char)(first + i % 251));
	return value;
}

static void add(struct summary_writer *writer, enum summary_kind kind, const char *node,
                const struct str *value)
{
	struct summary_key key = { kind, 0, 0, "", "", "", node, "" };
	struct str bytes = {0};

	summary_put_key(&bytes, &key);
	summary_add(writer, (struct text){ bytes.text, bytes.len },
	            (struct text){ value->text, value->len });
	str_release(&bytes);
}

/* A small graph, a large one, another small one, a problem. */
static struct str summary_of(char first)
{
	struct summary_writer writer;
	struct str large = made_of(first), small = {0}, bytes = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	ck_assert_ptr_nonnull(out);
	str_puts(&small, "gg");
	summary_begin(&writer, out);
	add(&writer, SUMMARY_GRAPH, "1", &small);
	add(&writer, SUMMARY_GRAPH, "2", &large);
	add(&writer, SUMMARY_GRAPH, "3", &small);
	str_reset(&small);
	add(&writer, SUMMARY_PROBLEM, "file", &small);
	summary_finish(&writer);
	summary_writer_release(&writer);
	ck_assert_int_eq(fclose(out), 0);
	str_put(&bytes, text, len);
	free(text);
	str_release(&large);
	str_release(&small);
	return bytes;
}

/* Each file is there until the test ends, by its number. */
static const char *path_numbered(int number, const struct str *bytes)
{
	const char *path = arena_fmt(&mem, "%s/%d", dir, number);
	FILE *f = fopen(path, "w");

	ck_assert(f && fwrite(bytes->text, 1, bytes->len, f) == bytes->len && !fclose(f));
	return path;
}

static const char *path_of(const struct str *bytes)
{
	return path_numbered(1, bytes);
}

static void enter(void)
{
	dir = scratch_new();
}

static void leave(void)
{
	scratch_remove(dir);
	arena_release(&mem);
}

/* How many rows it has; -1: it is refused. */
static int count_rows(const char *path, struct err *err)
{
	struct summary_reader *r = summary_open(path, err);
	struct summary_row row;
	int n = 0;

	while (r && summary_next(r, &row, err))
		n++;
	summary_close(r);
	return err->code ? -1 : n;
}

START_TEST(a_large_graph_lies_apart)
{
	struct str bytes = summary_of('a'), large = made_of('a');
	char *value = mem_alloc(LARGE);
	struct err err = {0};
	struct summary_reader *r = summary_open(path_of(&bytes), &err);
	struct summary_row row;

	ck_assert_msg(r, "%s", err.msg);
	for (int i = 1; i <= 4; i++) {
		ck_assert_msg(summary_next(r, &row, &err), "%s", err.msg);
		ck_assert_int_eq(row.apart, i == 2);
		if (i == 1 || i == 3)
			ck_assert_uint_eq(row.value.len, 2);
		ck_assert(row.apart || row.value.len == row.len);
		if (!row.apart)
			continue;
		ck_assert_uint_eq(row.value.len, 0);
		ck_assert_uint_eq(row.len, LARGE);
		ck_assert_str_eq(row.key.node, "2");
		ck_assert(summary_read_part(r, row.off, LARGE, value, &err));
		ck_assert(!memcmp(value, large.text, LARGE));
	}
	ck_assert(!summary_next(r, &row, &err) && !err.code);
	summary_close(r);
	free(value);
	str_release(&bytes);
	str_release(&large);
}
END_TEST

/* A byte is changed here and there, and the file cut. */
START_TEST(damage_in_it_is_found)
{
	struct str bytes = summary_of('a');

	for (size_t at = 0; at < bytes.len; at += at < 64 || at + 128 > bytes.len ? 1 : 99991) {
		struct str changed = {0}, cut = {0};
		struct err err = {0};

		str_put(&changed, bytes.text, bytes.len);
		changed.text[at] ^= 4;
		ck_assert_int_eq(count_rows(path_of(&changed), &err), -1);
		str_put(&cut, bytes.text, at);
		err = (struct err){0};
		ck_assert_int_eq(count_rows(path_of(&cut), &err), -1);
		str_release(&changed);
		str_release(&cut);
	}
	str_release(&bytes);
}
END_TEST

/* A frame with a large graph and another row is held whole. */
START_TEST(one_with_more_rows_is_held)
{
	struct str large = made_of('a'), rows = {0}, frame = {0}, key = {0};
	struct err err = {0};
	struct summary_reader *r;
	struct summary_row row;
	uint32_t crc;

	for (int i = 1; i <= 2; i++) {
		char name[2] = { (char)('0' + i) };

		str_reset(&key);
		summary_put_key(&key, &(struct summary_key){ SUMMARY_GRAPH, 0, 0, "", "", "", name,
		                                             "" });
		varint_put(&rows, 0);
		varint_put(&rows, key.len);
		varint_put(&rows, i == 1 ? LARGE : 0);
		str_put(&rows, key.text, key.len);
		if (i == 1)
			str_put(&rows, large.text, LARGE);
	}
	str_puts(&frame, SUMMARY_MAGIC);
	for (int half = 0; half < 2; half++) {
		unsigned char head[9] = { half ? 'R' : 'H' };
		size_t len = half ? rows.len : 2;

		for (int i = 0; i < 4; i++)
			head[1 + i] = (unsigned char)(len >> (8 * i));
		crc = crc32c(crc32c(0, head, 5), half ? rows.text : "\x08\x02", len);
		for (int i = 0; i < 4; i++)
			head[5 + i] = (unsigned char)(crc >> (8 * i));
		str_put(&frame, (const char *)head, sizeof head);
		str_put(&frame, half ? rows.text : "\x08\x02", len);
	}
	r = summary_open(path_of(&frame), &err);
	ck_assert_msg(r && summary_next(r, &row, &err), "%s", err.msg);
	ck_assert(!row.apart);
	ck_assert_uint_eq(row.value.len, LARGE);
	ck_assert(!memcmp(row.value.at, large.text, LARGE));
	ck_assert(summary_next(r, &row, &err));
	ck_assert_str_eq(row.key.node, "2");
	summary_close(r);
	str_release(&large);
	str_release(&rows);
	str_release(&frame);
	str_release(&key);
}
END_TEST

static bool merge(const char *a, const char *b, struct str *out, struct err *err)
{
	struct merged merged;
	char *text = NULL;
	size_t len = 0;
	FILE *stream = open_memstream(&text, &len);
	bool ok;

	ck_assert_ptr_nonnull(stream);
	ok = summary_merge((const char *const[]){ a, b }, 2, stream, &merged, NULL, err);
	ck_assert_int_eq(fclose(stream), 0);
	str_put(out, text, len);
	free(text);
	return ok;
}

START_TEST(large_graphs_are_joined)
{
	struct str a = summary_of('a'), b = summary_of('b'), joined = {0};
	struct err err = {0};

	ck_assert_msg(merge(path_of(&a), path_numbered(2, &a), &joined, &err), "%s", err.msg);
	ck_assert_uint_eq(joined.len, a.len);
	ck_assert(!memcmp(joined.text, a.text, a.len));
	ck_assert(!merge(path_of(&a), path_numbered(2, &b), &joined, &err));
	ck_assert_int_eq(err.code, ERR_KEY);
	str_release(&a);
	str_release(&b);
	str_release(&joined);
}
END_TEST

static bool changing(void *context, uint64_t from, size_t len, void *out, struct err *err)
{
	int *calls = context;

	(void)from, (void)err;
	memset(out, (*calls)++, len);
	return true;
}

START_TEST(a_value_that_changes_is_refused)
{
	int calls = 0;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	struct summary_writer writer;
	struct summary_value_source source = { LARGE, changing, &calls };
	struct err err = {0};

	ck_assert_ptr_nonnull(out);
	summary_begin(&writer, out);
	ck_assert(!summary_add_apart(&writer, (struct text){ "G", 1 }, &source, &err));
	ck_assert_int_eq(err.code, ERR_IO);
	summary_writer_release(&writer);
	fclose(out);
	free(text);
}
END_TEST

SUITE_MAIN("summary_large",
	tcase_add_checked_fixture(t, enter, leave);
	tcase_add_test(t, a_large_graph_lies_apart);
	tcase_add_test(t, damage_in_it_is_found);
	tcase_add_test(t, one_with_more_rows_is_held);
	tcase_add_test(t, large_graphs_are_joined);
	tcase_add_test(t, a_value_that_changes_is_refused);
)
