/*
 * The op view: op types, sorted. A row's total is its own figure and that of all later rows that
 * count. Minima are compared with these totals, so a small row before a large one passes.
 */
#include <stdlib.h>

#include "cmds/profile/tfprof/tfprof_view.h"
#include "dump/base/mem.h"

/* Totals from the last of the rows to the first, then the root's. */
static void add_up(struct tfprof_view *view, const uint32_t *rows, size_t n)
{
	for (int f = 0; f < TFPROF_N_FIGURES; f++) {
		int64_t sum = 0;

		if (!view->total[f])
			continue;
		for (size_t i = n; i-- > 0; ) {
			sum = tfprof_add(sum, view->own[f][rows[i]]);
			view->total[f][rows[i]] = sum;
		}
		view->total[f][0] = sum;
	}
}

/* Sorted by what rows have of their own: totals are not made yet. */
static size_t sort_rows(struct tfprof_view *view, uint32_t *rows)
{
	size_t n = 0, counted = 0;

	for (uint32_t row = 1; row < view->n; row++)
		rows[n++] = row;
	for (int f = 0; f < TFPROF_N_FIGURES; f++)
		for (size_t i = 0; view->total[f] && i < n; i++)
			view->total[f][rows[i]] = view->own[f][rows[i]];
	tfprof_sort(view, rows, n);
	for (size_t i = 0; i < n; i++)
		if (view->accounted[rows[i]])
			rows[counted++] = rows[i];
	return counted;
}

static size_t find_start(const struct tfprof_view *view, const uint32_t *rows, size_t n)
{
	size_t i = 0;

	if (view->pattern[TFPROF_START_NAME].all || !view->pattern[TFPROF_START_NAME].at.len)
		return 0;
	while (i < n &&
	       !tfprof_matches(&view->pattern[TFPROF_START_NAME], tfprof_view_name(view, rows[i])))
		i++;
	return i;
}

void tfprof_show_ops(struct tfprof_view *view)
{
	uint32_t *rows = mem_alloc((view->n + 1) * sizeof *rows);
	size_t n = sort_rows(view, rows), first, n_shown = 0;

	add_up(view, rows, n);
	first = find_start(view, rows, n);
	for (size_t i = first; i < n; i++) {
		const char *name = tfprof_view_name(view, rows[i]);

		if (tfprof_matches(&view->pattern[TFPROF_TRIM_NAME], name)
		    || (int64_t)(i - first) > view->options.number[TFPROF_MAX_DEPTH])
			break;
		if (tfprof_passes(view, rows[i], name))
			rows[n_shown++] = rows[i];
	}
	if (view->options.displayed_only)
		add_up(view, rows, n_shown);
	for (size_t i = 0; i < n_shown; i++)
		vec_push(&view->shown, ((struct tfprof_shown){ rows[i], 0 }));
	free(rows);
}
