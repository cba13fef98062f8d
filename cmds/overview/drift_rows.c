#include "cmds/overview/drift_rows.h"

#include <math.h>
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

/* As in the order of `drift`; both grow. */
static bool is_before(const struct drift_row *p, const struct drift_row *q)
{
	if (p->from_number != q->from_number)
		return p->from_number < q->from_number;
	if (p->growth < q->growth || p->growth > q->growth)
		return p->growth > q->growth;
	return strcmp(p->s->tensor, q->s->tensor) < 0;
}

bool drift_first(const struct series_list *list, struct drift_row *out)
{
	bool any = false;

	for (size_t i = 0; i < list->list.len; i++) {
		struct drift_row row = drift_row_of(list, &list->list.at[i]);

		if (drift_is_flat(&row) || !(row.growth >= DRIFT_THRESHOLD) ||
		    (any && !is_before(&row, out)))
			continue;
		*out = row;
		any = true;
	}
	return any;
}
