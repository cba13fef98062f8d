/* Sorted tables, and snappy, which their blocks may be packed with. */
#include "tests/suite.h"

#include <string.h>

#include "dump/format/snappy.h"
#include "dump/format/sstable.h"
#include "tests/message.h"
#include "tests/small_table.h"

#define BYTES(text) text, sizeof(text) - 1

static const struct table_row rows[] = {
	{ BYTES(""), BYTES("header") },
	{ BYTES("\0part\0\1"), BYTES("") },
	{ BYTES("dense/bias"), BYTES("one") },
	{ BYTES("dense/kernel"), BYTES("two") },
	{ BYTES("dense/kernel2"), BYTES("\0\1\2\3") },
	{ BYTES("x\xff"), BYTES("three") },
};

/* The number of rows that a table of these bytes has; -1: it is damaged. */
static int count_rows(const void *bytes, size_t len, struct err *err)
{
	struct sstable table = {0};
	struct sstable_entry entry;
	struct file file;
	bool ok;
	int n = 0;

	*err = (struct err){0};
	ck_assert(file_open(&file, file_of(bytes, len), err));
	ok = sstable_open(&table, &file, err);
	while (ok && sstable_next(&table, &entry, err))
		n++;
	ck_assert(ok || err->code);
	sstable_release(&table);
	file_close(&file);
	return err->code ? -1 : n;
}

START_TEST(rows_come_in_order)
{
	struct sstable table = {0};
	struct sstable_entry entry;
	struct str bytes = {0};
	struct err err = {0};
	struct file file;

	put_table(&bytes, rows, ROWS(rows), (size_t)_i % 7 + 1, _i >= 7);
	ck_assert(file_open(&file, file_of(bytes.text, bytes.len), &err));
	ck_assert_msg(sstable_open(&table, &file, &err), "%s", err.msg);
	for (int i = 0; i < ROWS(rows); i++) {
		ck_assert_msg(sstable_next(&table, &entry, &err), "%s", err.msg);
		ck_assert_uint_eq(entry.key_len, rows[i].key_len);
		ck_assert(!memcmp(entry.key, rows[i].key, entry.key_len));
		ck_assert_uint_eq(entry.len, rows[i].len);
		ck_assert(!memcmp(entry.value, rows[i].value, entry.len));
		ck_assert(_i >= 7 || !entry.len
		          || !memcmp(bytes.text + entry.off, rows[i].value, entry.len));
	}
	ck_assert(!sstable_next(&table, &entry, &err) && !err.code);
	ck_assert(!sstable_next(&table, &entry, NULL));
	sstable_release(&table);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

START_TEST(a_table_may_be_empty)
{
	struct str bytes = {0};
	struct err err;

	put_table(&bytes, NULL, 0, 1, false);
	ck_assert_int_eq(count_rows(bytes.text, bytes.len, &err), 0);
	str_release(&bytes);
}
END_TEST

/* A file that begins with one block, whose contents are these. */
static const struct { const char *contents; size_t len; int type; const char *words; } blocks[] = {
	{ BYTES("\0\1\0a\0\1\0b\0\0\0\0\1\0\0\0"), 0, NULL },
	{ BYTES("\0\1\0a\1\1\0b\0\0\0\0\1\0\0\0"), 0, NULL },
	{ BYTES("\0\1\0a\0\1\0a\0\0\0\0\1\0\0\0"), 0, "don't rise" },
	{ BYTES("\0\1\0b\0\1\0a\0\0\0\0\1\0\0\0"), 0, "don't rise" },
	{ BYTES("\0\2\0ab\1\0\0\0\0\0\0\1\0\0\0"), 0, "don't rise" },
	{ BYTES("\0\1\0a\2\1\0a\0\0\0\0\1\0\0\0"), 0, "shares more" },
	{ BYTES("\1\1\0a\0\0\0\0\1\0\0\0"), 0, "shares more" },
	{ BYTES("\0\1\1a\0\0\0\0\1\0\0\0"), 0, "cut off" },
	{ BYTES("\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\0a\0\0\0\0\1\0\0\0"), 0, "cut off" },
	{ BYTES("\0\x80\0\0\0\0\1\0\0\0"), 0, "cut off" },
	{ BYTES("\0\1\0a\xff\0\0\0\1\0\0\0"), 0, "begins after its end" },
	{ BYTES("\0\1\0a\0\0\0\0\3\0\0\0"), 0, "without an end" },
	{ BYTES("\0\0\0"), 0, "without an end" },
	{ BYTES("\0\1\0a\0\0\0\0\1\0\0\0"), 2, "packed by method 2" },
	{ BYTES("\xff"), 1, "no length" },
	{ BYTES("\xff\xff\xff\xff\x0f"), 1, "unpacked" },
	{ BYTES("\x09\0a"), 1, "can't be unpacked" },
};

START_TEST(damaged_blocks)
{
	struct str bytes = {0}, index = {0};
	size_t index_off;
	struct err err;

	put_block(&bytes, blocks[_i].contents, blocks[_i].len, blocks[_i].type);
	index_off = bytes.len;
	str_put(&index, BYTES("\0\1\2k\0"));
	put_varint(&index, blocks[_i].len);
	str_put(&index, BYTES("\0\0\0\0\1\0\0\0"));
	put_block(&bytes, index.text, index.len, 0);
	str_put(&bytes, BYTES("\0\0"));
	put_varint(&bytes, index_off);
	put_varint(&bytes, index.len);
	str_fill(&bytes, '\0', 36);
	put_fixed(&bytes, 0xdb4775248b80fb57, 8);
	ck_assert_int_eq(count_rows(bytes.text, bytes.len, &err), blocks[_i].words ? -1 : 2);
	ck_assert_msg(!blocks[_i].words || strstr(err.msg, blocks[_i].words), "%s", err.msg);
	ck_assert(!blocks[_i].words || strstr(err.src, "message"));
	str_release(&bytes);
	str_release(&index);
}
END_TEST

START_TEST(every_cut_and_change)
{
	struct str bytes = {0};
	struct err err;

	put_table(&bytes, rows, ROWS(rows), 2, _i);
	for (size_t len = 0; len < bytes.len; len++)
		ck_assert_int_eq(count_rows(bytes.text, len, &err), -1);
	for (size_t i = 0; i < bytes.len; i++)
		for (int bit = 1; bit < 256; bit *= 2) {
			bytes.text[i] = (char)(bytes.text[i] ^ bit);
			count_rows(bytes.text, bytes.len, &err);
			bytes.text[i] = (char)(bytes.text[i] ^ bit);
		}
	str_release(&bytes);
}
END_TEST

/* Snappy. */

static const struct { const char *packed; size_t len; const char *text; } packed[] = {
	{ BYTES("\0"), "" },
	{ BYTES("\3\x08" "abc"), "abc" },
	{ BYTES("\3\xf0\2" "abc"), "abc" },
	{ BYTES("\3\xf4\2\0" "abc"), "abc" },
	{ BYTES("\3\xf8\2\0\0" "abc"), "abc" },
	{ BYTES("\3\xfc\2\0\0\0" "abc"), "abc" },
	{ BYTES("\7\x08" "abc" "\1\3"), "abcabca" },
	{ BYTES("\6\0a" "\x12\1\0"), "aaaaaa" },
	{ BYTES("\6\0a" "\x13\1\0\0\0"), "aaaaaa" },
	{ BYTES("\7\x08" "abc" "\1\4"), NULL },       /* back before the start */
	{ BYTES("\7\x08" "abc" "\1\0"), NULL },
	{ BYTES("\7\x08" "abc" "\1"), NULL },
	{ BYTES("\7\x08" "abc" "\2\1"), NULL },
	{ BYTES("\6\x08" "abc" "\1\3"), NULL },       /* too much comes out */
	{ BYTES("\2\x08" "abc"), NULL },
	{ BYTES("\4\x08" "abc"), NULL },              /* too little */
	{ BYTES("\3\x08" "ab"), NULL },
	{ BYTES("\3\xf0"), NULL },
	{ BYTES(""), NULL },
	{ BYTES("\x80"), NULL },
	{ BYTES("\xff\xff\xff\xff\x7f\0"), NULL },
};

START_TEST(snappy)
{
	size_t size = 0, begin;
	bool ok = snappy_length(packed[_i].packed, packed[_i].len, &size, &begin) && size < 100;
	char *out = calloc(1, size + 1);

	ok = ok && snappy_unpack(packed[_i].packed, packed[_i].len, out, size);
	ck_assert_int_eq(ok, packed[_i].text != NULL);
	if (ok)
		ck_assert_str_eq(out, packed[_i].text);
	free(out);
}
END_TEST

/* The highest three bits of where a short copy comes from are in its first byte. */
START_TEST(snappy_copies_from_afar)
{
	enum { SIZE = 300, BACK = 290, COPIED = 4 };
	struct str bytes = {0};
	char out[SIZE + COPIED];

	str_put(&bytes, "\xb0\2" "\xf4\x2b\1", 5);
	for (int i = 0; i < SIZE; i++)
		str_putc(&bytes, (char)(i * 7));
	str_put(&bytes, (const char[]){ BACK >> 8 << 5 | 1, BACK & 0xff }, 2);
	ck_assert(snappy_unpack(bytes.text, bytes.len, out, sizeof out));
	ck_assert_mem_eq(out + SIZE, out + SIZE - BACK, COPIED);
	str_release(&bytes);
}
END_TEST

SUITE_MAIN("sstable",
	tcase_add_test(t, snappy_copies_from_afar);
	tcase_add_loop_test(t, rows_come_in_order, 0, 14);
	tcase_add_test(t, a_table_may_be_empty);
	tcase_add_loop_test(t, damaged_blocks, 0, ROWS(blocks));
	tcase_add_loop_test(t, every_cut_and_change, 0, 2);
	tcase_add_loop_test(t, snappy, 0, ROWS(packed));)
