#include "tests/suite.h"

#include <string.h>
#include <unistd.h>

#include "dump/format/file.h"
#include "dump/format/wire.h"
#include "dump/summary/fields.h"
#include "tests/message.h"

static struct file file;
static struct wire wire;

static void open_bytes(const void *bytes, size_t len)
{
	struct err err = {0};

	ck_assert(file_open(&file, file_of(bytes, len), &err));
	wire_start(&wire, &file, (struct span){ 0, len });
}

/* 08 96 01 | 11 ff.. (8) | 1a 03 abc | 25 00 00 80 3f | field 536870911, varint of 64 bits */
static const char all_types[] = "\x08\x96\x01" "\x11\xff\xff\xff\xff\xff\xff\xff\x7f" "\x1a\x03"
                                "abc"
                                "\x25\x00\x00\x80\x3f"
                                "\xf8\xff\xff\xff\x0f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";

static const struct field fields[] = {
	{ .number = 1, .type = WIRE_VARINT, .key_off = 0, .number_value = 150 },
	{ .number = 2, .type = WIRE_FIXED64, .key_off = 3, .number_value = INT64_MAX },
	{ .number = 3, .type = WIRE_BYTES, .key_off = 12, .bytes = { 14, 3 } },
	{ .number = 4, .type = WIRE_FIXED32, .key_off = 17, .number_value = 0x3f800000 },
	{ .number = 0x1fffffff, .type = WIRE_VARINT, .key_off = 22, .number_value = UINT64_MAX },
};

START_TEST(reads_all_types)
{
	struct err err = {0};
	struct field got;

	open_bytes(all_types, sizeof all_types - 1);
	for (size_t i = 0; i < ROWS(fields); i++) {
		ck_assert_msg(wire_next(&wire, &got, &err), "%zu: %s", i, err.msg);
		ck_assert_uint_eq(got.number, fields[i].number);
		ck_assert_uint_eq(got.type, fields[i].type);
		ck_assert_uint_eq(got.key_off, fields[i].key_off);
		ck_assert_uint_eq(got.number_value, fields[i].number_value);
		ck_assert_uint_eq(got.bytes.off, fields[i].bytes.off);
		ck_assert_uint_eq(got.bytes.len, fields[i].bytes.len);
	}
	ck_assert(!wire_next(&wire, &got, &err));
	ck_assert_uint_eq(err.code, ERR_NONE);
	file_close(&file);
}
END_TEST

#define BYTES(s) s, sizeof s - 1

static const struct {
	const char *bytes;
	size_t len;
	uint64_t off;
} damaged[] = {
	{ BYTES("\x08"), 1 },                                    /* a key without its number */
	{ BYTES("\x80"), 0 },                                    /* a key that is cut off */
	{ BYTES("\x08\x80\x80"), 1 },                            /* a number that is cut off */
	{ BYTES("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), 1 },    /* 65 bits */
	{ BYTES("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"), 1 },        /* 11 bytes */
	{ BYTES("\x00\x00"), 0 },                                /* field 0 */
	{ BYTES("\x80\x80\x80\x80\x10\x00"), 0 },                /* a field number of 30 bits */
	{ BYTES("\x0e\x00"), 0 },                                /* wire type 6 */
	{ BYTES("\x09\x00\x00\x00"), 1 },                        /* half of a fixed64 */
	{ BYTES("\x0d\x00\x00\x00"), 1 },
	{ BYTES("\x0a\x05" "abc"), 1 },                          /* longer than what is left */
	{ BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 1 },    /* off + len wraps */
	{ BYTES("\x08\x01\x0c"), 2 },                            /* the end of no group */
	{ BYTES("\x0b\x08\x01"), 3 },                            /* a group without an end */
	{ BYTES("\x0b\x14"), 1 },                                /* the end of another group */
};

START_TEST(damage_has_an_offset)
{
	struct err err = {0};
	struct field got;

	open_bytes(damaged[_i].bytes, damaged[_i].len);
	while (wire_next(&wire, &got, &err))
		;
	ck_assert_uint_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, damaged[_i].off);
	file_close(&file);
}
END_TEST

START_TEST(groups_are_passed_over)
{
	struct err err = {0};
	struct field got;

	open_bytes(BYTES("\x0b\x13\x08\x01\x14\x12\x01x\x0c\x18\x07"));
	ck_assert(wire_next(&wire, &got, &err));
	ck_assert_uint_eq(got.number, 3);
	ck_assert_uint_eq(got.number_value, 7);
	ck_assert(!wire_next(&wire, &got, &err));
	ck_assert_uint_eq(err.code, ERR_NONE);
	file_close(&file);
}
END_TEST

START_TEST(deep_groups_are_refused)
{
	struct err err = {0};
	struct str bytes = {0};
	struct field got;

	str_fill(&bytes, '\x0b', 100000);
	open_bytes(bytes.text, bytes.len);
	ck_assert(!wire_next(&wire, &got, &err));
	ck_assert_uint_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, 100);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

/* Every prefix of a good message is a shorter message or an error inside it. */
START_TEST(every_cut_is_found)
{
	struct err err = {0};
	struct field got;

	open_bytes(all_types, (size_t)_i);
	while (wire_next(&wire, &got, &err))
		;
	if (_i == 0 || _i == 3 || _i == 12 || _i == 17 || _i == 22)
		ck_assert_uint_eq(err.code, ERR_NONE);
	else
		ck_assert_uint_eq(err.code, ERR_FORMAT);
	ck_assert_uint_le(err.off, (uint64_t)_i);
	file_close(&file);
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	enum wire_type type;
	size_t n;
	uint64_t value[3];
} repeated[] = {
	{ BYTES("\x08\x05"), WIRE_VARINT, 1, { 5 } },
	{ BYTES("\x0a\x04\x05\x96\x01\x00"), WIRE_VARINT, 3, { 5, 150, 0 } },
	{ BYTES("\x0a\x00"), WIRE_VARINT, 0, { 0 } },
	{ BYTES("\x0d\x01\x00\x00\x80"), WIRE_FIXED32, 1, { 0x80000001 } },
	{ BYTES("\x0a\x08\x01\x00\x00\x00\x02\x00\x00\x00"), WIRE_FIXED32, 2, { 1, 2 } },
	{ BYTES("\x0a\x08\x01\x00\x00\x00\x02\x00\x00\x00"), WIRE_FIXED64, 1, { 0x200000001 } },
};

START_TEST(values_packed_and_single)
{
	struct err err = {0};
	struct field got;
	uint64_t at = 0, value;
	size_t n = 0;

	open_bytes(repeated[_i].bytes, repeated[_i].len);
	ck_assert(wire_next(&wire, &got, &err));
	while (wire_value(&file, &got, repeated[_i].type, &at, &value, &err)) {
		ck_assert_uint_lt(n, repeated[_i].n);
		ck_assert_uint_eq(value, repeated[_i].value[n++]);
	}
	ck_assert_uint_eq(err.code, ERR_NONE);
	ck_assert_uint_eq(n, repeated[_i].n);
	file_close(&file);
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	enum wire_type type;
	uint64_t off;
} bad_values[] = {
	{ BYTES("\x0a\x02\x01\x80"), WIRE_VARINT, 3 },
	{ BYTES("\x0a\x05\x01\x00\x00\x00\x02"), WIRE_FIXED32, 6 },
	{ BYTES("\x08\x05"), WIRE_FIXED32, 0 },
};

START_TEST(bad_values_have_an_offset)
{
	struct err err = {0};
	struct field got;
	uint64_t at = 0, value;

	open_bytes(bad_values[_i].bytes, bad_values[_i].len);
	ck_assert(wire_next(&wire, &got, &err));
	while (wire_value(&file, &got, bad_values[_i].type, &at, &value, &err))
		;
	ck_assert_uint_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, bad_values[_i].off);
	file_close(&file);
}
END_TEST

START_TEST(text_has_a_limit)
{
	struct err err = {0};
	const char *text;

	open_bytes(BYTES("hello"));
	text = wire_text(&file, (struct span){ 1, 4 }, 4, &err);
	ck_assert_ptr_nonnull(text);
	ck_assert_mem_eq(text, "ello", 4);
	ck_assert_ptr_null(wire_text(&file, (struct span){ 0, 5 }, 4, &err));
	ck_assert_uint_eq(err.code, ERR_LIMIT);
	file_close(&file);
}
END_TEST

/* A message whose bytes cross every window there is. */
START_TEST(windows_are_crossed)
{
	struct err err = {0};
	struct str bytes = {0};
	struct field got;
	char text[300];

	memset(text, 'x', sizeof text);
	for (uint32_t i = 0; i < 3000; i++) {
		put_bytes(&bytes, 1, text, i % sizeof text);
		put_number(&bytes, 2, i);
	}
	open_bytes(bytes.text, bytes.len);
	for (uint32_t i = 0; i < 3000; i++) {
		ck_assert(wire_next(&wire, &got, &err));
		ck_assert_uint_eq(got.bytes.len, i % sizeof text);
		ck_assert(wire_next(&wire, &got, &err));
		ck_assert_uint_eq(got.number_value, i);
	}
	ck_assert(!wire_next(&wire, &got, &err));
	ck_assert_uint_eq(err.code, ERR_NONE);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

static const struct {
	uint64_t off;
	size_t len;
	enum err_code code;
} reads[] = {
	{ 0, 10, ERR_NONE }, { 4, 6, ERR_NONE }, { 10, 0, ERR_NONE }, { 9, 2, ERR_FORMAT },
	{ 11, 1, ERR_FORMAT }, { UINT64_MAX, 2, ERR_FORMAT }, { 5, SIZE_MAX, ERR_FORMAT },
};

START_TEST(file_gives_what_it_has)
{
	struct err err = {0};
	const void *at;
	char out[10];

	open_bytes(BYTES("0123456789"));
	at = file_bytes(&file, reads[_i].off, reads[_i].len, &err);
	ck_assert_uint_eq(err.code, reads[_i].code);
	ck_assert_int_eq(!at, reads[_i].code != ERR_NONE);
	if (at) {
		ck_assert_int_eq(memcmp(at, &"0123456789"[reads[_i].off], reads[_i].len), 0);
		ck_assert(file_read(&file, reads[_i].off, reads[_i].len, out, &err));
		ck_assert_int_eq(memcmp(out, &"0123456789"[reads[_i].off], reads[_i].len), 0);
	}
	file_close(&file);
}
END_TEST

START_TEST(no_bytes_are_not_read)
{
	struct str bytes = {0};

	str_fill(&bytes, 'x', 200000);
	open_bytes(bytes.text, bytes.len);
	ck_assert_ptr_nonnull(file_bytes(&file, 150000, 10, NULL));
	ck_assert_ptr_nonnull(file_bytes(&file, 0, 0, NULL));
	ck_assert_uint_eq(file.off, 150000);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

START_TEST(a_file_that_shrinks_is_an_error)
{
	struct err err = {0};
	struct str bytes = {0};
	size_t len;

	str_fill(&bytes, 'x', 200000);
	open_bytes(bytes.text, bytes.len);
	ck_assert_ptr_nonnull(file_bytes(&file, 0, 10, &err));
	ck_assert_int_eq(truncate(file.path, 100), 0);
	ck_assert_ptr_null(file_bytes(&file, 150000, 10, &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	err.code = ERR_NONE;
	ck_assert_ptr_null(file_some(&file, 150000, &len, &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	err.code = ERR_NONE;
	ck_assert(!file_read(&file, 90, 20, bytes.text, &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	file_close(&file);
	str_release(&bytes);
}
END_TEST

static const char *const no_files[] = { "/nonexistent/file", "/", "/dev/null" };

START_TEST(only_regular_files_are_opened)
{
	struct err err = {0};

	ck_assert(!file_open(&file, no_files[_i], &err));
	ck_assert_uint_eq(err.code, ERR_IO);
	ck_assert_int_eq(file.fd, -1);
}
END_TEST


/* Fields of a summary, which are written and read in memory. */
static const uint64_t kept[] = {
	1, 127, 128, 16383, 16384, UINT32_MAX, (uint64_t)1 << 62, (uint64_t)1 << 63, UINT64_MAX,
};

START_TEST(fields_come_back)
{
	struct str bytes = {0};
	struct message_field field;
	struct text at;
	uint64_t number;
	bool is_bad;

	field_put_number(&bytes, 7, kept[_i]);
	field_put_int(&bytes, 8, -(int64_t)(kept[_i] >> 1));
	at = (struct text){ bytes.text, bytes.len };
	ck_assert(message_next(&at, &field, &is_bad));
	ck_assert_uint_eq(field.number, 7);
	ck_assert_uint_eq(field.value, kept[_i]);
	ck_assert_int_eq(message_next(&at, &field, &is_bad), kept[_i] > 1);
	if (kept[_i] > 1)
		ck_assert_uint_eq(field.value, zigzag(-(int64_t)(kept[_i] >> 1)));
	ck_assert_uint_eq(at.len, 0);
	str_reset(&bytes);
	varint_put(&bytes, kept[_i]);
	for (size_t len = 0; len < bytes.len; len++)
		ck_assert(!varint_take(&(struct text){ bytes.text, len }, &number));
	ck_assert(!varint_take(&(struct text){ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\2", 10 },
	                       &number));
	str_release(&bytes);
}
END_TEST

SUITE_MAIN("wire",
	tcase_add_loop_test(t, fields_come_back, 0, ROWS(kept));
	tcase_add_test(t, reads_all_types);
	tcase_add_loop_test(t, damage_has_an_offset, 0, ROWS(damaged));
	tcase_add_test(t, groups_are_passed_over);
	tcase_add_test(t, deep_groups_are_refused);
	tcase_add_loop_test(t, every_cut_is_found, 0, (int)sizeof all_types - 1);
	tcase_add_loop_test(t, values_packed_and_single, 0, ROWS(repeated));
	tcase_add_loop_test(t, bad_values_have_an_offset, 0, ROWS(bad_values));
	tcase_add_test(t, text_has_a_limit);
	tcase_add_test(t, windows_are_crossed);
	tcase_add_loop_test(t, file_gives_what_it_has, 0, ROWS(reads));
	tcase_add_test(t, no_bytes_are_not_read);
	tcase_add_test(t, a_file_that_shrinks_is_an_error);
	tcase_add_loop_test(t, only_regular_files_are_opened, 0, ROWS(no_files));)
