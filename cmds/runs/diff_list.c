/*
 * The table of two runs. A row is a position in the pairs; all its cells are made from the pair
 * when they are asked for.
 */
#include "cmds/runs/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/array/array.h"
#include "cmds/doc/cut_names.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/session/dumps.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

enum { STEP_EVERY = 4096 };      /* rows between two looks at progress */
enum { NAME_LEAST = 24 };        /* columns of a tensor's name */

const struct column diff_columns[N_DIFF_COLUMNS] = {
#define X(id, key, heading, sort, align) [DIFF_COLUMN_##id] = { key, heading, COLUMN_##sort },
	DIFF_COLUMNS(X)
#undef X
};

enum align { LEFT, RIGHT };
static const enum align aligns[N_DIFF_COLUMNS] = {
#define X(id, key, heading, sort, align) [DIFF_COLUMN_##id] = align,
	DIFF_COLUMNS(X)
#undef X
};

/* Figures. */

void put_max_abs(struct str *out, const struct compared *c)
{
	if (!c || !c->measured)
		return;
	if (c->whole)
		str_fmt(out, "%" PRIu64, c->max_whole);
	else
		put_short(out, c->max_abs);
}

void put_max_rel(struct str *out, const struct compared *c)
{
	if (c && c->measured)
		put_short(out, c->max_rel);
}

void put_max_ulps(struct str *out, const struct compared *c)
{
	if (c && c->measured && c->has_ulps)
		str_fmt(out, "%" PRIu64, c->max_ulps);
}

void elem_index_of(struct elem_index *index, uint64_t number, uint32_t rank, const int64_t *dim)
{
	index->rank = rank;
	for (uint32_t d = rank; d-- > 0; number /= (uint64_t)dim[d])
		index->at[d] = (int64_t)(number % (uint64_t)dim[d]);
}

void put_elem_index(struct str *out, const struct elem_index *index)
{
	str_putc(out, '[');
	for (uint32_t d = 0; d < index->rank; d++)
		str_fmt(out, d ? ",%" PRId64 : "%" PRId64, index->at[d]);
	str_putc(out, ']');
}

void put_elem_index_data(struct data *data, const char *key, const struct elem_index *index)
{
	data_key(data, key);
	data_list(data);
	for (uint32_t d = 0; d < index->rank; d++)
		data_int(data, index->at[d]);
	data_end(data);
}

static void put_form_shape(struct str *out, const struct tensor_form *form)
{
	struct shape shape;

	if (!form)
		return;
	shape.rank = form->rank;
	memcpy(shape.dim, form->dim, form->rank * sizeof *form->dim);
	put_shape(out, &shape);
}

/* Rows. */

static const struct diff_pair *pair_at(const struct diff_list *list, uint64_t row)
{
	return &list->diff->pairs.at[list->rows.at[row]];
}

/* The run that a pair is told of, and the tensor in it. */
static const struct run *run_of(const struct diff_list *list, const struct diff_pair *pair)
{
	return pair->now != DIFF_NONE ? list->diff->now : list->diff->before;
}

static const struct tensor *tensor_of(const struct diff_list *list, const struct diff_pair *pair)
{
	return &run_of(list, pair)->tensors.at[pair->now != DIFF_NONE ? pair->now : pair->before];
}

static void put_name(const struct diff_list *list, const struct diff_pair *pair, struct str *out)
{
	const struct tensor *t = tensor_of(list, pair);

	str_fmt(out, "%s:%" PRIu32, t->node, t->slot);
	if (list->with_debug_op)
		str_fmt(out, ":%s", run_of(list, pair)->debug_ops.key[t->debug_op]);
}

/* "int32 (float32)": of another type the old one too. */
static void put_dtype(const struct diff_pair *pair, struct str *out)
{
	const struct tensor_form *form = pair->form ? pair->form : pair->old_form;

	if (form)
		str_puts(out, form->type->name);
	if (pair->status == DIFF_DTYPE)
		str_fmt(out, " (%s)", pair->old_form->type->name);
}

static void put_cell(const struct diff_list *list, const struct diff_pair *pair,
                     enum diff_column column, struct str *out)
{
	const struct compared *c = pair->compared;
	struct elem_index index;

	switch (column) {
	case DIFF_COLUMN_STATUS: str_puts(out, diff_status_names[pair->status]); break;
	case DIFF_COLUMN_TENSOR: put_name(list, pair, out); break;
	case DIFF_COLUMN_DUMP: str_fmt(out, "%" PRIu32, tensor_of(list, pair)->number); break;
	case DIFF_COLUMN_DTYPE: put_dtype(pair, out); break;
	case DIFF_COLUMN_SHAPE: put_form_shape(out, pair->form); break;
	case DIFF_COLUMN_OLD_SHAPE: put_form_shape(out, pair->old_form); break;
	case DIFF_COLUMN_N_DIFF:
		if (c)
			str_fmt(out, "%" PRIu64, c->n_diff);
		break;
	case DIFF_COLUMN_N_BAD:
		if (c)
			str_fmt(out, "%" PRIu64, c->n_bad);
		break;
	case DIFF_COLUMN_FIRST:
		if (c && c->n_diff) {
			elem_index_of(&index, c->first, pair->form->rank, pair->form->dim);
			put_elem_index(out, &index);
		}
		break;
	case DIFF_COLUMN_MAX_ABS: put_max_abs(out, c); break;
	case DIFF_COLUMN_MAX_REL: put_max_rel(out, c); break;
	case DIFF_COLUMN_MAX_ULPS: put_max_ulps(out, c); break;
	default:
		str_puts(out, run_of(list, pair)->devices.at[tensor_of(list, pair)->device].name);
		break;
	}
}

/* Which of the dumps it is for -n, which counts those of all debug ops. */
static uint64_t dump_number(const struct run *run, const struct tensor *t)
{
	uint32_t at = (uint32_t)(t - run->tensors.at);
	struct dumps dumps = {0};
	uint64_t number = 0;

	if (run->debug_ops.len == 1)
		return t->number;
	dumps_of_node(run, t->node, t->device, &dumps);
	for (size_t i = 0; i < dumps.at.len && dumps.at.at[i] != at; i++)
		number += run->tensors.at[dumps.at.at[i]].slot == t->slot;
	vec_release(&dumps.at);
	return number;
}

/* What Enter runs: the two next to each other, or the one that this run has. */
static void put_command(const struct diff_list *list, const struct diff_pair *pair,
                        struct str *out)
{
	const struct run *run = list->diff->now;
	bool both = pair->before != DIFF_NONE;
	const struct tensor *t;
	struct str name = {0};
	size_t n;

	if (pair->now == DIFF_NONE)
		return;
	t = &run->tensors.at[pair->now];
	str_fmt(&name, "%s:%" PRIu32, t->node, t->slot);
	words_put_with(out, both ? "diff" : "pt", name.text);
	str_release(&name);
	if (both)
		words_put_with(out, "", list->old.word);
	run_node_tensors(run, t->node_id, &n);
	if (n > 1)
		str_fmt(out, " %s %" PRIu64, both ? "--dump" : "-n", dump_number(run, t));
	if (list->with_device)
		words_put_with(out, " -D", run->devices.at[t->device].name);
}

static enum role role_of(enum diff_status status)
{
	return status == DIFF_SAME         ? ROLE_PLAIN
	       : status == DIFF_UNREADABLE ? ROLE_DAMAGED
	                                   : ROLE_DIFFERS;
}

/* The last column that there is. */
static enum diff_column last_column(const struct diff_list *list)
{
	return list->with_device ? DIFF_COLUMN_DEVICE : DIFF_COLUMN_MAX_ULPS;
}

/* The cell as it shows. */
static void put_shown(const struct diff_list *list, const struct diff_pair *pair, enum diff_column column,
                      struct str *out)
{
	struct str name = {0};

	if (column != DIFF_COLUMN_TENSOR || !list->names) {
		put_cell(list, pair, column, out);
		return;
	}
	put_cell(list, pair, column, &name);
	cut_names_put(list->names, str_text(&name), out);
	str_release(&name);
}

static bool list_line(struct body *body, uint64_t row, int width, struct line *line,
                      struct err *err)
{
	const struct diff_list *list = (const struct diff_list *)body;
	const struct diff_pair *pair = pair_at(list, row);
	struct str cell = {0}, command = {0};
	size_t gap = 0;          /* columns before the next cell that is not empty */

	(void)width, (void)err;
	for (enum diff_column c = 0; c <= last_column(list); c++) {
		size_t columns, begin, room;

		if (!list->shown[c])
			continue;
		str_reset(&cell);
		put_shown(list, pair, c, &cell);
		columns = utf8_columns(str_text(&cell), cell.len);
		room = columns < list->width[c] ? list->width[c] - columns : 0;
		gap += aligns[c] == RIGHT ? room : 0;
		if (cell.len) {
			str_fill(&line->text, ' ', gap);
			gap = 0;
		}
		gap += 2 + (aligns[c] == LEFT ? room : 0);
		begin = line->text.len;
		line_put(line, c == DIFF_COLUMN_STATUS ? role_of(pair->status) : ROLE_PLAIN,
		         str_text(&cell), cell.len);
		if (c == DIFF_COLUMN_TENSOR)
			put_command(list, pair, &command);
		if (c == DIFF_COLUMN_TENSOR && command.len)
			line_mark_link(line, ROLE_PLAIN, begin, line->text.len, command.text);
	}
	str_release(&cell);
	str_release(&command);
	return true;
}

static uint64_t list_rows(struct body *body)
{
	return ((struct diff_list *)body)->rows.len;
}

static const struct column *list_columns(struct body *body, size_t *n)
{
	*n = (size_t)last_column((struct diff_list *)body) + 1;
	return diff_columns;
}

/* The number to sort by; false: there is none. */
static bool number_in(const struct diff_list *list, const struct diff_pair *pair,
                      enum diff_column column, double *out)
{
	const struct compared *c = pair->compared;

	switch (column) {
	case DIFF_COLUMN_DUMP: *out = tensor_of(list, pair)->number; return true;
	case DIFF_COLUMN_N_DIFF: *out = c ? (double)c->n_diff : 0; return c;
	case DIFF_COLUMN_N_BAD: *out = c ? (double)c->n_bad : 0; return c;
	case DIFF_COLUMN_MAX_ABS: *out = c ? c->max_abs : 0; return c && c->measured;
	case DIFF_COLUMN_MAX_REL: *out = c ? c->max_rel : 0; return c && c->measured;
	default:
		*out = c ? (double)c->max_ulps : 0;
		return c && c->measured && c->has_ulps;
	}
}

static bool list_cell(struct body *body, uint64_t row, size_t column, struct table_cell *out,
                      struct err *err)
{
	const struct diff_list *list = (const struct diff_list *)body;

	(void)err;
	str_reset(&out->text);
	if (diff_columns[column].sort == COLUMN_NUMBER) {
		out->missing = !number_in(list, pair_at(list, row), column, &out->number);
		return true;
	}
	put_cell(list, pair_at(list, row), column, &out->text);
	out->missing = !out->text.len;
	return true;
}

static void list_free(struct body *body)
{
	diff_list_free((struct diff_list *)body);
}

static const struct body_kind list_kind = {
	.name = "table", .rows = list_rows, .line = list_line, .columns_of = list_columns,
	.cell_of = list_cell, .free = list_free,
};

/* Have tensors more than one debug op? */
static bool has_debug_ops(const struct run_diff *diff)
{
	const struct map *now = &diff->now->debug_ops, *before = &diff->before->debug_ops;

	return now->len > 1 || before->len > 1 ||
	       (now->len && before->len && strcmp(now->key[0], before->key[0]) != 0);
}

struct diff_list *diff_list_new(struct run_diff *diff)
{
	struct diff_list *list = mem_alloc(sizeof *list);

	list->body.kind = &list_kind;
	list->diff = diff;
	list->with_debug_op = has_debug_ops(diff);
	list->with_device = diff->now->devices.len > 1 || diff->before->devices.len > 1;
	return list;
}

void diff_list_free(struct diff_list *list)
{
	if (!list)
		return;
	run_diff_free(list->diff);
	divergences_release(&list->divergences);
	vec_release(&list->rows);
	cut_names_free(list->names);
	free(list);
}

/* Order. */

struct sorting {
	const struct diff_list *list;
	enum diff_column by;
	bool reverse;
};

static int compare_names(const struct sorting *s, const struct diff_pair *x,
                         const struct diff_pair *y)
{
	const struct tensor *t = tensor_of(s->list, x), *u = tensor_of(s->list, y);
	int order = strcmp(t->node, u->node);

	return order ? order : (t->slot > u->slot) - (t->slot < u->slot);
}

/* Missing ones last, whatever the direction. */
static int compare_forms(const struct tensor_form *a, const struct tensor_form *b, bool types,
                         bool reverse)
{
	int order = 0;

	if (!a || !b)
		return (a == NULL) - (b == NULL);
	if (types)
		order = strcmp(a->type->name, b->type->name);
	else
		order = (a->rank > b->rank) - (a->rank < b->rank);
	for (uint32_t d = 0; !types && !order && d < a->rank; d++)
		order = (a->dim[d] > b->dim[d]) - (a->dim[d] < b->dim[d]);
	return reverse ? -order : order;
}

static int compare_numbers(const struct sorting *s, const struct diff_pair *x,
                           const struct diff_pair *y)
{
	double a, b;
	bool has_a = number_in(s->list, x, s->by, &a), has_b = number_in(s->list, y, s->by, &b);
	int order;

	if (!has_a || !has_b)
		return has_b - has_a;
	order = (a > b) - (a < b);
	if (!order && s->by == DIFF_COLUMN_MAX_ULPS)
		order = (x->compared->max_ulps > y->compared->max_ulps) -
		        (x->compared->max_ulps < y->compared->max_ulps);
	return s->reverse ? -order : order;
}

static int compare_firsts(const struct sorting *s, const struct diff_pair *x,
                          const struct diff_pair *y)
{
	const struct compared *a = x->compared, *b = y->compared;
	bool has_a = a && a->n_diff, has_b = b && b->n_diff;
	int order;

	if (!has_a || !has_b)
		return has_b - has_a;
	order = (a->first > b->first) - (a->first < b->first);
	return s->reverse ? -order : order;
}

static const struct tensor_form *form_of(const struct diff_pair *pair)
{
	return pair->form ? pair->form : pair->old_form;
}

static const char *device_of(const struct diff_list *list, const struct diff_pair *pair)
{
	return run_of(list, pair)->devices.at[tensor_of(list, pair)->device].name;
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct diff_pair *x = &s->list->diff->pairs.at[i], *y = &s->list->diff->pairs.at[k];
	int sign = s->reverse ? -1 : 1, order = 0;

	switch (s->by) {
	case DIFF_COLUMN_STATUS: order = sign * ((int)x->status - (int)y->status); break;
	case DIFF_COLUMN_TENSOR: order = sign * compare_names(s, x, y); break;
	case DIFF_COLUMN_DTYPE:
		order = compare_forms(form_of(x), form_of(y), true, s->reverse);
		break;
	case DIFF_COLUMN_SHAPE:
		order = compare_forms(x->form, y->form, false, s->reverse);
		break;
	case DIFF_COLUMN_OLD_SHAPE:
		order = compare_forms(x->old_form, y->old_form, false, s->reverse);
		break;
	case DIFF_COLUMN_FIRST: order = compare_firsts(s, x, y); break;
	case DIFF_COLUMN_DEVICE:
		order = sign * strcmp(device_of(s->list, x), device_of(s->list, y));
		break;
	default: order = compare_numbers(s, x, y); break;
	}
	return order ? order : (i > k) - (i < k);
}

void diff_list_sort(struct diff_list *list, enum diff_column by, bool reverse)
{
	struct sorting s = { list, by, reverse };

	if (list->rows.len)
		qsort_r(list->rows.at, list->rows.len, sizeof *list->rows.at, compare_rows, &s);
}

/* Does the column say the same of all rows? Of the old shape: what the new one says. */
static bool is_common(const struct diff_list *list, enum diff_column column)
{
	struct str first = {0}, cell = {0};
	bool common = true;

	for (size_t i = 0; i < list->rows.len && common; i++) {
		if (!i || column == DIFF_COLUMN_OLD_SHAPE) {
			str_reset(&first);
			put_cell(list, pair_at(list, i),
			         column == DIFF_COLUMN_OLD_SHAPE ? DIFF_COLUMN_SHAPE : column, &first);
		}
		str_reset(&cell);
		put_cell(list, pair_at(list, i), column, &cell);
		common = !strcmp(str_text(&cell), str_text(&first));
	}
	str_release(&first);
	str_release(&cell);
	return common;
}

static size_t width_shown(const struct diff_list *list)
{
	size_t sum = 0;

	for (enum diff_column c = 0; c <= last_column(list); c++)
		sum += list->shown[c] ? list->width[c] + (sum ? 2 : 0) : 0;
	return sum;
}

static void cut_tensors(struct diff_list *list, size_t columns)
{
	struct str name = {0};

	list->names = cut_names_new(columns, true);
	list->width[DIFF_COLUMN_TENSOR] = columns;
	for (size_t i = 0; i < list->rows.len; i++) {
		str_reset(&name);
		put_name(list, pair_at(list, i), &name);
		cut_names_add(list->names, name.text);
	}
	str_release(&name);
}

static void fit(struct diff_list *list, size_t width)
{
	static const enum diff_column order[] = {
		DIFF_COLUMN_OLD_SHAPE, DIFF_COLUMN_DUMP, DIFF_COLUMN_DEVICE, DIFF_COLUMN_DTYPE, DIFF_COLUMN_N_BAD,
		DIFF_COLUMN_SHAPE, DIFF_COLUMN_FIRST, DIFF_COLUMN_N_DIFF, DIFF_COLUMN_MAX_ULPS, DIFF_COLUMN_MAX_REL,
	};
	size_t *name = &list->width[DIFF_COLUMN_TENSOR], others;

	for (size_t i = 0; i < sizeof order / sizeof *order && width_shown(list) > width; i++)
		if (list->shown[order[i]] && is_common(list, order[i]))
			list->shown[order[i]] = false;
	others = width_shown(list) - *name;
	if (others + *name > width && *name > NAME_LEAST)
		cut_tensors(list, others + NAME_LEAST < width ? width - others : NAME_LEAST);
}

void diff_list_measure(struct diff_list *list, int width)
{
	struct str cell = {0};

	for (enum diff_column c = 0; c <= last_column(list); c++) {
		list->width[c] = strlen(diff_columns[c].heading);
		list->shown[c] = true;
	}
	for (size_t i = 0; i < list->rows.len; i++)
		for (enum diff_column c = 0; c <= last_column(list); c++) {
			size_t columns;

			str_reset(&cell);
			put_cell(list, pair_at(list, i), c, &cell);
			columns = utf8_columns(str_text(&cell), cell.len);
			list->width[c] = columns > list->width[c] ? columns : list->width[c];
		}
	str_release(&cell);
	if (width > 0 && list->rows.len)
		fit(list, (size_t)width);
}

void diff_list_put_common(const struct diff_list *list, struct doc *doc)
{
	struct str cell = {0};
	bool any = false;

	for (enum diff_column c = 0; c <= last_column(list); c++) {
		if (list->shown[c])
			continue;
		str_reset(&cell);
		put_cell(list, pair_at(list, 0), c, &cell);
		doc_put(doc, ROLE_PLAIN, "%s%s ", any ? ", " : "All rows: ", diff_columns[c].name);
		if (c == DIFF_COLUMN_OLD_SHAPE)
			doc_put(doc, ROLE_PLAIN, "as shape");
		else
			doc_put(doc, ROLE_PLAIN, "%s", cell.len ? cell.text : "-");
		any = true;
	}
	if (any)
		doc_newline(doc);
	str_release(&cell);
}

void diff_list_headings(const struct diff_list *list, struct doc *doc, const char *base, int by,
                        bool reverse)
{
	struct line *line = doc_open_line(doc);

	for (enum diff_column c = 0; c <= last_column(list); c++) {
		const char *heading = diff_columns[c].heading;
		size_t room = list->width[c] - strlen(heading);

		if (!list->shown[c])
			continue;
		str_fill(&line->text, ' ', aligns[c] == RIGHT ? room : 0);
		line_link(line, ROLE_STRONG, heading, "%s -s %s%s", base, diff_columns[c].name,
		          by == (int)c && !reverse ? " -r" : "");
		str_fill(&line->text, ' ', 2 + (aligns[c] == RIGHT ? 0 : room));
	}
	while (line->text.len && line->text.text[line->text.len - 1] == ' ')
		str_cut(&line->text, line->text.len - 1);
	doc_newline(doc);
}

/* Where they part. */

static void put_input(const struct diff_list *list, uint32_t position, struct str *out)
{
	const struct tensor *t = &list->diff->now->tensors.at[position];

	str_fmt(out, "%s:%" PRIu32, t->node, t->slot);
}

static void put_reason(const struct diff_list *list, const struct divergence *d, struct str *out)
{
	str_puts(out, d->source ? "source" : "");
	if (d->source && !d->n_inputs)
		return;
	str_puts(out, d->source ? "; " : "");
	str_puts(out, d->n_inputs ? "inputs equal: " : "no dumped inputs");
	for (size_t i = 0; i < d->n_inputs; i++) {
		str_puts(out, i ? ", " : "");
		put_input(list, d->inputs[i], out);
	}
	str_puts(out, d->more ? ", ..." : "");
}

static void put_linked(const struct diff_list *list, const struct diff_pair *pair, struct doc *doc)
{
	struct str name = {0}, command = {0};

	put_name(list, pair, &name);
	put_command(list, pair, &command);
	if (command.len)
		doc_link(doc, ROLE_DIFFERS, name.text, "%s", command.text);
	else
		doc_put(doc, ROLE_DIFFERS, "%s", name.text);
	str_release(&name);
	str_release(&command);
}

/* The earliest tensor whose NaN or infinities are not where the other run has them; NULL: none. */
static const struct diff_pair *first_bad(const struct diff_list *list)
{
	for (size_t i = 0; i < list->diff->pairs.len; i++)
		if (list->diff->pairs.at[i].compared && list->diff->pairs.at[i].compared->n_bad)
			return &list->diff->pairs.at[i];
	return NULL;
}

static void put_first_bad(const struct diff_list *list, struct doc *doc)
{
	const struct diff_pair *pair = first_bad(list);

	if (!pair)
		return;
	doc_put(doc, ROLE_PLAIN, "First bad: ");
	put_linked(list, pair, doc);
	doc_line_put(doc, ROLE_PLAIN, " (%" PRIu64 " element(s) differ by NaN or Inf)",
	             pair->compared->n_bad);
}

static void put_divergence(const struct diff_list *list, struct doc *doc)
{
	const struct divergences *found = &list->divergences;
	const struct divergence *first = found->list.at;
	struct str reason = {0};

	if (!found->known) {
		doc_line_put(doc, ROLE_PLAIN, "First divergence: not known, this run has no graph");
		return;
	}
	if (!found->list.len) {
		doc_line_put(doc, ROLE_PLAIN, "First divergence: none");
		return;
	}
	put_reason(list, first, &reason);
	doc_put(doc, ROLE_PLAIN, "First divergence: ");
	put_linked(list, &list->diff->pairs.at[first->pair], doc);
	doc_put(doc, ROLE_PLAIN, " (%s)", reason.text);
	if (found->list.len > 1)
		doc_put(doc, ROLE_PLAIN, " and %zu more", found->list.len - 1);
	doc_newline(doc);
	str_release(&reason);
}

void diff_list_put_first(const struct diff_list *list, struct doc *doc)
{
	put_first_bad(list, doc);
	put_divergence(list, doc);
}

/* Typed. */

static void put_dims(struct data *data, const char *key, const struct tensor_form *form)
{
	data_key(data, key);
	if (!form) {
		data_null(data);
		return;
	}
	data_list(data);
	for (uint32_t d = 0; d < form->rank; d++)
		data_int(data, form->dim[d]);
	data_end(data);
}

static void put_count(struct data *data, const char *key, bool known, uint64_t count)
{
	data_key(data, key);
	if (known)
		data_uint(data, count);
	else
		data_null(data);
}

void put_compared(struct data *data, const struct compared *c, const struct elem_index *first)
{
	bool measured = c && c->measured;

	put_count(data, "n_diff", c, c ? c->n_diff : 0);
	put_count(data, "n_bad", c, c ? c->n_bad : 0);
	if (c && c->n_diff) {
		put_elem_index_data(data, "first", first);
	} else {
		data_key(data, "first");
		data_null(data);
	}
	if (measured && !c->whole) {
		data_key(data, "max_abs");
		data_float(data, c->max_abs, 64);
	} else {
		put_count(data, "max_abs", measured, measured ? c->max_whole : 0);
	}
	data_key(data, "max_rel");
	if (measured)
		data_float(data, c->max_rel, 64);
	else
		data_null(data);
	put_count(data, "max_ulps", measured && c->has_ulps, measured ? c->max_ulps : 0);
}

static void put_source(const struct diff_list *list, const struct diff_pair *pair,
                       struct data *data)
{
	const struct tensor *t = tensor_of(list, pair);
	struct str name = {0};

	data_key(data, "status");
	data_str(data, diff_status_names[pair->status]);
	data_key(data, "tensor");
	str_fmt(&name, "%s:%" PRIu32, t->node, t->slot);
	data_str(data, name.text);
	str_release(&name);
	data_key(data, "debug_op");
	data_str(data, run_of(list, pair)->debug_ops.key[t->debug_op]);
	data_key(data, "dump");
	data_uint(data, t->number);
}

static void put_row(const struct diff_list *list, const struct diff_pair *pair, struct data *data)
{
	const struct tensor_form *form = form_of(pair);
	struct elem_index first;

	if (pair->compared && pair->compared->n_diff)
		elem_index_of(&first, pair->compared->first, form->rank, form->dim);
	data_object(data);
	put_source(list, pair, data);
	data_key(data, "dtype");
	data_str(data, form ? form->type->name : NULL);
	data_key(data, "old_dtype");
	data_str(data, pair->old_form ? pair->old_form->type->name : NULL);
	put_dims(data, "shape", pair->form);
	put_dims(data, "old_shape", pair->old_form);
	put_compared(data, pair->compared, &first);
	data_key(data, "device");
	data_str(data, device_of(list, pair));
	data_end(data);
}

static void put_divergences(const struct diff_list *list, struct data *data)
{
	struct str name = {0};

	data_key(data, "first_divergence");
	data_list(data);
	for (size_t i = 0; i < list->divergences.list.len; i++) {
		const struct divergence *d = &list->divergences.list.at[i];

		data_object(data);
		put_source(list, &list->diff->pairs.at[d->pair], data);
		data_key(data, "device");
		data_str(data, device_of(list, &list->diff->pairs.at[d->pair]));
		data_key(data, "source");
		data_bool(data, d->source);
		data_key(data, "inputs");
		data_list(data);
		for (size_t k = 0; k < d->n_inputs; k++) {
			str_reset(&name);
			put_input(list, d->inputs[k], &name);
			data_str(data, name.text);
		}
		data_end(data);
		data_end(data);
	}
	data_end(data);
	str_release(&name);
}

static void put_bad_data(const struct diff_list *list, struct data *data)
{
	const struct diff_pair *pair = first_bad(list);

	data_key(data, "first_bad");
	if (!pair) {
		data_null(data);
		return;
	}
	data_object(data);
	put_source(list, pair, data);
	data_key(data, "device");
	data_str(data, device_of(list, pair));
	put_count(data, "n_bad", true, pair->compared->n_bad);
	data_end(data);
}

/* Of all tensors, listed or not. */
static void put_summary(const struct diff_list *list, struct data *data)
{
	data_key(data, "summary");
	data_object(data);
	data_key(data, "new");
	data_str(data, list->new_name);
	data_key(data, "old");
	data_str(data, list->old.name);
	put_count(data, "tensors", true, list->diff->pairs.len);
	for (enum diff_status s = 0; s < N_DIFF_STATUSES; s++)
		put_count(data, diff_status_names[s], true, list->diff->count[s]);
	data_key(data, "atol");
	data_float(data, list->tolerance.atol, 64);
	data_key(data, "rtol");
	data_float(data, list->tolerance.rtol, 64);
	data_key(data, "nan_differs");
	data_bool(data, list->tolerance.nan_differs);
	put_bad_data(list, data);
	put_divergences(list, data);
	data_end(data);
}

bool diff_list_put_data(void *context, struct data *data, struct progress *progress,
                        struct err *err)
{
	const struct diff_list *list = context;

	data_rows(data, "status,tensor,debug_op,dump,dtype,old_dtype,shape,old_shape,n_diff,n_bad,"
	                "first,max_abs,max_rel,max_ulps,device");
	for (size_t i = 0; i < list->rows.len; i++) {
		if (!(i % STEP_EVERY) && !progress_step(progress, i, list->rows.len))
			return err_at(err, ERR_CANCELLED, "command", 0, "stopped");
		put_row(list, pair_at(list, i), data);
	}
	data_end(data);
	if (data->format == DATA_JSON)
		put_summary(list, data);
	return true;
}
