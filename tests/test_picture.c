/* Surveys and pictures of elements in memory, by values worked out by hand; then the command. */
#include "cmds/array/picture.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/small_dump.h"
#include "tests/suite.h"

#define ABOUT(a, b) \
	ck_assert_msg(fabs((a) - (b)) <= 1e-9 * fabs(b), "%g is not %g", (double)(a), (double)(b))

static const float ramp[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static const float odd[] = {
	0, NAN, 1, INFINITY, -INFINITY, -INFINITY, NAN, INFINITY, 2, -4, 0, 3
};
static const double far[] = { -DBL_MAX, DBL_MAX, 0, DBL_MAX };
static const int8_t bytes[] = { -128, 0, 127, 5 };
static const uint64_t large[] = { UINT64_MAX, 1 };
static const unsigned char bools[] = { 1, 0, 1, 1 };
static const float complexes[] = { 3, 4, 0, 0, NAN, 1, 0, INFINITY };
/* bfloat16: 1, -2, inf, nan. */
static const uint16_t brains[] = { 0x3f80, 0xc000, 0x7f80, 0x7fc0 };

static struct value *value_of(enum dtype dtype, uint32_t rows, uint32_t columns, const void *elems,
                              struct view *view)
{
	struct shape shape = { 2, { rows, columns } };
	size_t bytes_each = dtype_info(dtype)->elem_bytes;
	struct value *value = value_of_memory(dtype, &shape, elems, rows * columns * bytes_each);

	ck_assert_ptr_nonnull(value);
	view_all(view, value);
	return value;
}

static const struct {
	enum dtype dtype;
	uint32_t n;
	const void *elems;
	struct survey is;        /* counts and moments; min and max below */
	double min, max;
} surveys[] = {
	{ DTYPE_FLOAT32,
	  12,
	  odd,
	  { .total = 12,
	    .n_nan = 2,
	    .n_neg_inf = 2,
	    .n_neg = 1,
	    .n_zero = 2,
	    .n_pos = 3,
	    .n_pos_inf = 2,
	    .n_finite = 6,
	    .ordered = true,
	    .mean = 1 / 3.0,
	    .std = 2.2110831935702664 },
	  -4,
	  3 },
	{ DTYPE_INT8,
	  4,
	  bytes,
	  { .total = 4,
	    .n_neg = 1,
	    .n_zero = 1,
	    .n_pos = 2,
	    .n_finite = 4,
	    .ordered = true,
	    .mean = 1,
	    .std = 90.185919078313 },
	  -128,
	  127 },
	{ DTYPE_UINT64,
	  2,
	  large,
	  { .total = 2,
	    .n_pos = 2,
	    .n_finite = 2,
	    .ordered = true,
	    .mean = 0x1p63,
	    .std = 0x1p63 },
	  1,
	  0x1p64 },
	{ DTYPE_BOOL, 4, bools, { .total = 4, .n_zero = 1, .n_pos = 3, .n_finite = 4 }, 0, 0 },
	{ DTYPE_COMPLEX64,
	  4,
	  complexes,
	  { .total = 4, .n_nan = 1, .n_pos_inf = 1, .n_zero = 1, .n_finite = 2 },
	  0,
	  0 },
	{ DTYPE_BFLOAT16,
	  4,
	  brains,
	  { .total = 4,
	    .n_nan = 1,
	    .n_pos_inf = 1,
	    .n_neg = 1,
	    .n_pos = 1,
	    .n_finite = 2,
	    .ordered = true,
	    .mean = -0.5,
	    .std = 1.5 },
	  -2,
	  1 },
	{ DTYPE_QINT8,
	  4,
	  bytes,
	  { .total = 4,
	    .n_neg = 1,
	    .n_zero = 1,
	    .n_pos = 2,
	    .n_finite = 4,
	    .ordered = true,
	    .mean = 1,
	    .std = 90.185919078313 },
	  -128,
	  127 },
};

START_TEST(survey_counts_every_type)
{
	const struct survey *is = &surveys[_i].is;
	struct survey survey;
	struct view view;
	struct value *value = value_of(surveys[_i].dtype, 1, surveys[_i].n, surveys[_i].elems,
	                               &view);
	struct err err = {0};

	ck_assert_msg(survey_of(&view, &survey, NULL, &err), "%s", err.msg);
	ck_assert_uint_eq(survey.total, is->total);
	ck_assert_uint_eq(survey.n_nan, is->n_nan);
	ck_assert_uint_eq(survey.n_neg_inf, is->n_neg_inf);
	ck_assert_uint_eq(survey.n_zero, is->n_zero);
	ck_assert_uint_eq(survey.n_pos_inf, is->n_pos_inf);
	ck_assert_uint_eq(survey.n_finite, is->n_finite);
	ck_assert_int_eq(survey.ordered, is->ordered);
	if (is->ordered) {
		ck_assert_uint_eq(survey.n_neg, is->n_neg);
		ck_assert_uint_eq(survey.n_pos, is->n_pos);
		ABOUT(number_of(value->type, survey.min), surveys[_i].min);
		ABOUT(number_of(value->type, survey.max), surveys[_i].max);
		ck_assert(fabs(survey.mean - is->mean) <= 1e-6 * fabs(is->mean));
		ck_assert(fabs(survey.std - is->std) <= 1e-6 * is->std);
	}
	value_close(value);
}
END_TEST

/* What is drawn, and the legend below it after "|\n". */
static void draw(enum dtype dtype, uint32_t rows, uint32_t columns, const void *elems,
                 const struct picture_style *style, struct str *out)
{
	struct view view;
	struct value *value = value_of(dtype, rows, columns, elems, &view);
	struct doc *doc = doc_new();
	struct line line = {0};
	struct survey survey;
	struct body *body;

	ck_assert(survey_of(&view, &survey, NULL, NULL));
	body = picture_body(&view, &survey, style, NULL, NULL);
	ck_assert_ptr_nonnull(body);
	doc_body(doc, body);
	picture_put_legend(body, doc);
	for (uint64_t row = 0; row < doc_rows(doc); row++) {
		if (row == body->kind->rows(body))
			str_puts(out, "|\n");
		doc_line(doc, row, 0, &line);
		str_put(out, str_text(&line.text), line.text.len);
		str_putc(out, '\n');
	}
	line_release(&line);
	doc_free(doc);
	value_close(value);
}

static const struct {
	enum dtype dtype;
	uint32_t rows, columns;
	const void *elems;
	struct picture_style style;
	const char *shows;
} pictures[] = {
	/* A cell an element: glyph k of 10 begins at 1.1 k. */
	{ DTYPE_FLOAT32,
	  2,
	  6,
	  ramp,
	  { .kind = PICTURE_HEAT, .width = 78 },
	  "  .:-=\n+*#%@@\n|\nrows 0-1, cols 0-5, a cell is an element\n"
	  "' '<1.1 '.'<2.2 ':'<3.3 '-'<4.4 '='<5.5 '+'<6.6 '*'<7.7 '#'<8.8 '%'<9.9 '@'<=11\n" },
	/* Means 0.5, 2.5, 4.5; 6.5, 8.5, 10.5. */
	{ DTYPE_FLOAT32,
	  2,
	  6,
	  ramp,
	  { .kind = PICTURE_HEAT, .width = 3, .blocks = true },
	  " \u2591\u2592\n\u2592\u2593\u2588\n|\n"
	  "rows 0-1, cols 0-5, a cell is 1 row x 2 columns, their mean\n"
	  "' '<2.2 '\u2591'<4.4 '\u2592'<6.6 '\u2593'<8.8 '\u2588'<=11\n" },
	/* Bad elements cover their cells, NaN first. */
	{ DTYPE_FLOAT32,
	  2,
	  6,
	  odd,
	  { .kind = PICTURE_HEAT, .width = 3 },
	  "N^v\nN=#\n|\nrows 0-1, cols 0-5, a cell is 1 row x 2 columns, their mean\n"
	  "' '<-3.3 '.'<-2.6 ':'<-1.9 '-'<-1.2 '='<-0.5 '+'<0.2 '*'<0.9 '#'<1.6 '%'<2.3 '@'<=3\n"
	  "N 2 of 6 cells hold NaN\n^ 1 of 6 cells hold +inf\nv 1 of 6 cells hold -inf\n" },
	{ DTYPE_FLOAT32,
	  1,
	  12,
	  ramp,
	  { .kind = PICTURE_SPARK, .width = 6 },
	  " :-+*#\n|\nelements 0-11, a cell is 2 elements, their max abs\n"
	  "' '<1.375 '.'<2.75 ':'<4.125 '-'<5.5 '='<6.875 '+'<8.25 '*'<9.625 '#'<=11\n" },
	{ DTYPE_FLOAT64,
	  1,
	  4,
	  far,
	  { .kind = PICTURE_SPARK, .width = 4, .blocks = true },
	  "\u2588\u2588\u2581\u2588\n|\nelements 0-3, a cell is an element, its max abs\n"
	  "'\u2581'<2.247e307 '\u2582'<4.494e307 '\u2583'<6.741e307 '\u2584'<8.988e307 "
	  "'\u2585'<1.124e308 "
	  "'\u2586'<1.348e308 '\u2587'<1.573e308 '\u2588'<=1.798e308\n" },
	{ DTYPE_FLOAT64,
	  2,
	  2,
	  far,
	  { .kind = PICTURE_HEAT, .width = 78 },
	  " @\n+@\n|\nrows 0-1, cols 0-1, a cell is an element\n"
	  "' '<-1.44e308 '.'<-1.08e308 ':'<-7.19e307 '-'<-3.6e307 '='<0 '+'<3.595e307 "
	  "'*'<7.191e307 "
	  "'#'<1.079e308 '%'<1.438e308 '@'<=1.798e308\n" },
	/* 3, 3, 2, 4 of them. */
	{ DTYPE_FLOAT32,
	  1,
	  12,
	  ramp,
	  { .kind = PICTURE_HIST, .width = 4 },
	  "####\n####\n####\n####\n####\n####\n####\n####\n####\n####\n|\n----\n0 11\n"
	  "4 bins, one = 2.75, highest holds 3\n" },
	{ DTYPE_BOOL,
	  1,
	  4,
	  bools,
	  { .kind = PICTURE_HIST, .width = 2 },
	  " #\n #\n #\n #\n #\n #\n #\n##\n##\n##\n|\n--\n0 1\n"
	  "2 bins, one = 0.5, highest holds 3\n" },
	{ DTYPE_COMPLEX64,
	  1,
	  4,
	  complexes,
	  { .kind = PICTURE_HEAT, .width = 78 },
	  "@ N^\n|\nrows 0-0, cols 0-3, a cell is an element\n"
	  "' '<0.5 '.'<1 ':'<1.5 '-'<2 '='<2.5 '+'<3 '*'<3.5 '#'<4 '%'<4.5 '@'<=5\n"
	  "N 1 of 4 cells hold NaN\n^ 1 of 4 cells hold +inf\n" },
	/* In a pane: 7 rows are left for 12, 3 columns for one. */
	{ DTYPE_FLOAT32,
	  12,
	  1,
	  ramp,
	  { .kind = PICTURE_HEAT, .width = 3, .pane_rows = 9 },
	  "   \n...\n---\n===\n+++\n###\n@@@\n|\n"
	  "rows 0-11, cols 0-0, a cell is 1 to 2 rows x 1 column, their mean\n"
	  "' '<1.1 '.'<2.2 ':'<3.3 '-'<4.4 '='<5.5 '+'<6.6 '*'<7.7 '#'<8.8 '%'<9.9 '@'<=11\n" },
	{ DTYPE_FLOAT32,
	  1,
	  4,
	  ramp,
	  { .kind = PICTURE_SPARK, .width = 9, .pane_rows = 5 },
	  "      ##\n    ####\n########\n|\nelements 0-3, a cell is an element, its max abs\n"
	  "heights 0 to 3\n" },
	{ DTYPE_FLOAT32,
	  1,
	  12,
	  ramp,
	  { .kind = PICTURE_HIST, .width = 4, .pane_rows = 6 },
	  "####\n####\n####\n|\n----\n0 11\n4 bins, one = 2.75, highest holds 3\n" },
	{ DTYPE_FLOAT32,
	  0,
	  3,
	  ramp,
	  { .kind = PICTURE_HEAT, .width = 78 },
	  "|\nno elements\n' '<0 '.'<0 ':'<0 '-'<0 '='<0 '+'<0 '*'<0 '#'<0 '%'<0 '@'<=0\n" },
};

START_TEST(picture_shows_every_element)
{
	struct str out = {0};

	draw(pictures[_i].dtype, pictures[_i].rows, pictures[_i].columns, pictures[_i].elems,
	     &pictures[_i].style, &out);
	ck_assert_str_eq(str_text(&out), pictures[_i].shows);
	str_release(&out);
}
END_TEST

/* A logarithmic scale tells the low end apart; its glyphs still lie in the order of the values. */
START_TEST(log_scale_spreads_the_low_end)
{
	static const float values[] = { 0, 0.01f, 0.1f, 1, 10, 100 };
	struct picture_style style = { .kind = PICTURE_HEAT,
		                       .width = 78,
		                       .scale = { .log = true } };
	struct str out = {0};

	draw(DTYPE_FLOAT32, 1, 6, values, &style, &out);
	ck_assert_msg(!strncmp(out.text, "  .-*@\n", 7), "%s", out.text);
	ck_assert_ptr_nonnull(strstr(out.text, "log scale"));
	str_release(&out);
}
END_TEST

static const struct {
	const char *line, *begins;
} answers[] = {
	{ "picture linear/pred:0 -w 8",
	  "float32 (8, 1)  32 B  nan 0  -inf 0  +inf 0  zero 0  <0 1  >0 7\n"
	  "min -1.1720842  max 5.346785  mean 2.067796  std 2.2130837\n\n" },
	{ "picture linear/w -k spark -w 3",
	  "float32 (3, 1)  12 B  nan 0  -inf 0  +inf 0  zero 0  <0 1  >0 2\n"
	  "min -1.25  max 2.0  mean 0.41666666  std 1.3281149\n\n:+#\n"
	  "elements 0-2, a cell is an element, its max abs\n" },
	{ "picture linear/w -k x", "ERROR: \"x\" is no kind of picture: heat, spark or hist." },
	{ "picture linear/w -w 0", "ERROR: A picture is 1 to 4096 columns wide." },
	{ "picture nowhere", "ERROR: Node \"nowhere\"" },
};

START_TEST(command_tells_before_it_draws)
{
	struct shell *shell = session_of("testdata/linear");
	struct str out = {0};

	session_ask(shell, answers[_i].line, &out);
	ck_assert_msg(!strncmp(out.text, answers[_i].begins, strlen(answers[_i].begins)), "%s",
	              out.text);
	str_release(&out);
	shell_free(shell);
}
END_TEST

/* Every array of numbers can be drawn in every way; the rest has an answer too. */
START_TEST(every_type_has_a_picture)
{
	static const char *const ways[] = { "", "-k heat -l -u", "-k spark -l", "-k hist -w 7 -u",
		                            "-k hist -l" };
	struct shell *shell = session_of("testdata/dtypes");
	struct str list = {0}, command = {0}, out = {0};

	session_ask(shell, "lt", &list);
	for (const char *at = strstr(list.text, "\n["); at; at = strstr(at + 1, "\n[")) {
		size_t len = strcspn(at + 1, "\n");
		const char *name = memrchr(at + 1, ' ', len);

		str_reset(&command);
		str_fmt(&command, "picture %.*s %s", (int)(at + 1 + len - name - 1), name + 1,
		        ways[_i]);
		if (!session_ask(shell, command.text, &out))
			ck_assert_msg(
				!strcmp(out.text,
			                "ERROR: There is no picture of elements of type string.\n"),
				"%s: %s", command.text, out.text);
	}
	str_release(&list);
	str_release(&command);
	str_release(&out);
	shell_free(shell);
}
END_TEST

SUITE_MAIN("picture",
	tcase_add_loop_test(t, survey_counts_every_type, 0, ROWS(surveys));
	tcase_add_loop_test(t, picture_shows_every_element, 0, ROWS(pictures));
	tcase_add_test(t, log_scale_spreads_the_low_end);
	tcase_add_loop_test(t, command_tells_before_it_draws, 0, ROWS(answers));
	tcase_add_loop_test(t, every_type_has_a_picture, 0, 5);
)
