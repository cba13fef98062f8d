/* Tables: as many columns as there are, made row by row. */
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/doc/table.h"
#include "cmds/doc/write.h"

enum { N_COLUMNS = 100, N_ROWS = 3 };

struct asked {
	uint64_t row;                    /* the latest */
	size_t cells;
};

static void get(void *context, uint64_t row, int id, struct cell *cell)
{
	struct asked *asked = context;

	ck_assert_uint_ge(row, asked->row);
	asked->row = row;
	asked->cells++;
	cell->whole = id % 2 ? (int64_t)row + id : 0;
	if (id == 98)
		cell_str(cell, "0!");
}

START_TEST(columns_have_no_limit)
{
	struct col cols[N_COLUMNS];
	struct asked asked = {0};
	struct doc *doc = doc_new();
	struct call call = { .out = doc };
	struct line line = {0};
	struct table *table;

	for (int i = 0; i < N_COLUMNS; i++)
		cols[i] = (struct col){ .key = "c", .heading = "C", .kind = COL_COUNT, .id = i };
	table = TABLE_OF(doc, cols, get, &asked);
	table->n_rows = N_ROWS;
	table_show(&call, table);
	ck_assert_uint_eq(asked.cells, N_ROWS * (N_COLUMNS - 1));
	ck_assert_uint_eq(doc_rows(doc), 1 + N_ROWS);
	ck_assert(doc_line(doc, 3, 0, &line));
	ck_assert_msg(!strncmp(line.text.text, "0  3  0  5  0", 13), "%s", line.text.text);
	ck_assert_msg(strstr(line.text.text, "99  0!  101"), "%s", line.text.text);
	line_release(&line);
	doc_free(doc);
}
END_TEST

/* What the options of a table do: rows of figures, a letter each. */

static const struct row {
	const char *name;
	bool known;
	int64_t n;
	double share;
	const char *own;         /* its typed value */
	uint64_t level;
	size_t n_dims;
	int64_t dims[2];
} rows[] = {
	{ "d", true, 3, 0.5, "x", 1, 1, { 10 } }, { "B", true, -7, -0.0, NULL, 2, 2, { 2, 1 } },
	{ "a", false, 0, 1e300, "X", 2, 1, { 9 } }, { "c", true, 3, NAN, "y", 1, 0, { 0 } },
	{ "b", true, INT64_MAX, 0.0, "a", 2, 2, { 1, 300 } },
	{ "", true, INT64_MAX - 1, -2, "b", 3, 0, { 0 } },
};
enum { N = sizeof rows / sizeof *rows };

#define LETTER_COLUMNS(COL, ASK) \
	COL(n, "N", COUNT, 0, 1, cell_known(cell, row->known, row->n)) \
	COL(share, NULL, NUMBER, 0, 2, cell->number = row->share) \
	COL(own, NULL, OWN, 0, 3, if (cell->data) data_str(cell->data, row->own)) \
	ASK(more, "More", "more", COUNT, 0, TYPED_IF_ASKED, cell->whole = 1) \
	COL(name, "Name", TEXT, 0, 4, cell_str(cell, row->name)) \
	COL(dims, NULL, OWN, 0, 0, if (cell->data) data_ints(cell->data, row->dims, row->n_dims)) \
	COL(look, NULL, TEXT, 0, 0, (void)row)
enum { LETTER_COLUMNS(COL_ID, COL_ID) };
static const struct col letter_cols[] = { LETTER_COLUMNS(COL_ROW, ASK_ROW) };

static void get_letter(void *context, uint64_t at, int id, struct cell *cell)
{
	const struct row *row = &rows[at < N ? at : 0];

	(void)context;
	if (at == N) {
		cell_str(cell, id == COL_name ? "sum" : "9");
		return;
	}
	switch (id) {
	LETTER_COLUMNS(COL_CASE, ASK_CASE)
	}
}

static uint64_t level_of(void *context, uint64_t at)
{
	(void)context;
	return rows[at].level;
}

static int by_level(void *context, int id, uint64_t a, uint64_t b)
{
	(void)context;
	ck_assert_int_eq(id, COL_look);
	return (rows[a].level > rows[b].level) - (rows[a].level < rows[b].level);
}

/* Only of one column: the other way round. */
static bool rank_of(void *context, int id, uint64_t row, uint64_t *rank)
{
	(void)context;
	*rank = N - row;
	return id == COL_share;
}

/* Of three rows each. */
static uint64_t end_of_block(void *context, uint64_t at)
{
	(void)context;
	return at + 3;
}

static const struct opt table_options[] = { TABLE_OPTS };
static const struct cmd table_cmd = { .name = "letters", OPTS(table_options) };

static const struct sort_word by_n_then_name[] = {
	{ "size", { FALLS(n), RISES(name) } }, { "none", { 0 } }, { "dims", { RISES(dims) } },
	{ "deep", { RISES(look) } }, { "flat", { FALLS(look) } }, { 0 },
};
static const struct table_sorts turning = {
	.words = by_n_then_name, .refusal = "ERROR: \"%s\" is wrong.", .turns = true,
};
static const struct table_sorts early = {
	.refusal = "no such key: %s", .missing_first = true,
};

/* d(B a) c(b(_)), and the sum. */
static const struct arranged {
	const char *sort;
	bool reverse;
	int64_t limit, skip;
	const struct table_sorts *sorts;
	bool list, tree, ranked, blocks;
	const char *shown;       /* the letters of the rows, or the error */
} arranged[] = {
	{ .shown = "dBacb_+" },
	{ .reverse = true, .shown = "_bcaBd+" },
	/* By any key: what is missing is last, what is equal stays in order. */
	{ .sort = "n", .shown = "b_dcBa+" },
	{ .sort = "n", .reverse = true, .shown = "Bdc_ba+" },
	{ .sort = "n", .list = true, .shown = "Bdc_ba+" },
	{ .sort = "share", .shown = "adBb_c+" },
	{ .sort = "share", .reverse = true, .shown = "_Bbdac+" },
	{ .sort = "name", .shown = "_Babcd+" },
	{ .sort = "name", .reverse = true, .shown = "dcbaB_+" },
	{ .sort = "own", .shown = "ab_dcB+" },
	{ .sort = "own", .reverse = true, .shown = "cd_baB+" },
	{ .sort = "look", .shown = "ERROR: There is no column \"look\"." },
	{ .sort = "n", .list = true, .sorts = &early, .shown = "aBdc_b+" },
	{ .sort = "n", .reverse = true, .list = true, .sorts = &early, .shown = "b_dcBa+" },
	{ .sort = "N", .sorts = &early, .shown = "no such key: N" },
	/* Words of the command keep their way. */
	{ .sorts = &turning, .shown = "b_cdBa+" },
	{ .sort = "size", .sorts = &turning, .shown = "b_cdBa+" },
	{ .sort = "size", .reverse = true, .sorts = &turning, .shown = "aBdc_b+" },
	{ .sort = "none", .sorts = &turning, .shown = "dBacb_+" },
	{ .sort = "none", .reverse = true, .sorts = &turning, .shown = "_bcaBd+" },
	{ .sort = "name", .reverse = true, .sorts = &turning, .shown = "dcbaB_+" },
	{ .sort = "dims", .sorts = &turning, .shown = "c_adbB+" },
	{ .sort = "deep", .sorts = &turning, .shown = "dcBab_+" },
	{ .sort = "flat", .sorts = &turning, .shown = "_Babdc+" },
	{ .sort = "share", .list = true, .ranked = true, .shown = "_bcaBd+" },
	{ .sort = "share", .reverse = true, .list = true, .ranked = true, .shown = "dBacb_+" },
	{ .sort = "n", .ranked = true, .shown = "b_dcBa+" },
	{ .sort = "nam", .sorts = &turning, .shown = "ERROR: \"nam\" is wrong." },
	/* Rows are left out after sorting; the sum is there. */
	{ .limit = 2, .shown = "dB+" },
	{ .limit = 2, .skip = 1, .shown = "Ba+" },
	{ .limit = 2, .skip = 5, .shown = "_+" },
	{ .skip = 6, .shown = "+" },
	{ .skip = INT64_MAX, .limit = INT64_MAX, .shown = "+" },
	{ .skip = -1, .limit = -1, .shown = "dBacb_+" },
	{ .sort = "n", .limit = 2, .skip = 1, .shown = "_d+" },
	/* Rows stay in their block. */
	{ .blocks = true, .shown = "dBacb_+" },
	{ .sort = "name", .blocks = true, .shown = "Bad_bc+" },
	{ .sort = "name", .reverse = true, .blocks = true, .shown = "daBcb_+" },
	{ .sort = "n", .blocks = true, .shown = "dBab_c+" },
	{ .sort = "n", .sorts = &early, .list = true, .blocks = true, .shown = "aBdc_b+" },
	{ .sort = "size", .sorts = &turning, .blocks = true, .skip = 1, .limit = 3,
	  .shown = "Bab+" },
	/* Children stay with their parents. */
	{ .sort = "name", .tree = true, .shown = "cb_dBa+" },
	{ .sort = "name", .reverse = true, .tree = true, .shown = "daBcb_+" },
	{ .sort = "n", .tree = true, .shown = "dBacb_+" },
	{ .limit = 1, .skip = 2, .tree = true, .shown = "a+" },
};

START_TEST(rows_are_arranged)
{
	const struct arranged *a = &arranged[_i];
	struct doc *doc = doc_new();
	struct call call = { .out = doc, .cmd = &table_cmd };
	struct opt_value *opt = call.args.opt;
	struct table *table = TABLE_OF(doc, letter_cols, get_letter, NULL);
	struct line line = {0};
	struct str shown = {0};

	opt[0].word = a->sort;
	opt[1].given = a->reverse;
	opt[2].number = a->limit;
	opt[3].number = a->skip;
	table->n_rows = N;
	table->n_foot = 1;
	table->list = a->list;
	table->sorts = a->sorts;
	table->level = a->tree ? level_of : NULL;
	table->block_end = a->blocks ? end_of_block : NULL;
	table->rank = a->ranked ? rank_of : NULL;
	table_col(table, COL_look)->order = by_level;
	if (table_arrange(&call, table)) {
		for (uint64_t row = 0; row < table->n_rows + table->n_foot; row++) {
			uint64_t at = table_source_row(table, row);

			str_puts(&shown, at == N ? "+" : *rows[at].name ? rows[at].name : "_");
		}
	} else if (call.err.code) {
		str_puts(&shown, call.err.msg);
	} else {
		ck_assert(doc_line(doc, 0, 0, &line));
		str_puts(&shown, line.text.text);
	}
	ck_assert_str_eq(shown.text, a->shown);
	str_release(&shown);
	line_release(&line);
	doc_free(doc);
}
END_TEST

/* Texts of a few letters, some of them long, many of them alike or equal, and with zeros. */
enum { N_TEXTS = 500 };

static struct str text_at(uint64_t at)
{
	struct str text = {0};

	for (uint64_t rest = at * 7919 % 191, i = 0; i < at % 5 * 4; rest /= 2, i++)
		str_putc(&text, i < at % 3 * 7 ? 'a' : rest % 2 ? 'b' : '\0');
	return text;
}

static void get_text(void *context, uint64_t at, int id, struct cell *cell)
{
	struct str text = text_at(at);

	(void)context, (void)id;
	str_put(&cell->text, str_text(&text), text.len);
	str_release(&text);
}

START_TEST(texts_are_sorted_by_bytes)
{
	static const struct col cols[] = { { .key = "text", .kind = COL_TEXT, .typed = 1 } };
	struct doc *doc = doc_new();
	struct table *table = TABLE_OF(doc, cols, get_text, NULL);
	struct err err = {0};

	table->n_rows = N_TEXTS;
	ck_assert(table_sort(table, 0, _i, NULL, &err));
	for (uint64_t row = 1; row < N_TEXTS; row++) {
		uint64_t p = table_source_row(table, row - 1), q = table_source_row(table, row);
		struct str a = text_at(p), b = text_at(q);
		int order = memcmp(str_text(&a), str_text(&b), a.len < b.len ? a.len : b.len);

		order = order ? order : (a.len > b.len) - (a.len < b.len);
		ck_assert(_i ? order >= 0 : order <= 0);
		ck_assert(order || p < q);
		str_release(&a);
		str_release(&b);
	}
	doc_free(doc);
}
END_TEST

START_TEST(rows_are_ranked)
{
	static const struct { int id; uint32_t ranks[N]; } by[] = {
		{ COL_n, { 2, 1, 0, 2, 4, 3 } }, { COL_look, { 0, 1, 1, 0, 1, 2 } },
		{ COL_dims, { 2, 4, 1, 0, 3, 0 } },
	};
	struct doc *doc = doc_new();
	struct table *table = TABLE_OF(doc, letter_cols, get_letter, NULL);
	uint32_t ranks[N];
	struct err err = {0};

	table->n_rows = N;
	table_col(table, COL_look)->order = by_level;
	ck_assert(table_rank(table, by[_i].id, ranks, NULL, &err));
	ck_assert_mem_eq(ranks, by[_i].ranks, sizeof ranks);
	doc_free(doc);
}
END_TEST

/* CSV, then text. */
static const struct {
	const char *asked;
	bool list;
	const char *shown;
} chosen[] = {
	{ "name,n", false, "name,n\nd,3\nB,-7\nName   N\nd      3\nB     -7\nsum    9\n" },
	{ "n,own", false, "n,own\n3,x\n-7,\n N  own\n 3  \"x\"\n-7  -\n 9  9\n" },
	{ "own,n", true, "own,n\nx,3\n,-7\nown   N\n\"x\"   3\n-    -7\n9     9\n" },
	{ "More,name", false, "more,name\n1,d\n1,B\nMore  Name\n   1  d\n   1  B\n   9  sum\n" },
	/* The command has to add these itself. */
	{ "MORE", false, "n,share,own,name,more\n3,0.5,x,d,1\n-7,-0.0,,B,1\n"
	                 " N  More  Name\n 3     1  d\n-7     1  B\n 9     9  sum\n" },
	{ ",n,,name,n,", false, "n,name\n3,d\n-7,B\n N  Name\n 3  d\n-7  B\n 9  sum\n" },
	{ "name,look", false, "ERROR: There is no column \"look\".\n" },
};

START_TEST(columns_are_chosen)
{
	struct doc *doc = doc_new();
	struct call call = { .out = doc, .cmd = &table_cmd };
	struct table *table = TABLE_OF(doc, letter_cols, get_letter, NULL);
	char *text;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	struct data data;
	struct err err = {0};

	call.args.opt[2].number = 2;
	call.args.opt[4].word = chosen[_i].asked;
	table->n_rows = N;
	table->n_foot = 1;
	if (chosen[_i].list)
		table_list(table, COL_own);
	data_open(&data, DATA_CSV, file);
	if (table_arrange(&call, table)) {
		table_show(&call, table);
		ck_assert(doc_write_data(doc, &data, NULL, &err));
	}
	ck_assert(data_finish(&data) && doc_write(doc, DOC_TEXT, false, NULL, file));
	fclose(file);
	ck_assert_str_eq(text, chosen[_i].shown);
	free(text);
	doc_free(doc);
}
END_TEST

SUITE_MAIN("table",
	tcase_add_test(t, columns_have_no_limit);
	tcase_add_loop_test(t, rows_are_arranged, 0, sizeof arranged / sizeof *arranged);
	tcase_add_loop_test(t, texts_are_sorted_by_bytes, 0, 2);
	tcase_add_loop_test(t, rows_are_ranked, 0, 3);
	tcase_add_loop_test(t, columns_are_chosen, 0, sizeof chosen / sizeof *chosen);
)
