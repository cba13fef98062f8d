/*
 * Decides which rows and columns of a table are shown and in what order. Numbers are sorted by
 * radix; so are texts, by a few of their bytes at a time.
 */
#include "cmds/doc/table.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/call.h"
#include "dump/base/mem.h"
#include "dump/base/numbered.h"

#define STEP_EVERY 256

/* What rows are sorted by: a number or text each, unless the column compares rows itself. */
struct keys {
	const struct table *table;
	const struct col *col;
	size_t begin, end;               /* the rows */
	struct numbered *at, *other;     /* of the rows that have a value, and room to sort them */
	uint32_t *order;                 /* begins with the rows that have none, or are not in at */
	size_t n, n_missing;
	struct str texts;
	/* By row, from the first one on: where it begins in texts; NULL: numbers only. */
	size_t *text;
	bool is_text, has_order, falls;
};

/* Keeps the order of doubles, with -0 as 0. */
static uint64_t key_of_number(double number)
{
	uint64_t bits;

	number += 0.0;
	memcpy(&bits, &number, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* So that lists of whole numbers are sorted by length, then by the first number that differs. */
static void put_list_key(struct str *out, const char *list)
{
	const char *at = list + 1;
	size_t n_commas = 0;
	long long number;
	char *end;

	for (const char *comma = list; (comma = strchr(comma, ',')); comma++)
		n_commas++;
	str_fmt(out, "[%020zu", n_commas);
	for (; number = strtoll(at, &end, 10), end != at; at = end + (*end == ','))
		str_fmt(out, " %020lld", number);
	str_puts(out, strcmp(at, "]") ? at : "");
}

/* A value of an OWN kind, as its row writes it: null, a number, or any text. False: null. */
static bool take_typed(struct keys *keys, const struct str *json, uint64_t *number)
{
	char *end;

	*number = key_of_number(strtod(str_text(json), &end));
	if (!json->len || !strcmp(json->text, "null"))
		return false;
	keys->is_text |= *end != '\0';
	if (*json->text == '[')
		put_list_key(&keys->texts, json->text);
	else if (*json->text == '"')     /* without quotes; escapes stay as they are written */
		str_put(&keys->texts, json->text + 1, json->len - 2);
	else if (*end)
		str_put(&keys->texts, json->text, json->len);
	return true;
}

static bool take_cell(struct keys *keys, const struct col *col, const struct cell *cell,
                      uint64_t *number)
{
	if (cell->missing)
		return false;
	switch (col->kind) {
	case COL_TEXT:
	case COL_WORD:
		keys->is_text = true;
		str_put(&keys->texts, str_text(&cell->text), cell->text.len);
		return true;
	case COL_PERCENT:
	case COL_SHARE:
	case COL_NUMBER:
	case COL_OWN_NUMBER:
	case COL_BAR: *number = key_of_number(cell->number); return !isnan(cell->number);
	default: *number = numbered_key(cell->whole); return true;
	}
}

static void take_key(struct table *t, uint64_t row, struct data *typed, struct keys *keys)
{
	const struct col *col = keys->col;
	uint64_t number = 0;
	bool has;

	if (keys->text)
		keys->text[row - keys->begin] = keys->texts.len;
	if (col->kind == COL_OWN) {
		str_reset(&typed->text);
		table_put_value(t, row, col, typed);
		has = take_typed(keys, &typed->text, &number);
	} else {
		has = take_cell(keys, col, table_fill_cell(t, row, col, NULL, false), &number);
	}
	if (has)
		keys->at[keys->n++] = (struct numbered){ number, (uint32_t)row };
	else
		keys->order[keys->n_missing++] = (uint32_t)row;
}

enum { HEAD = 7 };

/* Bytes of a text, and behind them how many there are; HEAD + 1: there are more. */
static uint64_t head_of(const struct keys *keys, uint32_t row, size_t from)
{
	const size_t *at = keys->text + (row - keys->begin);
	const char *text = str_text(&keys->texts) + at[0] + from;
	size_t len = at[1] - at[0] - from;
	uint64_t head = 0;

	for (size_t i = 0; i < HEAD; i++)
		head = head << 8 | (i < len ? (unsigned char)text[i] : 0);
	return head << 8 | (len > HEAD ? HEAD + 1 : len);
}

static int compare_rows(const struct keys *keys, uint32_t a, uint32_t b)
{
	const struct table *t = keys->table;

	return keys->col->order(t->context, keys->col->id, table_source_row(t, a),
	                        table_source_row(t, b));
}

/* Equal rows keep their order. */
static int by_own_order(const void *a, const void *b, void *context)
{
	uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
	const struct keys *keys = context;
	int order = keys->falls ? compare_rows(keys, q, p) : compare_rows(keys, p, q);

	return order ? order : (p > q) - (p < q);
}

static void sort_numbers(struct keys *keys, struct numbered *at, size_t n)
{
	for (size_t i = 0; keys->falls && i < n; i++)
		at[i].key = ~at[i].key;
	numbered_sort(at, keys->other, n);
	for (size_t i = 0; keys->falls && i < n; i++)
		at[i].key = ~at[i].key;
}

/* Texts that are equal up to `from`, at least one. */
static void sort_texts(struct keys *keys, struct numbered *at, size_t n, size_t from)
{
	size_t end;

	do {
		for (size_t i = 0; i < n; i++)
			at[i].key = head_of(keys, at[i].row, from);
		from += HEAD;
		sort_numbers(keys, at, n);
	} while (at[0].key == at[n - 1].key && (at[0].key & 0xff) > HEAD);
	for (size_t i = 0; i < n; i = end) {
		end = i + 1;
		while (end < n && at[end].key == at[i].key)
			end++;
		if (end - i > 1 && (at[i].key & 0xff) > HEAD)
			sort_texts(keys, at + i, end - i, from);
	}
}

static bool can_sort(const struct table *t, struct err *err)
{
	return t->n_rows < UINT32_MAX ||
	       err_at(err, ERR_LIMIT, "command", 0, "%" PRIu64 " rows are too many to sort",
	              t->n_rows);
}

/* By the column's own order, or by ranks, all rows are sorted as if they had no value. */
static void sort_by_own_order(struct keys *keys)
{
	keys->has_order = true;
	keys->n_missing = keys->end - keys->begin;
	for (size_t i = 0; i < keys->n_missing; i++)
		keys->order[i] = (uint32_t)(keys->begin + i);
	qsort_r(keys->order, keys->n_missing, sizeof *keys->order, by_own_order, keys);
}

/* Equal rows keep their order in either direction. False: there are no ranks. */
static bool sort_by_ranks(struct keys *keys)
{
	const struct table *t = keys->table;
	size_t n = keys->end - keys->begin;
	uint32_t *ranks = t->rank ? mem_alloc((n + 1) * sizeof *ranks) : NULL;
	uint32_t *next;          /* by rank: where its next row goes */
	uint64_t most = 0, rank;

	for (size_t i = 0; t->rank && i < n; i++) {
		uint64_t row = table_source_row(t, keys->begin + i);

		if (!t->rank(t->context, keys->col->id, row, &rank))
			break;
		ranks[i] = (uint32_t)rank;
		most = rank > most ? rank : most;
		keys->n_missing++;
	}
	if (!keys->n_missing) {
		free(ranks);
		return false;
	}
	next = mem_alloc((most + 2) * sizeof *next);
	for (size_t i = 0; i < n; i++) {
		ranks[i] = keys->falls ? (uint32_t)most - ranks[i] : ranks[i];
		next[ranks[i] + 1]++;
	}
	for (uint64_t at = 0; at < most; at++)
		next[at + 1] += next[at];
	for (size_t i = 0; i < n; i++)
		keys->order[next[ranks[i]]++] = (uint32_t)(keys->begin + i);
	free(next);
	free(ranks);
	return true;
}

/* Takes the keys of the rows, and sorts those that have one. */
static bool sort_keys(struct table *t, struct keys *keys, struct progress *progress,
                      struct err *err)
{
	enum col_kind kind = keys->col->kind;
	bool texts = kind == COL_TEXT || kind == COL_WORD || kind == COL_OWN, go_on = true;
	size_t n = keys->end - keys->begin;
	struct data typed;

	assert(!t->n_left_out);
	keys->order = mem_alloc((n + 1) * sizeof *keys->order);
	if (sort_by_ranks(keys))
		return true;
	if (keys->col->order) {
		sort_by_own_order(keys);
		return true;
	}
	data_open(&typed, DATA_JSON, NULL);
	keys->at = mem_alloc((2 * n + 1) * sizeof *keys->at);
	keys->other = keys->at + n;
	keys->text = texts ? mem_alloc((n + 1) * sizeof *keys->text) : NULL;
	for (uint64_t row = keys->begin; row < keys->end && go_on; row++) {
		go_on = row % STEP_EVERY || progress_step(progress, row, t->n_rows);
		take_key(t, row, &typed, keys);
	}
	if (texts)
		keys->text[n] = keys->texts.len;
	data_finish(&typed);
	if (!go_on)
		return err_at(err, ERR_CANCELLED, "command", 0, "stopped while sorting");
	if (!keys->is_text)
		sort_numbers(keys, keys->at, keys->n);
	else if (keys->n)
		sort_texts(keys, keys->at, keys->n, 0);
	return true;
}

static void keys_release(struct keys *keys)
{
	str_release(&keys->texts);
	free(keys->text);
	free(keys->order);
	free(keys->at);
}

/* Rows without a value go to one end of the new order. */
static void put_order(const struct keys *keys, bool missing_first, uint32_t *order)
{
	size_t first = missing_first ? keys->n_missing : 0;

	if (keys->n_missing)
		memcpy(order + (missing_first ? 0 : keys->n), keys->order,
		       keys->n_missing * sizeof *order);
	for (size_t i = 0; i < keys->n; i++)
		order[first + i] = keys->at[i].row;
}

static bool keeps_order(const struct keys *keys)
{
	size_t i = 0, n = keys->n ? keys->n : keys->n_missing;

	while (i < n && (keys->n ? keys->at[i].row : keys->order[i]) == keys->begin + i)
		i++;
	return keys->begin + i == keys->end;
}

/* Of rows that are in order already no order is kept. */
bool table_sort(struct table *t, int id, bool falls, struct progress *progress, struct err *err)
{
	bool missing_first = t->sorts && t->sorts->missing_first && !falls;
	size_t n = t->n_rows;
	uint32_t *order = NULL;
	bool ok = can_sort(t, err);

	for (size_t begin = 0, end; ok && begin < n; begin = end) {
		struct keys keys = { .table = t, .col = table_col(t, id), .falls = falls };

		end = t->block_end ? t->block_end(t->context, begin) : n;
		keys.begin = begin;
		keys.end = end;
		ok = sort_keys(t, &keys, progress, err);
		if (ok && !order && !keeps_order(&keys)) {
			order = mem_alloc(n * sizeof *order);
			for (uint32_t i = 0; i < begin; i++)
				order[i] = i;
		}
		if (ok && order)
			put_order(&keys, missing_first, order + begin);
		keys_release(&keys);
	}
	/* Places in the order before become rows. */
	for (size_t i = 0; ok && order && t->order && i < n; i++)
		order[i] = t->order[order[i]];
	if (ok && order) {
		free(t->order);
		t->order = order;
	} else {
		free(order);
	}
	return ok;
}

static bool are_equal(const struct keys *keys, uint32_t a, uint32_t b)
{
	const size_t *text = keys->text;

	return text[a + 1] - text[a] == text[b + 1] - text[b] &&
	       !memcmp(keys->texts.text + text[a], keys->texts.text + text[b],
	               text[a + 1] - text[a]);
}

bool table_rank(struct table *t, int id, uint32_t *ranks, struct progress *progress,
                struct err *err)
{
	struct keys keys = { .table = t, .col = table_col(t, id), .end = t->n_rows };
	bool ok = can_sort(t, err) && sort_keys(t, &keys, progress, err);
	const uint32_t *order = keys.order;
	uint32_t rank = 0;

	for (size_t i = 0; ok && i < keys.n_missing; i++) {
		rank += keys.has_order && i && compare_rows(&keys, order[i - 1], order[i]);
		ranks[order[i]] = rank;
	}
	rank = keys.n_missing > 0;
	for (size_t i = 0; ok && i < keys.n; i++) {
		const struct numbered *at = &keys.at[i];

		if (i)
			rank += keys.is_text ? !are_equal(&keys, at[-1].row, at->row)
			                     : at[-1].key != at->key;
		ranks[at->row] = rank;
	}
	keys_release(&keys);
	return ok;
}

static bool reverse_order(struct table *t, struct err *err)
{
	uint64_t n = t->n_rows;
	uint32_t *order;

	if (!can_sort(t, err))
		return false;
	order = mem_alloc((n + 1) * sizeof *order);
	for (uint64_t i = 0; i < n; i++)
		order[i] = t->order ? t->order[n - 1 - i] : (uint32_t)(n - 1 - i);
	free(t->order);
	t->order = order;
	return true;
}

/*
 * Orders the rows of a tree: each parent is followed by its children. Siblings keep the order that
 * t->order gives them.
 */
static void order_tree(struct table *t)
{
	const uint32_t none = UINT32_MAX;
	size_t n = t->n_rows, at = n, shown = 0;
	/* By row, and at n for the roots: first child, last child, next sibling, parent. */
	uint32_t *first = mem_alloc(4 * (n + 1) * sizeof *first);
	uint32_t *last = first + n + 1, *next = last + n + 1, *parent = next + n + 1;

	memset(first, 0xff, 4 * (n + 1) * sizeof *first);
	for (size_t row = 0; row < n; row++) {
		uint64_t level = t->level(t->context, row);
		size_t above = row ? row - 1 : n;

		while (above != n && t->level(t->context, above) >= level)
			above = parent[above];
		parent[row] = (uint32_t)above;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t row = t->order[i], above = parent[row];

		*(first[above] == none ? &first[above] : &next[last[above]]) = row;
		last[above] = row;
	}
	while (shown < n) {
		if (first[at] != none) {
			at = first[at];
		} else {
			while (next[at] == none)
				at = parent[at];
			at = next[at];
		}
		t->order[shown++] = (uint32_t)at;
	}
	free(first);
}

/* The options. */

static struct opt_value option(const struct call *call, const char *name)
{
	for (size_t i = 0; call->cmd && i < call->cmd->n_opts; i++)
		if (!strcmp(call->cmd->opts[i].name, name) ||
		    (call->cmd->opts[i].former && !strcmp(call->cmd->opts[i].former, name)))
			return call->args.opt[i];
	return (struct opt_value){0};
}

/* Is it the first word of asked, "min,p95"? */
static bool begins_with(const char *asked, const char *word)
{
	size_t len = strcspn(asked, ",");

	return len == strlen(word) && !strncasecmp(asked, word, len);
}

static const char *next_word(const char *asked)
{
	asked += strcspn(asked, ",");
	return asked + (*asked == ',');
}

bool table_asks(const char *asked, const char *word)
{
	while (asked && *asked && !begins_with(asked, word))
		asked = next_word(asked);
	return asked && *asked;
}

const char *table_unknown_word(const char *asked, const char *const *words)
{
	for (; asked && *asked; asked = next_word(asked)) {
		size_t i = 0;

		while (words[i] && !begins_with(asked, words[i]))
			i++;
		if (!words[i])
			return asked;
	}
	return NULL;
}

static const struct col *find_key(const struct col *cols, size_t n, const char *key, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (cols[i].typed && !strncmp(cols[i].key, key, len) && !cols[i].key[len])
			return &cols[i];
	return NULL;
}

/* The optional column whose word is the first one of asked; NULL: there is none. */
static const struct col *find_optional(const struct col *cols, size_t n, const char *asked)
{
	for (size_t i = 0; i < n; i++)
		if (cols[i].word && begins_with(asked, cols[i].word))
			return &cols[i];
	return NULL;
}

const char *table_unknown_column(const char *asked, const struct col *cols, size_t n)
{
	while (asked && *asked && (find_key(cols, n, asked, strcspn(asked, ",")) ||
	                           find_optional(cols, n, asked)))
		asked = next_word(asked);
	return asked && *asked ? asked : NULL;
}

bool table_wants(const struct call *call, const struct col *col)
{
	const char *word = option(call, "sort_by").word;

	return table_asks(option(call, "columns").word, col->key) ||
	       (word && (!strcmp(word, col->key) || (col->word && !strcmp(word, col->word))));
}

static const struct sort_word *find_word(const struct table_sorts *sorts, const char *word)
{
	const struct sort_word *at = sorts ? sorts->words : NULL;

	while (at && at->word && word && strcmp(at->word, word))
		at++;
	return at && at->word ? at : NULL;
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
	if (reverse && !col && (turns || !word || !word->by[0]) && !reverse_order(t, &call->err))
		return false;
	if (t->level && t->order)
		order_tree(t);
	return true;
}

/* Numbers below 0 leave no row out. */
static void cut_rows(struct call *call, struct table *t)
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

/* In lists the words of columns are those of --sort_by. */
static const struct col *find_asked(const struct table *t, const char *asked, bool *optional)
{
	const struct col *col = t->list ? NULL : find_optional(t->cols, t->n_cols, asked);

	*optional = col;
	return col ? col : find_key(t->cols, t->n_cols, asked, strcspn(asked, ","));
}

/* The command has added optional columns; any other makes the list that of all columns. */
static bool choose_columns(struct call *call, struct table *t)
{
	const char *asked = option(call, "columns").word;
	struct col *cols;
	size_t n = 0, n_words = 0;
	bool optional, whole = false;

	for (const char *at = asked; at && *at; at = next_word(at), n_words++) {
		if (*at != ',' && !find_asked(t, at, &optional)) {
			call_error(call, "ERROR: There is no column \"%.*s\".",
			           (int)strcspn(at, ","), at);
			return false;
		}
		whole |= *at != ',' && !optional;
	}
	if (!whole)
		return true;
	cols = mem_alloc((n_words + t->n_cols + 1) * sizeof *cols);
	for (const char *at = asked; *at; at = next_word(at)) {
		const struct col *col = *at != ',' ? find_asked(t, at, &optional) : NULL;
		size_t before = 0;

		while (col && before < n && cols[before].id != col->id)
			before++;
		if (!col || before < n)          /* asked for twice: it is shown once */
			continue;
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
	free(t->typed);          /* they were listed before, if the table has been measured */
	t->typed = NULL;
	t->n_typed = 0;
	return true;
}

bool table_arrange(struct call *call, struct table *t)
{
	if (!sort_rows(call, t) || !choose_columns(call, t))
		return false;
	cut_rows(call, t);
	return true;
}
