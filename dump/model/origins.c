#include "dump/model/origins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"

const char *const benign_names[] = {
#define X(id, name) name,
	BENIGN_CLASSES(X)
#undef X
};

const char *const reach_names[] = {
#define X(id, name) name,
	ORIGIN_REACHES(X)
#undef X
};

struct origins_report *origins_report_new(void)
{
	struct origins_report *report = mem_alloc(sizeof *report);

	report->first_bad_execution = -1;
	atomic_init(&report->users, 1);
	return report;
}

struct origins_report *origins_report_keep(struct origins_report *report)
{
	atomic_fetch_add(&report->users, 1);
	return report;
}

void origin_row_release(struct origin_row *row)
{
	vec_release(&row->runs);
	vec_release(&row->gap);
	vec_release(&row->suspects);
	vec_release(&row->unread);
	vec_release(&row->writers);
	vec_release(&row->absorbed_by);
	vec_release(&row->also);
	vec_release(&row->walk);
}

void origins_report_free(void *what)
{
	struct origins_report *report = what;

	if (!report || atomic_fetch_sub(&report->users, 1) > 1)
		return;
	for (size_t i = 0; i < report->rows.len; i++)
		origin_row_release(&report->rows.at[i]);
	vec_release(&report->rows);
	vec_release(&report->runs);
	vec_release(&report->steps);
	vec_release(&report->bad_by_run);
	vec_release(&report->unjudged_runs);
	vec_release(&report->marks);
	vec_release(&report->warnings);
	for (size_t i = 0; i < report->growth.len; i++)
		free(report->growth.at[i].max);
	vec_release(&report->growth);
	arena_release(&report->mem);
	free(report);
}

struct origin_row *origins_add(struct origins_report *report)
{
	struct origin_row *row = vec_add(&report->rows);

	row->execution = row->call = -1;
	return row;
}

void origins_fold(struct origins_report *report, struct origin_row *host, struct origin_row *row)
{
	size_t at = (size_t)(row - report->rows.at);

	vec_push(&host->also, ((struct origin_tensor){ row->node, row->slot, row->run, row->exec,
	                                               row->where, row->record, row->link }));
	report->n_origins -= at < report->n_origins;
	origin_row_release(row);
	memmove(row, row + 1, (report->rows.len - at - 1) * sizeof *row);
	report->rows.len--;
}

struct ranked {
	struct origin_row row;
	size_t order;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	bool x_benign = x->row.benign, y_benign = y->row.benign;
	bool x_ends = !x->row.reach, y_ends = !y->row.reach;

	if (x_benign != y_benign)
		return x_benign - y_benign;
	if (x_ends != y_ends)
		return x_ends - y_ends;
	if (x->row.run != y->row.run)
		return x->row.run < y->row.run ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void origins_rank(struct origins_report *report, origin_is_ignored *is_ignored, void *context)
{
	size_t n = report->rows.len;
	struct ranked *ranked = mem_alloc((n + 1) * sizeof *ranked);

	report->n_ignored = report->n_origins = 0;
	for (size_t i = 0; i < n; i++) {
		struct origin_row *row = &report->rows.at[i];

		if (!row->benign && is_ignored && is_ignored(context, row->node))
			row->benign = BENIGN_IGNORED;
		report->n_ignored += row->benign == BENIGN_IGNORED;
		report->n_origins += !row->benign;
		ranked[i] = (struct ranked){ *row, i };
	}
	qsort(ranked, n, sizeof *ranked, by_rank);
	for (size_t i = 0; i < n; i++)
		report->rows.at[i] = ranked[i].row;
	free(ranked);
}

void origins_name_worker(struct origins_report *report, const char *worker)
{
	const char *name = arena_copy(&report->mem, worker, strlen(worker));

	for (size_t i = 0; i < report->rows.len; i++)
		report->rows.at[i].worker = name;
}

static uint32_t earlier_of(uint32_t a, uint32_t b)
{
	return !a || (b && b < a) ? b : a;
}

static void join_totals(struct origins_report *report, const struct origins_report *other)
{
	report->tensors += other->tensors;
	report->bad_tensors += other->bad_tensors;
	report->first_bad_run = earlier_of(report->first_bad_run, other->first_bad_run);
	report->many_devices |= other->many_devices;
	report->refused = report->refused ? other->refused : NULL;
	while (report->bad_by_run.len < other->bad_by_run.len)
		vec_push(&report->bad_by_run, 0);
	for (size_t i = 0; i < other->bad_by_run.len; i++)
		report->bad_by_run.at[i] += other->bad_by_run.at[i];
	for (size_t i = 0; i < other->unjudged_runs.len; i++)
		vec_push(&report->unjudged_runs, other->unjudged_runs.at[i]);
}

int64_t origins_step_of(const struct origins_report *report, uint32_t run)
{
	return run && run <= report->steps.len ? report->steps.at[run - 1] : -1;
}

void origins_join(struct origins_report *report, struct origins_report *other)
{
	join_totals(report, other);
	for (size_t i = 0; i < other->rows.len; i++)
		vec_push(&report->rows, other->rows.at[i]);
	for (size_t i = 0; i < other->marks.len; i++)
		vec_push(&report->marks, other->marks.at[i]);
	report->unjudged |= other->unjudged;
	for (size_t i = 0; i < other->warnings.len; i++)
		vec_push(&report->warnings, other->warnings.at[i]);
	arena_join(&report->mem, &other->mem);
	other->rows.len = 0;
	origins_report_free(other);
	origins_rank(report, NULL, NULL);
}

void origin_put_name(struct str *out, const char *node, uint32_t slot)
{
	str_fmt(out, "%s:%" PRIu32, node, slot);
}

void origin_names_sort(origin_names *names)
{
	if (names->len)
		names->len = texts_sort_once(names->at, names->len);
}
