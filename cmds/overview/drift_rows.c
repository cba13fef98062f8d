#include "cmds/overview/drift_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/position.h"

int64_t drift_number(const struct series_list *list, const struct series *s, size_t place)
{
	if (place == DRIFT_NOWHERE)
		return DRIFT_NEVER;
	if (s->steps)
		return s->steps[place];
	return (int64_t)place + (list->by == SERIES_BY_RUN);
}

/*
 * The largest growth over three successive sizes: a factor a run, the mean of the two steps. From
 * nothing there is no factor.
 */
static void find_growth(struct drift_row *row)
{
	const struct size_at *at = row->s->at;
	size_t first = DRIFT_NOWHERE, middle = DRIFT_NOWHERE;

	for (size_t i = 0; i < row->s->n; i++) {
		double growth;

		if (isnan(at[i].size))
			continue;
		if (first != DRIFT_NOWHERE && at[first].size > 0 && at[middle].size > 0) {
			growth = sqrt(at[i].size) / sqrt(at[first].size);
			if (row->from == DRIFT_NOWHERE || growth > row->growth) {
				row->growth = growth;
				row->from = first;
			}
		}
		first = middle;
		middle = i;
	}
}

struct drift_row drift_row_of(const struct series_list *list, const struct series *s)
{
	struct drift_row row = { .s = s, .first = NAN, .last = NAN, .max = NAN, .growth = NAN,
	                   .from = DRIFT_NOWHERE, .bad = DRIFT_NOWHERE };

	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i].bad && row.bad == DRIFT_NOWHERE)
			row.bad = i;
		if (isnan(s->at[i].size))
			continue;
		row.first = row.n++ ? row.first : s->at[i].size;
		row.last = s->at[i].size;
		row.max = fmax(row.max, s->at[i].size);
	}
	find_growth(&row);
	row.from_number = drift_number(list, s, row.from);
	row.bad_number = drift_number(list, s, row.bad);
	return row;
}

void drift_put_number(const struct shell *shell, enum series_by by, int64_t number,
                      struct str *out)
{
	if (by == SERIES_BY_RUN)
		put_run_number(out, runs_at(shell->runs, (size_t)number));
	else
		str_int(out, number);
}

bool drift_is_flat(const struct drift_row *row)
{
	for (size_t i = 0; i < row->s->n; i++)
		if (!isnan(row->s->at[i].size) && row->s->at[i].size != row->max)
			return false;
	return row->n > 0 || row->bad == DRIFT_NOWHERE;
}

static int by_number(double a, double b)
{
	return (a > b) - (a < b);
}

static int by_name(const void *a, const void *b)
{
	const struct drift_row *p = a, *q = b;
	int order = strcmp(p->s->tensor, q->s->tensor);

	return order ? order : (p->s > q->s) - (p->s < q->s);
}

/* Descending; what has none is last. */
static int by_growth(const void *a, const void *b)
{
	const struct drift_row *p = a, *q = b;
	double x = isnan(p->growth) ? -1 : p->growth, y = isnan(q->growth) ? -1 : q->growth;
	int order = by_number(y, x);

	return order ? order : by_name(a, b);
}

static int by_from(const void *a, const void *b)
{
	const struct drift_row *p = a, *q = b;

	if (p->from_number != q->from_number)
		return p->from_number < q->from_number ? -1 : 1;
	return by_growth(a, b);
}

void drift_sort(drift_row_list *rows, enum drift_order order, bool reverse)
{
	static int (*const orders[N_DRIFT_ORDERS])(const void *, const void *) = {
		[DRIFT_BY_FROM] = by_from, [DRIFT_BY_GROWTH] = by_growth,
		[DRIFT_BY_NAME] = by_name,
	};
	size_t n = rows->len;

	if (n)
		qsort(rows->at, n, sizeof *rows->at, orders[order]);
	for (size_t i = 0; reverse && i < n / 2; i++) {
		struct drift_row row = rows->at[i];

		rows->at[i] = rows->at[n - 1 - i];
		rows->at[n - 1 - i] = row;
	}
}

bool drift_first(const struct series_list *list, struct drift_row *out)
{
	bool any = false;

	for (size_t i = 0; i < list->list.len; i++) {
		struct drift_row row = drift_row_of(list, &list->list.at[i]);

		if (drift_is_flat(&row) || !(row.growth >= DRIFT_THRESHOLD) ||
		    (any && by_from(out, &row) <= 0))
			continue;
		*out = row;
		any = true;
	}
	return any;
}
