#include "tests/suite.h"

#include <string.h>

#include "dump/format/json.h"
#include "tests/message.h"

static struct file file;
static struct json json;
static struct err err;

static void open_text(const char *text, size_t len)
{
	err = (struct err){0};
	ck_assert(file_open(&file, file_of(text, len), NULL));
	json_start(&json, &file, &err);
}

static void close_text(void)
{
	json_release(&json);
	file_close(&file);
}

START_TEST(values_come_in_order)
{
	static const char text[] = " {\"a\" : [1, -20 ,\"x\"] ,\r\n"
	                           "\t\"b\":{}, \"c\":null,\"d\":[[],{\"e\":true}] } \n";
	int64_t value = 0;

	open_text(text, sizeof text - 1);
	ck_assert(json_object(&json));
	ck_assert(json_more(&json));
	ck_assert_str_eq(json.key.text, "a");
	ck_assert(json_array(&json));
	ck_assert(json_more(&json) && !json_null(&json) && json_whole(&json, &value));
	ck_assert_int_eq(value, 1);
	ck_assert(json_more(&json) && json_whole(&json, &value));
	ck_assert_int_eq(value, -20);
	ck_assert(json_more(&json) && json_string(&json));
	ck_assert_str_eq(json.text.text, "x");
	ck_assert(!json_more(&json));
	ck_assert(json_more(&json) && json_object(&json) && !json_more(&json));
	ck_assert_str_eq(json.key.text, "b");
	ck_assert(json_more(&json) && json_null(&json));
	ck_assert(json_more(&json) && json_skip(&json));
	ck_assert_str_eq(json.key.text, "e");
	ck_assert(!json_more(&json));
	ck_assert_msg(json_end(&json), "%s at %lu", err.msg, (unsigned long)err.off);
	close_text();
}
END_TEST

#define TEXT(literal) literal, sizeof literal - 1

static const struct { const char *json; size_t json_len; const char *text; size_t len; } texts[] = {
	{ TEXT("\"\""), TEXT("") },
	{ TEXT("\"plain and long enough to cross a window\""),
	  TEXT("plain and long enough to cross a window") },
	{ TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), TEXT("\"\\/\b\f\n\r\t") },
	{ TEXT("\"\\u0041\\u00e9\\u20ac\\uD83d\\uDE00\""),
	  TEXT("A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") },
	{ TEXT("\"a\\u0000b\""), TEXT("a\0b") },
	{ TEXT("\"\\udc80.py\\udcff\""), TEXT("\x80.py\xff") },
	{ TEXT("\"\xc3\xa9\xff\x7f\""), TEXT("\xc3\xa9\xff\x7f") },
};

START_TEST(texts_are_decoded)
{
	open_text(texts[_i].json, texts[_i].json_len);
	ck_assert_msg(json_string(&json), "%s", err.msg);
	ck_assert_uint_eq(json.text.len, texts[_i].len);
	ck_assert_mem_eq(str_text(&json.text), texts[_i].text, texts[_i].len);
	ck_assert(json_end(&json));
	close_text();
}
END_TEST

static const struct { const char *json; int64_t value; } wholes[] = {
	{ "0", 0 }, { "-0", 0 }, { "7", 7 }, { "9223372036854775807", INT64_MAX },
	{ "-9223372036854775808", INT64_MIN },
	{ "999999999999999999", INT64_C(999999999999999999) },
	{ "1000000000000000000", INT64_C(1000000000000000000) },
};

/* As the first of several, with a blank before it and a comma behind. */
static void open_listed(const char *number)
{
	struct str text = {0};

	str_fmt(&text, "[ %s,true]", number);
	open_text(text.text, text.len);
	str_release(&text);
	ck_assert(json_array(&json) && json_more(&json));
}

START_TEST(whole_numbers_are_read_in_lists)
{
	int64_t value = 99;

	open_listed(wholes[_i].json);
	ck_assert_msg(json_whole(&json, &value), "%s", err.msg);
	ck_assert_int_eq(value, wholes[_i].value);
	ck_assert(json_more(&json) && json_skip(&json));
	ck_assert(!json_more(&json) && json_end(&json));
	close_text();
}
END_TEST

START_TEST(whole_numbers_are_read)
{
	int64_t value = 99;

	open_text(wholes[_i].json, strlen(wholes[_i].json));
	ck_assert_msg(json_whole(&json, &value), "%s", err.msg);
	ck_assert_int_eq(value, wholes[_i].value);
	close_text();
}
END_TEST

static const char *const no_wholes[] = {
	"1.5", "1e3", "9223372036854775808", "-9223372036854775809", "99999999999999999999999", "",
	"-", "01", "+1", "x", "\"1\"", "null",
};

START_TEST(other_numbers_are_no_whole_ones)
{
	int64_t value = 99;

	open_text(no_wholes[_i], strlen(no_wholes[_i]));
	ck_assert(!json_whole(&json, &value));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, 0);
	ck_assert_int_eq(value, 99);
	close_text();
}
END_TEST

START_TEST(other_numbers_in_lists_are_no_whole_ones)
{
	int64_t value = 99;

	open_listed(no_wholes[_i]);
	ck_assert(!json_whole(&json, &value));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_uint_eq(err.off, 2);
	ck_assert_int_eq(value, 99);
	close_text();
}
END_TEST

/* What needs a second look, behind so many letters that do not. */
START_TEST(texts_are_cut_where_they_end)
{
	static const struct { const char *json; size_t more; const char *what; } ends[] = {
		{ "\"", 0, NULL }, { "\\n\"", 1, NULL }, { "\x7f\xc3\xa9\"", 3, NULL },
		{ "\x1f\"", 0, "an escape for a control character expected" },
		{ "", 0, "the end of a text expected" },
	};
	size_t letters = 1 + (size_t)_i;
	struct str text = {0};

	for (size_t i = 0; i < ROWS(ends); i++) {
		str_reset(&text);
		str_putc(&text, '"');
		str_fill(&text, 'a', letters);
		str_puts(&text, ends[i].json);
		open_text(text.text, text.len);
		ck_assert_int_eq(json_string(&json), !ends[i].what);
		if (ends[i].what) {
			ck_assert_str_eq(err.msg, ends[i].what);
			ck_assert_uint_eq(err.off, 1 + letters);
		} else {
			ck_assert_uint_eq(json.text.len, letters + ends[i].more);
			ck_assert(json_end(&json));
		}
		close_text();
	}
	str_release(&text);
}
END_TEST

static const struct { const char *json; size_t len; uint64_t off; } bad[] = {
	{ TEXT(""), 0 }, { TEXT("  "), 2 }, { TEXT("]"), 0 }, { TEXT("tru"), 0 },
	{ TEXT("truee"), 0 }, { TEXT("nul"), 0 }, { TEXT("NaN"), 0 }, { TEXT("Infinity"), 0 },
	{ TEXT("'a'"), 0 }, { TEXT("[1,]"), 3 }, { TEXT("[,1]"), 1 }, { TEXT("[1 2]"), 3 },
	{ TEXT("[1"), 2 }, { TEXT("[1}"), 2 }, { TEXT("{\"a\"}"), 4 },
	{ TEXT("{\"a\":}"), 5 }, { TEXT("{\"a\":1,}"), 7 }, { TEXT("{a:1}"), 1 },
	{ TEXT("{\"a\":1 \"b\":2}"), 7 }, { TEXT("[1]]"), 3 }, { TEXT("1 x"), 2 },
	{ TEXT("[1.]"), 1 }, { TEXT("[.5]"), 1 }, { TEXT("[1e]"), 1 },
	{ TEXT("[-]"), 1 }, { TEXT("[00]"), 1 }, { TEXT("\"a"), 2 }, { TEXT("\"a\nb\""), 2 },
	{ TEXT("\"a\0b\""), 2 }, { TEXT("\"\\x41\""), 2 }, { TEXT("\"\\u12g4\""), 5 },
	{ TEXT("\"\\u12\""), 5 }, { TEXT("\"\\ud83d\""), 3 },
	{ TEXT("\"\\ud83d\\n\""), 3 }, { TEXT("\"\\ud83d\\u0041\""), 3 },
	{ TEXT("\"\\ude00\""), 3 },
	{ TEXT("/**/1"), 0 }, { TEXT("\xef\xbb\xbf""1"), 0 },
};

START_TEST(damage_has_an_offset)
{
	open_text(bad[_i].json, bad[_i].len);
	ck_assert_msg(!(json_skip(&json) && json_end(&json)), "taken");
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_msg(err.off == bad[_i].off, "offset %lu: %s", (unsigned long)err.off, err.msg);
	ck_assert(!json_skip(&json) && !json_string(&json) && !json_object(&json) &&
	          !json_end(&json));
	ck_assert_uint_eq(err.off, bad[_i].off);
	close_text();
}
END_TEST

static const char whole[] = "{\"a\":[1,-2.5e+3,true,false,null,\"\\u20ac\\ud83d\\ude00\"],"
                            "\"b\":{\"c\":[[],{}]}}";

START_TEST(every_cut_is_found)
{
	open_text(whole, (size_t)_i);
	ck_assert(!json_skip(&json));
	ck_assert_int_eq(err.code, ERR_FORMAT);
	ck_assert_uint_le(err.off, (uint64_t)_i);
	close_text();
}
END_TEST

START_TEST(depth_is_bounded)
{
	struct str text = {0};

	str_fill(&text, '[', JSON_MAX_DEPTH);
	str_fill(&text, ']', JSON_MAX_DEPTH);
	open_text(text.text, text.len);
	ck_assert(json_skip(&json) && json_end(&json));
	close_text();
	str_reset(&text);
	str_fill(&text, '[', 100000);
	open_text(text.text, text.len);
	ck_assert(!json_skip(&json));
	ck_assert_uint_eq(err.off, JSON_MAX_DEPTH);
	close_text();
	str_release(&text);
}
END_TEST

START_TEST(refusing_points_at_the_value)
{
	int64_t value;

	open_text(TEXT("[ 5,  6]"));
	ck_assert(json_array(&json) && json_more(&json) && json_whole(&json, &value));
	ck_assert(json_more(&json) && json_whole(&json, &value));
	ck_assert(!json_refuse(&json, "not %d", 6));
	ck_assert_uint_eq(err.off, 6);
	ck_assert_str_eq(err.msg, "not 6");
	ck_assert(!json_more(&json));
	close_text();
}
END_TEST


SUITE_MAIN("json",
	tcase_add_test(t, values_come_in_order);
	tcase_add_loop_test(t, texts_are_decoded, 0, ROWS(texts));
	tcase_add_loop_test(t, whole_numbers_are_read, 0, ROWS(wholes));
	tcase_add_loop_test(t, other_numbers_are_no_whole_ones, 0, ROWS(no_wholes));
	tcase_add_loop_test(t, whole_numbers_are_read_in_lists, 0, ROWS(wholes));
	tcase_add_loop_test(t, other_numbers_in_lists_are_no_whole_ones, 0, ROWS(no_wholes));
	tcase_add_loop_test(t, texts_are_cut_where_they_end, 0, 40);
	tcase_add_loop_test(t, damage_has_an_offset, 0, ROWS(bad));
	tcase_add_loop_test(t, every_cut_is_found, 0, (int)sizeof whole - 1);
	tcase_add_test(t, depth_is_bounded);
	tcase_add_test(t, refusing_points_at_the_value);)
