/*
 * Which rows of a table are shown, and in what order: the same for every table. Numbers are sorted
 * by radix, texts by their bytes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/call.h"
#include "cmds/doc/table.h"
#include "dump/base/mem.h"
#include "dump/base/numbered.h"

#define STEP_EVERY 256

/* What the rows are sorted by: one number or text each. */
struct key {
	size_t text, len;        /* where it stands in keys->texts */
	uint64_t number;         /* keeps the order of the values */
	uint32_t row;
	bool missing;
};

struct keys {
	struct key *at;
	size_t n;
	struct str texts;
	bool is_text;
};

/* Keeps the order of doubles, with -0 as 0. */
static uint64_t key_of_number(double number)
{
	uint64_t bits;

	number += 0.0;
	memcpy(&bits, &number, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static void take_text(struct keys *keys, struct key *key, const char *text, size_t len)
{
	key->text = keys->texts.len;
	key->len = len;
	str_put(&keys->texts, text, len);
	keys->is_text = true;
}

/* A value of an OWN kind, as its row writes it: null, a number, or any text. */
static void take_typed(struct keys *keys, struct key *key, const struct str *json)
{
	char *end;
	double number = strtod(str_text(json), &end);

	key->missing = !json->len || !strcmp(json->text, "null");
	if (key->missing)
		return;
	if (*end)
		take_text(keys, key, json->text, json->len);
	else
		key->number = key_of_number(number);
}

static void take_key(struct table *t, uint64_t row, const struct col *col, struct data *typed,
                     struct keys *keys)
{
	struct key *key = &keys->at[row];
	const struct cell *cell;

	key->row = (uint32_t)row;
	if (col->kind == COL_OWN) {
		str_reset(&typed->text);
		table_put_value(t, row, col, typed);
		take_typed(keys, key, &typed->text);
		return;
	}
	cell = table_fill_cell(t, row, col, NULL, false);
	key->missing = cell->missing;
	if (key->missing)
		return;
	switch (col->kind) {
	case COL_TEXT:
	case COL_WORD: take_text(keys, key, str_text(&cell->text), cell->text.len); break;
	case COL_PERCENT:
	case COL_SHARE:
	case COL_NUMBER:
	case COL_OWN_NUMBER:
	case COL_BAR:
		key->missing = isnan(cell->number);
		key->number = key_of_number(cell->number);
		break;
	default: key->number = numbered_key(cell->whole); break;
	}
}

static int by_text(const void *a, const void *b, void *context)
{
	const struct key *p = a, *q = b;
	const struct keys *keys = context;
	const char *texts = str_text(&keys->texts);
	int order = memcmp(texts + p->text, texts + q->text, p->len < q->len ? p->len : q->len);

	return order ? order : (p->len > q->len) - (p->len < q->len);
}

/* Equal rows keep their order: the other way round texts are turned, and the order with them. */
static int by_text_and_row(const void *a, const void *b, void *context)
{
	int order = by_text(a, b, context);
	uint32_t p = ((const struct key *)a)->row, q = ((const struct key *)b)->row;

	return order ? order : (p > q) - (p < q);
}

static int by_falling_text_and_row(const void *a, const void *b, void *context)
{
	int order = by_text(b, a, context);
	uint32_t p = ((const struct key *)a)->row, q = ((const struct key *)b)->row;

	return order ? order : (p > q) - (p < q);
}

static void sort_numbers(struct keys *keys, bool falls)
{
	struct numbered *rows = mem_alloc((2 * keys->n + 1) * sizeof *rows);

	for (size_t i = 0; i < keys->n; i++)
		rows[i] = (struct numbered){ falls ? ~keys->at[i].number : keys->at[i].number,
		                             keys->at[i].row };
	numbered_sort(rows, rows + keys->n, keys->n);
	for (size_t i = 0; i < keys->n; i++)
		keys->at[i].row = rows[i].row;
	free(rows);
}

/* Moves the rows without a value to one end of the new order, and sorts the others. */
static void put_order(struct table *t, struct keys *keys, bool falls)
{
	uint64_t all = keys->n;
	uint32_t *order = mem_alloc((all + 1) * sizeof *order);
	size_t n_missing = 0, first;

	for (uint64_t i = 0; i < all; i++) {
		if (keys->at[i].missing)
			order[n_missing++] = keys->at[i].row;
		else
			keys->at[i - n_missing] = keys->at[i];
	}
	keys->n -= n_missing;
	if (!keys->is_text)
		sort_numbers(keys, falls);
	else if (keys->n)
		qsort_r(keys->at, keys->n, sizeof *keys->at,
		        falls ? by_falling_text_and_row : by_text_and_row, keys);
	first = t->sorts && t->sorts->missing_first && !falls ? n_missing : 0;
	memmove(order + (first ? 0 : keys->n), order, n_missing * sizeof *order);
	for (size_t i = 0; i < keys->n; i++)
		order[first + i] = keys->at[i].row;
	/* Places in the order before become rows. */
	for (uint64_t i = 0; t->order && i < all; i++)
		order[i] = t->order[order[i]];
	free(t->order);
	t->order = order;
}

bool table_sort(struct table *t, int id, bool falls, struct progress *progress, struct err *err)
{
	const struct col *col = table_col(t, id);
	struct keys keys = { .n = t->n_rows };
	struct data typed;
	bool go_on = t->n_rows < UINT32_MAX;

	if (!go_on)
		return err_at(err, ERR_LIMIT, "command", 0, "%" PRIu64 " rows are too many to sort",
		              t->n_rows);
	data_open(&typed, DATA_JSON, NULL);
	keys.at = mem_alloc((keys.n + 1) * sizeof *keys.at);
	for (uint64_t row = 0; row < t->n_rows && go_on; row++) {
		go_on = row % STEP_EVERY || progress_step(progress, row, t->n_rows);
		take_key(t, row, col, &typed, &keys);
	}
	if (go_on)
		put_order(t, &keys, falls);
	else
		err_fill(err, ERR_CANCELLED, "command", 0, "stopped while sorting");
	data_finish(&typed);
	str_release(&keys.texts);
	free(keys.at);
	return go_on;
}

static void turn_round(struct table *t)
{
	uint64_t n = t->n_rows;
	uint32_t *order = mem_alloc((n + 1) * sizeof *order);

	for (uint64_t i = 0; i < n; i++)
		order[i] = t->order ? t->order[n - 1 - i] : (uint32_t)(n - 1 - i);
	free(t->order);
	t->order = order;
}

/*
 * The rows of a tree in the order that was found for all of them: each parent is followed by its
 * children, who keep that order among them.
 */
static void keep_families(struct table *t)
{
	enum { NONE = UINT32_MAX };
	uint32_t n = (uint32_t)t->n_rows, at = n, shown = 0;
	/* By row, and for the roots at n: the first child, the last one, the next of one parent. */
	uint32_t *first = mem_alloc((n + 1) * 4 * sizeof *first);
	uint32_t *last = first + n + 1, *next = last + n + 1, *parent = next + n + 1;

	memset(first, 0xff, (n + 1) * 4 * sizeof *first);
	for (uint32_t row = 0; row < n; row++) {
		uint64_t level = t->level(t->context, row);
		uint32_t above = row ? row - 1 : n;

		while (above != n && t->level(t->context, above) >= level)
			above = parent[above];
		parent[row] = above;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = t->order[i], above = parent[row];

		*(first[above] == NONE ? &first[above] : &next[last[above]]) = row;
		last[above] = row;
	}
	while (shown < n) {
		if (first[at] != NONE) {
			at = first[at];
		} else {
			while (next[at] == NONE)
				at = parent[at];
			at = next[at];
		}
		t->order[shown++] = at;
	}
	free(first);
}

/* The options. */

static struct opt_value option(const struct call *call, const char *name)
{
	for (size_t i = 0; call->cmd && i < call->cmd->n_opts; i++)
		if (!strcmp(call->cmd->opts[i].name, name))
			return call->args.opt[i];
	return (struct opt_value){0};
}

static const struct sort_word *find_word(const struct table_sorts *sorts, const char *word)
{
	const struct sort_word *at = sorts ? sorts->words : NULL;

	while (at && at->word && word && strcmp(at->word, word))
		at++;
	return at && at->word ? at : NULL;
}

static const struct col *find_key(const struct col *cols, size_t n, const char *key, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (cols[i].typed && !strncmp(cols[i].key, key, len) && !cols[i].key[len])
			return &cols[i];
	return NULL;
}

bool table_can_sort(struct call *call, const struct table_sorts *sorts, const struct col *cols,
                    size_t n)
{
	const char *word = option(call, "sort_by").word;
	const char *refusal = sorts && sorts->refusal ? sorts->refusal
	                                              : "ERROR: There is no column \"%s\".";
	const char *place = strstr(refusal, "%s");
	struct str text = {0};

	if (!word || find_word(sorts, word) || find_key(cols, n, word, strlen(word)))
		return true;
	str_fmt(&text, "%.*s%s%s", (int)(place - refusal), refusal, word, place + strlen("%s"));
	if (!strncmp(text.text, "ERROR: ", strlen("ERROR: ")))
		call_error(call, "%s", text.text);
	else
		err_fill(&call->err, ERR_VALUE, "command", 0, "%s", text.text);
	str_release(&text);
	return false;
}

/* The last column first, since each sort keeps the order of equal rows. */
static bool sort_by_word(struct table *t, const struct sort_word *word, bool turned,
                         struct progress *progress, struct err *err)
{
	size_t n = 0;

	while (n < sizeof word->by / sizeof *word->by && word->by[n])
		n++;
	while (n-- > 0)
		if (!table_sort(t, abs(word->by[n]) - 1, (word->by[n] < 0) != turned, progress,
		                err))
			return false;
	return true;
}

static bool sort_rows(struct call *call, struct table *t)
{
	const char *name = option(call, "sort_by").word;
	bool reverse = option(call, "reverse").given, turns = t->sorts && t->sorts->turns;
	const struct sort_word *word = find_word(t->sorts, name);
	const struct col *col = name && !word ? find_key(t->cols, t->n_cols, name, strlen(name))
	                                      : NULL;

	if (!table_can_sort(call, t->sorts, t->cols, t->n_cols))
		return false;
	if (col) {
		bool falls = col_is_number(col) && !t->list;

		if (!table_sort(t, col->id, falls != reverse, call->progress, &call->err))
			return false;
	} else if (word && !sort_by_word(t, word, reverse && !turns && word->by[0],
	                                 call->progress, &call->err)) {
		return false;
	}
	if (reverse && !col && (turns || !word || !word->by[0]))
		turn_round(t);
	if (t->level && t->order)
		keep_families(t);
	return true;
}

static void leave_rows_out(struct call *call, struct table *t)
{
	struct opt_value skip = option(call, "skip"), limit = option(call, "limit");
	uint64_t all = t->n_rows;

	t->n_skipped = skip.number > 0 ? (uint64_t)skip.number : 0;
	t->n_skipped = t->n_skipped < all ? t->n_skipped : all;
	t->n_rows -= t->n_skipped;
	if (limit.number > 0 && (uint64_t)limit.number < t->n_rows)
		t->n_rows = (uint64_t)limit.number;
	t->n_left_out = all - t->n_rows;
}

/* The next of the words that commas part; its length in *len. */
static const char *each_word(const char *at, size_t *len)
{
	at += *len;
	at += *len && *at == ',';
	*len = strcspn(at, ",");
	return *at ? at : NULL;
}

/* Are they more than optional columns, which the command has added? False: or one is none. */
static bool is_whole_list(struct call *call, const struct table *t, const char *asked, bool *whole)
{
	size_t len = 0;

	*whole = false;
	for (const char *at = asked; (at = each_word(at, &len));) {
		bool optional = false;

		for (size_t i = 0; i < t->n_cols; i++)
			optional |= t->cols[i].word && !t->list && strlen(t->cols[i].word) == len &&
			            !strncasecmp(t->cols[i].word, at, len);
		if (optional)
			continue;
		*whole = true;
		if (find_key(t->cols, t->n_cols, at, len))
			continue;
		call_error(call, "ERROR: There is no column \"%.*s\".", (int)len, at);
		return false;
	}
	return true;
}

static bool choose_columns(struct call *call, struct table *t)
{
	const char *asked = option(call, "columns").word;
	struct col *cols;
	size_t n = 0, len = 0;
	bool whole;

	if (!asked || !*asked)
		return true;
	if (!is_whole_list(call, t, asked, &whole))
		return false;
	if (!whole)
		return true;
	for (const char *at = asked; (at = each_word(at, &len));)
		n++;
	cols = mem_alloc((n + t->n_cols + 1) * sizeof *cols);
	n = 0;
	len = 0;
	for (const char *at = asked; (at = each_word(at, &len));) {
		const struct col *col = find_key(t->cols, t->n_cols, at, len);

		for (size_t i = 0; !col && i < t->n_cols; i++)
			if (t->cols[i].word && strlen(t->cols[i].word) == len &&
			    !strncasecmp(t->cols[i].word, at, len))
				col = &t->cols[i];
		cols[n] = *col;
		cols[n].as_typed = !col->heading && col->kind == COL_OWN;
		cols[n].heading = col->heading ? col->heading : col->key;
		cols[n].typed = (int)n + 1;
		cols[n].drop = 0;
		cols[n++].word = NULL;
	}
	for (size_t i = 0; i < t->n_cols; i++) {
		cols[n] = t->cols[i];
		cols[n].heading = NULL;
		cols[n++].typed = 0;
	}
	free(t->cols);
	t->cols = cols;
	t->n_cols = n;
	t->chosen = true;
	return true;
}

bool table_arrange(struct call *call, struct table *t)
{
	if (!sort_rows(call, t) || !choose_columns(call, t))
		return false;
	leave_rows_out(call, t);
	return true;
}
