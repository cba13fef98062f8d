/* The reader of large JSON, exact decimal numbers, and unpacking piece by piece. */
#include "tests/suite.h"

#include <string.h>

#include "dump/format/decimal.h"
#include "dump/format/gzip.h"
#include "dump/format/json_pull.h"
#include "tests/message.h"
#include "tests/program.h"

static struct file file;
static struct pull pull;

static void open_bytes(const void *bytes, size_t len)
{
	ck_assert(file_open(&file, file_of(bytes, len), NULL));
	pull_start(&pull, &file);
	pull_keep(&pull);
}

static void open_text(const char *text)
{
	open_bytes(text, strlen(text));
}

static void close_text(void)
{
	pull_release(&pull);
	file_close(&file);
}

static void is(const struct pull_value *value, enum pull_kind kind, const char *text)
{
	struct text bytes = pull_bytes(&pull, value);

	ck_assert_uint_eq(value->kind, kind);
	ck_assert_uint_eq(bytes.len, strlen(text));
	ck_assert(!memcmp(bytes.at, text, bytes.len));
}

START_TEST(values_come_in_order)
{
	struct pull_value value, key, first;

	open_text("\xef\xbb\xbf [1, -2.5e3 ,NaN,\"x\\\"y\", {\"a\" : [[]], \"b\":null}, true]\n");
	ck_assert(pull_value(&pull, &value) && value.kind == PULL_ARRAY);
	ck_assert(pull_more(&pull, ']') && pull_value(&pull, &first));
	is(&first, PULL_NUMBER, "1");
	ck_assert(pull_more(&pull, ']') && pull_value(&pull, &value));
	is(&value, PULL_NUMBER, "-2.5e3");
	ck_assert(pull_more(&pull, ']') && pull_value(&pull, &value));
	is(&value, PULL_NUMBER, "NaN");
	ck_assert(pull_more(&pull, ']') && pull_value(&pull, &value));
	is(&value, PULL_TEXT, "x\\\"y");
	ck_assert(value.coded);
	ck_assert(pull_more(&pull, ']') && pull_value(&pull, &value) && value.kind == PULL_OBJECT);
	ck_assert(pull_more(&pull, '}') && pull_key(&pull, &key) && pull_value(&pull, &value));
	is(&key, PULL_TEXT, "a");
	ck_assert(pull_skip(&pull, &value));
	is(&value, PULL_ARRAY, "[[]]");
	ck_assert(pull_more(&pull, '}') && pull_key(&pull, &key) && pull_value(&pull, &value));
	is(&value, PULL_NULL, "null");
	ck_assert(!pull_more(&pull, '}') && pull_more(&pull, ']') && pull_value(&pull, &value));
	is(&value, PULL_BOOL, "true");
	ck_assert(!pull_more(&pull, ']') && pull_at_end(&pull) && !pull.broken);
	is(&first, PULL_NUMBER, "1");
	close_text();
}
END_TEST

/* Reads all of it; the offset where it breaks off, or -1. */
static long long read_all(const char *text)
{
	struct pull_value value;
	long long off;

	open_text(text);
	if (pull_value(&pull, &value) && pull_skip(&pull, &value))
		pull_at_end(&pull);
	off = pull.broken ? (long long)pull.err.off : -1;
	close_text();
	return off;
}

static const struct { const char *text; long long off; } skipped[] = {
	{ "[1,[2,{\"a\":[3]}],\"]\"]", -1 },
	{ "[\"\\\"]\"]", -1 },
	{ "[1,[2", 5 },
	{ "[\"ab", 4 },
	{ "[\"ab\\", 5 },
	{ "[{]}", 2 },
	{ "{\"a\":[}", 6 },
	{ "", 0 },
	{ "  ?", 2 },
};

START_TEST(skipping_finds_the_end)
{
	ck_assert_int_eq(read_all(skipped[_i].text), skipped[_i].off);
}
END_TEST

/* As an array of objects, value by value. */
static long long walk(const char *text)
{
	struct pull_value value, key;
	long long off;

	open_text(text);
	if (pull_value(&pull, &value) && value.kind == PULL_ARRAY)
		while (pull_more(&pull, ']') && pull_value(&pull, &value))
			while (value.kind == PULL_OBJECT && pull_more(&pull, '}')
			       && pull_key(&pull, &key) && pull_value(&pull, &value)) {
				if (!pull_skip(&pull, &value))
					break;
				value.kind = PULL_OBJECT;
			}
	off = pull.broken ? (long long)pull.err.off : -1;
	close_text();
	return off;
}

static const struct { const char *text; long long off; } walked[] = {
	{ "[{\"a\":1,\"b\":2},{},]", -1 },
	{ "[{\"a\":1,}]", -1 },
	{ "[{\"a\":1 \"b\":2}]", 8 },
	{ "[{\"a\":1}{}]", 8 },
	{ "[{a\":1}]", 2 },
	{ "[{\"a\" 1}]", 6 },
	{ "[{\"a\":}]", 6 },
	{ "[{\"a\":1,", 8 },
};

START_TEST(damage_has_an_offset)
{
	ck_assert_int_eq(walk(walked[_i].text), walked[_i].off);
}
END_TEST

START_TEST(depth_costs_nothing)
{
	struct str text = {0};

	str_fill(&text, '[', 1000000);
	str_fill(&text, ']', 1000000);
	ck_assert_int_eq(read_all(text.text), -1);
	str_cut(&text, 1999999);
	ck_assert_int_eq(read_all(text.text), 1999999);
	str_reset(&text);
	str_fill(&text, '[', 64);        /* the deepest that have to match, and others in them */
	str_puts(&text, "{}");
	str_fill(&text, ']', 64);
	ck_assert_int_eq(read_all(text.text), -1);
	str_release(&text);
}
END_TEST

/* Larger than any window: what is kept stays, and what is dropped takes no room. */
START_TEST(values_of_any_size_are_read)
{
	struct pull_value first, value;
	struct str text = {0};

	str_puts(&text, "[\"first\",\"");
	str_fill(&text, 'x', 3000000);
	str_puts(&text, "\"]");
	open_text(text.text);
	ck_assert(pull_value(&pull, &value) && pull_more(&pull, ']'));
	ck_assert(pull_value(&pull, &first) && pull_more(&pull, ']') && pull_value(&pull, &value));
	is(&first, PULL_TEXT, "first");
	ck_assert_uint_eq(value.len, 3000000);
	ck_assert_int_eq(pull_bytes(&pull, &value).at[2999999], 'x');
	close_text();
	open_text(text.text);
	pull_drop(&pull);
	ck_assert(pull_value(&pull, &value) && pull_skip(&pull, &value) && pull_at_end(&pull));
	ck_assert_uint_le(pull.cap, 1000000);
	close_text();
	str_release(&text);
}
END_TEST

#define TEXT(literal) literal, sizeof literal - 1

static const struct { const char *json; size_t len; const char *text; } texts[] = {
	{ TEXT("plain"), "plain" },
	{ TEXT("\\\"\\\\\\/\\b\\f\\n\\r\\t"), "\"\\/\b\f\n\r\t" },
	{ TEXT("\\u0041\\u00e9\\u20ac\\uD83d\\uDE00"), "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ TEXT("\\ud800\\udc00\\udbff\\udfff"), "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf" },
	{ TEXT("a\\u0000b"), "a\xc0\x80" "b" },
	{ TEXT("a\0b"), "a\xc0\x80" "b" },
	{ TEXT("lone\\ud800 \\udc00"), "lone\xef\xbf\xbd \xef\xbf\xbd" },
	{ TEXT("\\ud800\\u0041"), "\xef\xbf\xbd" "A" },
	{ TEXT("\xff tab\t\x01"), "\xef\xbf\xbd tab\t\x01" },
	{ TEXT("\\uZZ"), "\xef\xbf\xbdZZ" },
	{ TEXT("\\q\\"), "q" },
};

START_TEST(texts_are_decoded)
{
	struct str out = {0}, again = {0};

	pull_decode(texts[_i].json, texts[_i].len, true, &out);
	ck_assert_str_eq(str_text(&out), texts[_i].text);
	pull_decode(str_text(&out), out.len, false, &again);
	ck_assert_str_eq(str_text(&again), texts[_i].text);
	str_release(&out);
	str_release(&again);
}
END_TEST

/* Numbers. */

static const struct { const char *text; int power; int64_t value; } decimals[] = {
	{ "0", 3, 0 }, { "1", 3, 1000 }, { "-1", 3, -1000 }, { "1.5", 0, 2 }, { "-1.5", 0, -1 },
	{ "-1.51", 0, -2 }, { "-1.50001", 0, -2 }, { "1.4999999999999999999999", 0, 1 },
	{ "1712195495502094.565", 3, INT64_C(1712195495502094565) },
	{ "1700000000000015.25", 3, INT64_C(1700000000000015250) },
	{ "46.972000000000001", 3, 46972 }, { "1.0005", 3, 1001 }, { "1.00049", 3, 1000 },
	{ "9.150000e+01", 3, 91500 }, { "1E2", 0, 100 }, { "1e-400", 3, 0 }, { "0e999999", 3, 0 },
	{ "12345e-2", 0, 123 }, { " 7.25 ", 2, 725 }, { "+3", 0, 3 }, { ".5", 0, 1 },
	{ "5.", 0, 5 },
	{ "0.0005", 3, 1 }, { "9000000000000000000", 0, INT64_C(9000000000000000000) },
	{ "00000000000000000000000000012", 0, 12 },
};

START_TEST(decimals_are_exact)
{
	int64_t value = -7;

	ck_assert(decimal_scaled(decimals[_i].text, strlen(decimals[_i].text), decimals[_i].power,
	                         &value));
	ck_assert_int_eq(value, decimals[_i].value);
}
END_TEST

static const char *const no_decimals[] = {
	"", " ", "-", ".", "1e", "1e+", "1x", "NaN", "Infinity", "-Infinity", "soon", "1.2.3",
	"0x10",
	"1e300", "9000000000000000001", "123456789012345678901234567890", "1e999999999999999999999",
};

START_TEST(other_texts_are_no_decimals)
{
	int64_t value;

	ck_assert(!decimal_scaled(no_decimals[_i], strlen(no_decimals[_i]), 0, &value));
}
END_TEST

START_TEST(whole_numbers_are_as_written_back)
{
	static const char *const no[] = { "", "-", "01", "+1", "1.0", "1e3", "-0", "1 ",
	                                  "9223372036854775808", "18446744073709551615" };
	int64_t value;

	ck_assert(decimal_is_whole("-12", 3, &value) && value == -12);
	ck_assert(decimal_is_whole("0", 1, &value) && value == 0);
	ck_assert(decimal_is_whole("9223372036854775807", 19, &value) && value == INT64_MAX);
	for (int i = 0; i < ROWS(no); i++)
		ck_assert_msg(!decimal_is_whole(no[i], strlen(no[i]), &value), "%s", no[i]);
}
END_TEST

/* Packed files. */

static void pack(const char *text, size_t len, struct str *out)
{
	char *dir = scratch_new();
	struct str path = {0};

	str_fmt(&path, "%s/packed.gz", dir);
	ck_assert(gzip_write(path.text, text, len, NULL));
	str_reset(out);
	ck_assert(read_whole(path.text, out));
	str_release(&path);
	scratch_remove(dir);
}

/* Reads an array of numbers that may be packed; returns how many there are. */
static size_t count(const struct str *bytes)
{
	struct pull_value value;
	size_t n = 0;

	open_bytes(bytes->text, bytes->len);
	if (pull_value(&pull, &value))
		while (pull_more(&pull, ']') && pull_value(&pull, &value))
			n++;
	pull_at_end(&pull);
	return n;
}

START_TEST(packed_files_are_read)
{
	struct str text = {0}, packed = {0}, two = {0};

	str_puts(&text, "[0");
	for (int i = 1; i < 5000; i++)
		str_fmt(&text, ",%d", i * 7);
	str_puts(&text, "]");
	pack(text.text, 1000, &packed);
	str_put(&two, packed.text, packed.len);
	pack(text.text + 1000, text.len - 1000, &packed);
	str_put(&two, packed.text, packed.len);
	ck_assert_uint_eq(count(&two), 5000);
	ck_assert(!pull.broken && !pull.packed.code);
	close_text();
	pack(text.text, text.len, &packed);
	packed.text[packed.len - 6] ^= 1;
	ck_assert_uint_eq(count(&packed), 5000);
	ck_assert(!pull.broken && pull.packed.code);
	close_text();
	str_cut(&packed, packed.len / 2);
	ck_assert_uint_gt(count(&packed), 100);
	ck_assert(pull.broken && pull.packed.code);
	ck_assert_str_eq(pull.err.msg, "the compressed file is cut");
	close_text();
	str_release(&text);
	str_release(&packed);
	str_release(&two);
}
END_TEST

/* Zeros, of which a byte of the packed file makes more than a thousand. */
START_TEST(what_grows_beyond_reason_ends)
{
	size_t len = (size_t)80 << 20, n, all = 0;
	char *zeros = calloc(len, 1), *chunk = malloc(1 << 20);
	struct str packed = {0};
	struct gunzip *gunzip;
	struct err err = {0};
	struct file bomb;

	pack(zeros, len, &packed);
	ck_assert(file_open(&bomb, file_of(packed.text, packed.len), &err));
	gunzip = gunzip_new(&bomb);
	while ((n = gunzip_read(gunzip, chunk, 1 << 20, &err)))
		all += n;
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_uint_ge(all, (size_t)64 << 20);
	ck_assert_uint_lt(all, (size_t)66 << 20);
	gunzip_free(gunzip);
	file_close(&bomb);
	str_release(&packed);
	free(zeros);
	free(chunk);
}
END_TEST

SUITE_MAIN("json_pull",
	tcase_add_test(t, values_come_in_order);
	tcase_add_loop_test(t, skipping_finds_the_end, 0, ROWS(skipped));
	tcase_add_loop_test(t, damage_has_an_offset, 0, ROWS(walked));
	tcase_add_test(t, depth_costs_nothing);
	tcase_add_test(t, values_of_any_size_are_read);
	tcase_add_loop_test(t, texts_are_decoded, 0, ROWS(texts));
	tcase_add_loop_test(t, decimals_are_exact, 0, ROWS(decimals));
	tcase_add_loop_test(t, other_texts_are_no_decimals, 0, ROWS(no_decimals));
	tcase_add_test(t, whole_numbers_are_as_written_back);
	tcase_add_test(t, packed_files_are_read);
	tcase_add_test(t, what_grows_beyond_reason_ends);)
