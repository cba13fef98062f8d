/*
 * From bad tensors and their parents to rows. What an origin spreads to is found by going from its
 * members to their children, their children's children and so on. Then rows that are one are folded
 * into each other: a gradient into the row of its forward operation, a row with a gap into one
 * whose gap has an operation in common.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/str.h"
#include "dump/model/origin_parts.h"

struct rows {
	struct origin_finder *finder;
	uint32_t *children;              /* of bad b: [start[b], start[b + 1]) */
	uint32_t *start;
	uint32_t *seen, seen_now;        /* by bad: the last spread that had it */
	uint32_t *from;                  /* by bad: where that spread came to it from; BAD_NONE */
	VEC(uint32_t) spread;            /* what the last walk met; sums, too, */
	size_t n_sums;                   /* so many */
	struct progress *progress;
	struct err *err;
};

static bool goes_on(const struct rows *r)
{
	return !progress_cancelled(r->progress) ||
	       err_at(r->err, ERR_CANCELLED, "command", 0, "cancelled");
}

/* Turns the lists of parents round. */
static void find_children(struct rows *r)
{
	const struct origin_finder *f = r->finder;
	size_t n = f->bad.len;

	r->start = mem_alloc((n + 2) * sizeof *r->start);
	r->children = mem_alloc((f->parents.len + 1) * sizeof *r->children);
	for (size_t i = 0; i < f->parents.len; i++)
		r->start[f->parents.at[i] + 2]++;
	for (size_t b = 0; b < n; b++)
		r->start[b + 2] += r->start[b + 1];
	for (uint32_t b = 0; b < n; b++)
		for (uint32_t i = 0; i < f->bad.at[b].n_parents; i++)
			r->children[r->start[f->parents.at[f->bad.at[b].parents + i] + 1]++] = b;
}

static void meet(struct rows *r, uint32_t bad, uint32_t from)
{
	if (r->seen[bad] == r->seen_now)
		return;
	r->seen[bad] = r->seen_now;
	r->from[bad] = from;
	r->n_sums += r->finder->bad.at[bad].is_sum;
	vec_push(&r->spread, bad);
}

/* Adds a bad tensor and all that comes of it to r->spread. */
static void spread_from(struct rows *r, uint32_t bad)
{
	size_t i = r->spread.len;

	meet(r, bad, BAD_NONE);
	for (; i < r->spread.len; i++) {
		uint32_t b = r->spread.at[i];

		for (uint32_t k = r->start[b]; k < r->start[b + 1]; k++)
			meet(r, r->children[k], b);
	}
}

static void begin_spread(struct rows *r)
{
	r->seen_now++;
	r->spread.len = r->n_sums = 0;
}

/* An origin's members and all that comes of them, into r->spread. */
static void find_spread(struct rows *r, const struct found *found)
{
	begin_spread(r);
	for (size_t i = 0; i < found->members.len; i++)
		spread_from(r, found->members.at[i]);
}

/* ---- a row */

struct sum {
	uint64_t nan;
	bool pos_inf, masked, absorbed;
	uint32_t first_nan;              /* BAD_NONE: there is none */
};

static bool is_before(const struct bad *a, const struct bad *b)
{
	return a->run != b->run ? a->run < b->run : a->time_us < b->time_us;
}

/* Adds up what an origin spreads to; its reach and what absorbs it go into the row. */
static struct sum sum_up(struct rows *r, struct found *found)
{
	const struct origin_finder *f = r->finder;
	struct sum sum = { .first_nan = BAD_NONE };

	for (size_t i = 0; i < r->spread.len; i++) {
		const struct bad *b = &f->bad.at[r->spread.at[i]];

		found->row.reach |= b->reach;
		sum.nan += b->counts.nan;
		sum.pos_inf |= b->counts.pos_inf > 0;
		sum.absorbed |= b->n_absorbers > 0;
		for (uint32_t k = 0; k < b->n_absorbers; k++)
			sum.masked |= f->absorbers.at[b->absorbers + k].masks;
		if (b->counts.nan && (sum.first_nan == BAD_NONE ||
		                      is_before(b, &f->bad.at[sum.first_nan])))
			sum.first_nan = r->spread.at[i];
	}
	return sum;
}

static void tell_absorbers(const struct rows *r, struct origin_row *row)
{
	const struct origin_finder *f = r->finder;

	for (size_t i = 0; i < r->spread.len; i++) {
		const struct bad *b = &f->bad.at[r->spread.at[i]];

		for (uint32_t k = 0; k < b->n_absorbers; k++)
			vec_push(&row->absorbed_by,
			         f->names.key[f->absorbers.at[b->absorbers + k].node]);
	}
	origin_names_sort(&row->absorbed_by);
}

static enum benign benign_of(const struct found *found, const struct sum *sum)
{
	if (found->is_flow)
		return BENIGN_FLOW;
	if (found->row.reach || found->is_blind)
		return BENIGN_NO;
	if (!sum->absorbed)
		return BENIGN_UNUSED;
	if (sum->nan)
		return BENIGN_NO;
	if (found->is_const)
		return BENIGN_CONSTANT;
	return !sum->pos_inf && sum->masked ? BENIGN_MASK : BENIGN_ABSORBED;
}

static int by_time(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* In which runs it was an origin, and how often. */
static void tell_times(const struct origin_finder *f, const struct found *found,
                       struct origin_row *row)
{
	size_t n = found->members.len;
	uint64_t *times = mem_alloc((n + 1) * sizeof *times);

	for (size_t i = 0; i < n; i++) {
		const struct bad *b = &f->bad.at[found->members.at[i]];

		times[i] = (uint64_t)b->run << 32 | b->exec;
	}
	qsort(times, n, sizeof *times, by_time);
	for (size_t i = 0; i < n; i++) {
		uint32_t run = (uint32_t)(times[i] >> 32);

		if (i && times[i] == times[i - 1])
			continue;
		row->times++;
		if (!row->runs.len || *vec_last(&row->runs) != run)
			vec_push(&row->runs, run);
	}
	free(times);
}

static struct origin_tensor tensor_of(const struct origin_finder *f, const struct bad *b)
{
	return (struct origin_tensor){ .node = f->names.key[b->node], .slot = b->slot,
	                               .run = b->run, .exec = b->exec };
}

/* What a spread reaches first, of the best kind: a fetch before a variable. BAD_NONE: nothing. */
static uint32_t find_end(const struct rows *r)
{
	for (unsigned reach = 0; reach < N_REACHES; reach++)
		for (size_t i = 0; i < r->spread.len; i++)
			if (r->finder->bad.at[r->spread.at[i]].reach & 1u << reach)
				return r->spread.at[i];
	return BAD_NONE;
}

/* From what is reached back to where the spread began, then reverses the list. */
static void find_walk(const struct rows *r, struct origin_row *row)
{
	const struct origin_finder *f = r->finder;

	for (uint32_t at = find_end(r); at != BAD_NONE; at = r->from[at]) {
		const struct bad *b = &f->bad.at[at];

		if (b->is_sum)
			continue;
		vec_push(&row->walk, ((struct walk_step){
			.tensor = tensor_of(f, b), .op = f->names.key[b->op],
			.counts = b->counts, .execution = -1 }));
	}
	for (size_t i = 0; i < row->walk.len / 2; i++) {
		struct walk_step *a = &row->walk.at[i];
		struct walk_step *b = &row->walk.at[row->walk.len - 1 - i], step = *a;

		*a = *b;
		*b = step;
	}
}

static void settle(struct rows *r, struct found *found)
{
	const struct origin_finder *f = r->finder;
	struct sum sum;

	find_spread(r, found);
	sum = sum_up(r, found);
	find_walk(r, &found->row);
	found->n_own = found->members.len;
	found->row.spread = r->spread.len - r->n_sums - found->n_own;
	found->row.benign = benign_of(found, &sum);
	if (!found->row.reach)
		tell_absorbers(r, &found->row);
	tell_times(f, found, &found->row);
	if (sum.first_nan != BAD_NONE && !found->row.counts.nan) {
		const struct bad *b = &f->bad.at[sum.first_nan];

		found->row.first_nan = tensor_of(f, b);
	}
}

/*
 * Bad tensors that no origin leads to come of each other, in a circle: of operations of equal time
 * it is not known which came first. The first one of each such circle has to do.
 */
static bool find_circles(struct rows *r)
{
	struct origin_finder *f = r->finder;

	begin_spread(r);
	for (size_t i = 0; i < f->found.len; i++)
		for (size_t k = 0; k < f->found.at[i].members.len; k++)
			spread_from(r, f->found.at[i].members.at[k]);
	for (uint32_t b = 0; b < f->bad.len && r->spread.len < f->bad.len; b++) {
		struct found *found;

		if (r->seen[b] == r->seen_now || f->bad.at[b].is_sum)
			continue;
		found = origin_found(f, b);
		if (found)
			found->row.unordered = "it comes of itself, by others of the same time";
		spread_from(r, b);
	}
	return goes_on(r);
}

/* ---- folding */

/* The guest is no origin of its own. */
static void join(struct rows *r, size_t host, size_t guest)
{
	struct found *h = &r->finder->found.at[host], *g = &r->finder->found.at[guest];

	for (size_t i = 0; i < g->members.len; i++)
		vec_push(&h->members, g->members.at[i]);
	g->folded_into = host + 1;
}

static void tell_also(struct origin_row *host, const struct origin_row *guest)
{
	vec_push(&host->also, ((struct origin_tensor){
		.node = guest->node, .slot = guest->slot, .run = guest->run, .exec = guest->exec,
		.link = guest->link }));
}

/* By "run\nname": the first row whose node, or a node of whose gap, it is. */
struct hosts {
	struct map names;
	VEC(size_t) at;
	struct arena mem;
	struct str key;
};

static const struct str *host_key(struct hosts *h, uint32_t run, const char *name)
{
	str_reset(&h->key);
	str_fmt(&h->key, "%" PRIu32 "\n%s", run, name);
	return &h->key;
}

static void add_host(struct hosts *h, uint32_t run, const char *name, size_t host)
{
	const struct str *key = host_key(h, run, name);

	if (map_add(&h->names, &h->mem, key->text, key->len) == h->at.len)
		vec_push(&h->at, host);
}

/* The earlier one of the host of this name and *first. */
static void find_host(struct hosts *h, uint32_t run, const char *name, size_t *first)
{
	const struct str *key = host_key(h, run, name);
	uint32_t id = map_find(&h->names, key->text, key->len);

	if (id != MAP_NONE && h->at.at[id] < *first)
		*first = h->at.at[id];
}

static void hosts_release(struct hosts *h)
{
	map_release(&h->names);
	vec_release(&h->at);
	arena_release(&h->mem);
	str_release(&h->key);
}

static void add_gradient_hosts(const struct origin_finder *f, struct hosts *hosts)
{
	for (size_t i = 0; i < f->found.len; i++) {
		const struct found *found = &f->found.at[i];

		if (found->row.benign || found->of_gradient)
			continue;
		add_host(hosts, found->row.run, found->row.node, i);
		for (size_t k = 0; k < found->row.gap.len; k++)
			add_host(hosts, found->row.run, found->row.gap.at[k], i);
	}
}

/* What reaches nothing by itself does so by the way of its gradient. */
static void get_out_by(struct origin_row *row, struct origin_row *gradient)
{
	for (size_t i = 0; !row->reach && i < gradient->walk.len; i++)
		vec_push(&row->walk, gradient->walk.at[i]);
	row->reach |= gradient->reach;
}

/* A gradient that goes bad where its forward operation does is no origin of its own. */
static void fold_gradients(struct rows *r)
{
	struct origin_finder *f = r->finder;
	struct hosts hosts = {0};

	add_gradient_hosts(f, &hosts);
	for (size_t i = 0; i < f->found.len; i++) {
		struct found *guest = &f->found.at[i];
		size_t host = SIZE_MAX;

		for (size_t k = 0; k < guest->forwards.len; k++)
			find_host(&hosts, guest->row.run, f->names.key[guest->forwards.at[k]],
			          &host);
		while (host != SIZE_MAX && f->found.at[host].folded_into)
			host = f->found.at[host].folded_into - 1;
		if (host == SIZE_MAX || host == i)
			continue;
		get_out_by(&f->found.at[host].row, &guest->row);
		tell_also(&f->found.at[host].row, &guest->row);
		join(r, host, i);
	}
	hosts_release(&hosts);
}

/* Of ranked rows: one whose gap has an operation in common with an earlier one's is that one. */
static void fold_gaps(struct rows *r, struct origins_report *report)
{
	struct origin_row *rows = report->rows.at;
	size_t n_left = 0, n_benign = report->rows.len - report->n_origins;
	struct hosts hosts = {0};

	for (size_t i = 0; i < report->n_origins; i++) {
		size_t host = SIZE_MAX;

		for (size_t k = 0; k < rows[i].gap.len; k++)
			find_host(&hosts, 0, rows[i].gap.at[k], &host);
		if (host != SIZE_MAX) {
			tell_also(&rows[host], &rows[i]);
			join(r, rows[host].id, rows[i].id);
			origin_row_release(&rows[i]);
			continue;
		}
		for (size_t k = 0; k < rows[i].gap.len; k++)
			add_host(&hosts, 0, rows[i].gap.at[k], n_left);
		rows[n_left++] = rows[i];
	}
	if (n_benign)
		memmove(rows + n_left, rows + report->n_origins, n_benign * sizeof *rows);
	report->n_origins = n_left;
	report->rows.len = n_left + n_benign;
	hosts_release(&hosts);
}

/* ---- the report */

static int by_first(const void *a, const void *b)
{
	const struct found *const *x = a, *const *y = b;
	const struct origin_row *p = &(*x)->row, *q = &(*y)->row;

	if (p->run != q->run)
		return p->run < q->run ? -1 : 1;
	if ((*x)->time_us != (*y)->time_us)
		return (*x)->time_us < (*y)->time_us ? -1 : 1;
	return (p->id > q->id) - (p->id < q->id);
}

static const char *text_in(struct origins_report *report, const char *text)
{
	return text ? arena_copy(&report->mem, text, strlen(text)) : NULL;
}

static void own_names(struct origins_report *report, origin_names *names)
{
	for (size_t i = 0; i < names->len; i++)
		names->at[i] = text_in(report, names->at[i]);
}

/* The texts that were the finder's become the report's. */
static void own_texts(struct origins_report *report, struct origin_row *row)
{
	row->node = text_in(report, row->node);
	row->op = text_in(report, row->op);
	row->device = text_in(report, row->device);
	row->fed = text_in(report, row->fed);
	row->unordered = text_in(report, row->unordered);
	row->first_nan.node = text_in(report, row->first_nan.node);
	own_names(report, &row->gap);
	own_names(report, &row->suspects);
	own_names(report, &row->unread);
	own_names(report, &row->writers);
	own_names(report, &row->absorbed_by);
	for (size_t i = 0; i < row->also.len; i++)
		row->also.at[i].node = text_in(report, row->also.at[i].node);
	for (size_t i = 0; i < row->walk.len; i++) {
		row->walk.at[i].tensor.node = text_in(report, row->walk.at[i].tensor.node);
		row->walk.at[i].op = text_in(report, row->walk.at[i].op);
	}
}

/* Moves the rows that are left into the report, in the order of their first tensors. */
static void put_rows(struct rows *r, struct origins_report *report)
{
	struct origin_finder *f = r->finder;
	struct found **order = mem_alloc((f->found.len + 1) * sizeof *order);

	for (size_t i = 0; i < f->found.len; i++)
		order[i] = &f->found.at[i];
	qsort(order, f->found.len, sizeof *order, by_first);
	for (size_t i = 0; i < f->found.len; i++)
		if (!order[i]->folded_into) {
			*origins_add(report) = order[i]->row;
			memset(&order[i]->row, 0, sizeof order[i]->row);
		}
	free(order);
}

static void put_totals(const struct origin_finder *f, struct origins_report *report)
{
	struct str why = {0};

	report->tensors = f->tensors;
	report->bad_tensors = f->n_bad;
	report->first_bad_run = f->first_bad_run;
	report->many_devices = f->many_devices;
	if (!f->judged && f->unjudged.len) {
		str_puts(&why, "this dump holds no health data");
		for (size_t i = 0; i < f->unjudged.len; i++)
			str_fmt(&why, "%s%s", i ? ", " : ": ", f->unjudged.key[i]);
		report->refused = text_in(report, why.text);
	}
	str_release(&why);
}

static void put_mark(const struct origin_finder *f, const struct bad *b, bool harmless,
                     struct origins_report *report)
{
	if (b->time_us >= 0)
		vec_push(&report->marks, ((struct origin_mark){
			text_in(report, f->names.key[b->node]),
			text_in(report, f->names.key[b->device]), b->slot, b->run, b->exec,
			harmless }));
}

/* Origins; then what comes of those that do no harm and of no other. */
static void put_marks(struct rows *r, struct origins_report *report)
{
	const struct origin_finder *f = r->finder;

	begin_spread(r);
	for (size_t i = 0; i < report->n_origins; i++) {
		const struct found *found = &f->found.at[report->rows.at[i].id];

		for (size_t k = 0; k < found->members.len; k++) {
			if (k < found->n_own)
				put_mark(f, &f->bad.at[found->members.at[k]], false, report);
			spread_from(r, found->members.at[k]);
		}
	}
	r->spread.len = 0;
	for (size_t i = report->n_origins; i < report->rows.len; i++) {
		const struct found *found = &f->found.at[report->rows.at[i].id];

		for (size_t k = 0; k < found->members.len; k++)
			spread_from(r, found->members.at[k]);
	}
	for (size_t i = 0; i < r->spread.len; i++)
		put_mark(f, &f->bad.at[r->spread.at[i]], true, report);
}

static void count_by_run(const struct origin_finder *f, struct origins_report *report)
{
	for (size_t i = 0; i < f->bad.len; i++) {
		const struct bad *b = &f->bad.at[i];

		while (report->bad_by_run.len < b->run)
			vec_push(&report->bad_by_run, 0);
		if (b->time_us >= 0 && b->run)
			report->bad_by_run.at[b->run - 1]++;
	}
}

/* What comes of what is then not known in full. */
static void tell_graph_fault(const struct origin_finder *finder, struct origins_report *report)
{
	const struct err *why = &finder->graph_fault;
	struct str text = {0};

	if (!why->code)
		return;
	str_puts(&text, "A graph could not be read again: ");
	err_put(&text, path_name(why->src), why);
	vec_push(&report->warnings, arena_copy(&report->mem, text.text, text.len));
	str_release(&text);
}

struct origins_report *origin_finder_finish(struct origin_finder *finder,
                                            origin_is_ignored *is_ignored, void *context,
                                            struct progress *progress, struct err *err)
{
	struct origins_report *report = origins_report_new();
	struct rows r = { .finder = finder, .progress = progress, .err = err };
	bool ok;

	find_children(&r);
	r.seen = mem_alloc((finder->bad.len + 1) * sizeof *r.seen);
	r.from = mem_alloc((finder->bad.len + 1) * sizeof *r.from);
	ok = find_circles(&r);
	for (size_t i = 0; ok && i < finder->found.len; i++) {
		settle(&r, &finder->found.at[i]);
		ok = goes_on(&r);
	}
	if (ok) {
		fold_gradients(&r);
		put_rows(&r, report);
		origins_rank(report, is_ignored, context);
		fold_gaps(&r, report);
		for (size_t i = 0; i < report->rows.len; i++) {
			struct found *found = &finder->found.at[report->rows.at[i].id];

			if (found->members.len > found->n_own) {
				find_spread(&r, found);
				report->rows.at[i].spread =
					r.spread.len - r.n_sums - found->n_own;
			}
			own_texts(report, &report->rows.at[i]);
		}
		put_marks(&r, report);
		count_by_run(finder, report);
		put_totals(finder, report);
		tell_graph_fault(finder, report);
	}
	free(r.children);
	free(r.start);
	free(r.seen);
	free(r.from);
	vec_release(&r.spread);
	if (ok)
		return report;
	origins_report_free(report);
	return NULL;
}
