/* Typed answers as JSON and as CSV. */
#include "cmds/doc/data.h"

#include <math.h>
#include <string.h>

#include "tests/suite.h"

static char *text;
static size_t len;
static FILE *file;
static struct data data;

static void start(enum data_format format)
{
	file = open_memstream(&text, &len);
	data_open(&data, format, file);
}

static void expect(const char *wanted)
{
	ck_assert(data_finish(&data));
	fclose(file);
	ck_assert_str_eq(text, wanted);
	free(text);
}

static void put_row(const char *name, double value)
{
	data_object(&data);
	data_key(&data, "name");
	data_str(&data, name);
	data_key(&data, "value");
	data_float(&data, value, 64);
	data_key(&data, "shape");
	data_list(&data);
	data_int(&data, 2);
	data_int(&data, -1);
	data_end(&data);
	data_end(&data);
}

static void put_rows(void)
{
	data_list(&data);
	put_row("a,\"b\"", NAN);
	put_row(NULL, 1e-5);
	data_end(&data);
}

START_TEST(json_nests)
{
	start(DATA_JSON);
	data_object(&data);
	data_key(&data, "ok");
	data_bool(&data, true);
	data_key(&data, "rows");
	put_rows();
	data_end(&data);
	expect("{\"ok\":true,\"rows\":[{\"name\":\"a,\\\"b\\\"\",\"value\":\"NaN\",\"shape\":[2,"
	       "-1]},"
	       "{\"name\":null,\"value\":1e-05,\"shape\":[2,-1]}]}\n");
}
END_TEST

START_TEST(csv_is_a_table_with_json_in_its_cells)
{
	start(DATA_CSV);
	put_rows();
	expect("name,value,shape\n\"a,\"\"b\"\"\",NaN,\"[2,-1]\"\n,1e-05,\"[2,-1]\"\n");
}
END_TEST

START_TEST(csv_of_one_object_is_one_row)
{
	start(DATA_CSV);
	put_row("x", -INFINITY);
	expect("name,value,shape\nx,-Infinity,\"[2,-1]\"\n");
}
END_TEST

START_TEST(what_is_below_0_is_null)
{
	start(DATA_JSON);
	data_list(&data);
	data_int_or_null(&data, 0);
	data_int_or_null(&data, -1);
	data_end(&data);
	expect("[0,null]\n");
}
END_TEST

/* What ends a row, parts cells or quotes is quoted; nothing else is. */
static const struct { const char *text, *cell; } cells[] = {
	{ "a b", "a b" }, { "a,b", "\"a,b\"" }, { "a\"b", "\"a\"\"b\"" }, { "a\nb", "\"a\nb\"" },
	{ "a\rb", "a^Mb" }, { "a;b'", "a;b'" }, { "", "" },
};

START_TEST(csv_quotes_what_it_must)
{
	struct str wanted = {0};

	start(DATA_CSV);
	put_row(cells[_i].text, 1);
	str_fmt(&wanted, "name,value,shape\n%s,1.0,\"[2,-1]\"\n", cells[_i].cell);
	expect(str_text(&wanted));
	str_release(&wanted);
}
END_TEST

START_TEST(csv_has_its_heading_without_a_row)
{
	start(DATA_CSV);
	data_rows(&data, "name,value,shape");
	data_end(&data);
	expect("name,value,shape\n");
	start(DATA_CSV);
	data_rows(&data, "name,value,shape");
	put_row("x", 1);
	put_row("y", 2);
	data_end(&data);
	expect("name,value,shape\nx,1.0,\"[2,-1]\"\ny,2.0,\"[2,-1]\"\n");
	start(DATA_JSON);
	data_rows(&data, "name,value,shape");
	data_end(&data);
	expect("[]\n");
}
END_TEST

START_TEST(csv_of_lists_has_no_heading)
{
	static const struct dtype_info *type;
	float z[] = { 1, INFINITY };

	type = dtype_info(DTYPE_COMPLEX64);
	start(DATA_CSV);
	data_list(&data);
	for (int i = 0; i < 2; i++) {
		data_list(&data);
		data_int(&data, i);
		data_elem(&data, type, z);
		data_end(&data);
	}
	data_end(&data);
	expect("0,\"[1.0,\"\"Infinity\"\"]\"\n1,\"[1.0,\"\"Infinity\"\"]\"\n");
}
END_TEST

static const struct { const char *text; size_t len; const char *json; } texts[] = {
	{ "tab\there\n", 9, "\"tab\\there\\n\"\n" },
	{ "esc\033[0m", 7, "\"esc\\u001b[0m\"\n" },
	{ "\xff\xc3\xa9", 3, "\"\\udcff\xc3\xa9\"\n" },
	{ "nul\0!", 5, "\"nul\\u0000!\"\n" },
};

START_TEST(text_stays_json)
{
	start(DATA_JSON);
	data_text(&data, texts[_i].text, texts[_i].len);
	expect(texts[_i].json);
}
END_TEST

START_TEST(integers_are_exact)
{
	uint64_t most = UINT64_MAX;

	start(DATA_JSON);
	data_list(&data);
	data_int(&data, INT64_MIN);
	data_elem(&data, dtype_info(DTYPE_UINT64), &most);
	data_end(&data);
	expect("[-9223372036854775808,18446744073709551615]\n");
}
END_TEST

SUITE_MAIN("data",
	tcase_add_test(t, what_is_below_0_is_null);
	tcase_add_test(t, json_nests);
	tcase_add_test(t, csv_is_a_table_with_json_in_its_cells);
	tcase_add_test(t, csv_of_one_object_is_one_row);
	tcase_add_loop_test(t, csv_quotes_what_it_must, 0, ROWS(cells));
	tcase_add_test(t, csv_has_its_heading_without_a_row);
	tcase_add_test(t, csv_of_lists_has_no_heading);
	tcase_add_loop_test(t, text_stays_json, 0, ROWS(texts));
	tcase_add_test(t, integers_are_exact);
)
