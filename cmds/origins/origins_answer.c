/*
 * A head line, then one or two lines for each origin: what it is, and what else there is to say of
 * it. The typed answer has the same in full.
 */
#include "cmds/origins/origins_answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/origins/origins_data.h"
#include "cmds/origins/origins_store.h"
#include "cmds/session/position.h"

enum { NAMES_SHOWN = 8 };        /* of a list of names in the text; the typed answer has all */

const struct opt origins_options[] = {
	[ORIGINS_ALL] = { OPT_FLAG, "a", "all", "also show those that do no harm" },
	[ORIGINS_N] = { OPT_INT, "n", "number", "how many origins to show at most" },
	[ORIGINS_EXIT_CODE] = { OPT_FLAG, NULL, "exit-code",
	                        "in batch mode exit with 1 if there is an origin that does harm, "
	                        "else with 3 if not all could be judged" },
	[ORIGINS_MAX_BYTES] = { OPT_INT, NULL, "max-bytes",
	                        "search only if at most this many bytes must be read" },
};
const struct pos origins_positionals[] = {
	{ "rank", "an origin, 1 for the first: how it spread to what it reaches", true },
};

/* What an answer is made of; lives as long as the document. */
struct origins_view {
	const struct origins_report *report;
	size_t n;                        /* so many origins are shown */
};

/* Names. */

static void put_tensor(struct doc *doc, const char *node, uint32_t slot, const char *link)
{
	struct str name = {0}, command = {0};

	origin_put_name(&name, node, slot);
	if (!link)
		words_put_with(&command, "pt", name.text);
	doc_link(doc, ROLE_PLAIN, name.text, "%s", link ? link : command.text);
	str_release(&name);
	str_release(&command);
}

/* beside: the end of the command; or NULL. */
static void put_node(struct doc *doc, const char *node, const char *shown_by, const char *beside)
{
	struct str command = {0};

	words_put_with(&command, shown_by, node);
	str_puts(&command, beside ? beside : "");
	doc_link(doc, ROLE_PLAIN, node, "%s", command.text);
	str_release(&command);
}

static bool has_name(const origin_names *names, const char *name)
{
	for (size_t i = 0; i < names->len; i++)
		if (!strcmp(names->at[i], name))
			return true;
	return false;
}

/*
 * Nodes beside a row's. shown_by: "pt", or "ni" of those that have no tensor to show. likely: of
 * them these are marked; or NULL.
 */
static void put_nodes(struct doc *doc, const struct origin_row *row, const origin_names *names,
                      const char *shown_by, const origin_names *likely)
{
	size_t n = names->len > NAMES_SHOWN ? NAMES_SHOWN : names->len;

	for (size_t i = 0; i < n; i++) {
		doc_put(doc, ROLE_PLAIN, "%s", i ? ", " : "");
		put_node(doc, names->at[i], shown_by, row->beside);
		if (likely && has_name(likely, names->at[i]))
			doc_put(doc, ROLE_PLAIN, " (most likely)");
	}
	if (n < names->len)
		doc_put(doc, ROLE_PLAIN, " and %zu more", names->len - n);
}

/* The line of a row. */

static void put_counts(struct doc *doc, const struct bad_counts *counts)
{
	const struct { const char *name; uint64_t n; } kinds[] = {
		{ "nan", counts->nan }, { "+inf", counts->pos_inf }, { "-inf", counts->neg_inf },
	};
	const char *before = "  ";

	if (!counts_are_bad(counts))
		doc_put(doc, ROLE_BAD, "  nan or inf");
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!kinds[i].n)
			continue;
		doc_put(doc, ROLE_PLAIN, "%s", before);
		doc_put(doc, ROLE_BAD, "%s %" PRIu64, kinds[i].name, kinds[i].n);
		before = ", ";
	}
	if (counts->size >= 0)
		doc_put(doc, ROLE_PLAIN, " of %" PRId64, counts->size);
}

/* "device:CPU:0" of "/job:localhost/replica:0/task:0/device:CPU:0" */
static const char *short_device(const char *device)
{
	const char *last = strrchr(device, '/');

	return last ? last + 1 : device;
}

/* " [run 2, exec 3]", " [step #7, train_step]": what tells it from others of the name. */
static void put_place(struct doc *doc, const struct origins_report *report,
                      const struct origin_row *row)
{
	struct str place = {0};

	if (report->of_workers)
		str_fmt(&place, ", worker %s", row->worker);
	if (report->of_program) {
		if (row->execution >= 0)
			str_fmt(&place, ", step #%" PRId64, row->execution);
		if (row->graph)
			str_fmt(&place, ", %s", row->graph);
	} else if (report->runs.len > 1) {
		str_fmt(&place, ", run %" PRIu32, row->run);
	}
	if (row->exec)
		str_fmt(&place, ", exec %" PRIu32, row->exec);
	if (report->many_devices && row->device)
		str_fmt(&place, ", %s", short_device(row->device));
	if (place.len)
		doc_put(doc, ROLE_PLAIN, " [%s]", place.text + 2);
	str_release(&place);
}

static void put_absorbers(struct doc *doc, const struct origin_row *row)
{
	doc_put(doc, ROLE_PLAIN, "absorbed");
	if (row->absorbed_by.len) {
		doc_put(doc, ROLE_PLAIN, " by ");
		put_nodes(doc, row, &row->absorbed_by, row->where == ORIGIN_OF_RUN ? "pt" : "ni",
		          NULL);
	}
}

static void put_reach(struct doc *doc, const struct origin_row *row)
{
	const char *before = ", reaches ";

	doc_put(doc, ROLE_PLAIN, "  spreads to %" PRIu64, row->spread);
	for (unsigned i = 0; i < N_REACHES; i++) {
		if (!(row->reach & 1u << i))
			continue;
		doc_put(doc, ROLE_PLAIN, "%s%s", before, reach_names[i]);
		before = ", ";
	}
	if (!row->reach) {
		doc_put(doc, ROLE_PLAIN, ", ");
		put_absorbers(doc, row);
	}
}

static void put_benign(struct doc *doc, const struct origin_row *row)
{
	doc_put(doc, ROLE_PLAIN, "  benign: ");
	if (row->benign != BENIGN_ABSORBED)
		doc_put(doc, ROLE_PLAIN, "%s", benign_names[row->benign]);
	if (row->benign != BENIGN_ABSORBED && row->absorbed_by.len)
		doc_put(doc, ROLE_PLAIN, ", ");
	if (row->benign == BENIGN_ABSORBED || row->absorbed_by.len)
		put_absorbers(doc, row);
	put_counts(doc, &row->counts);
}

static void put_harm(struct doc *doc, const struct origin_row *row)
{
	doc_put(doc, ROLE_PLAIN, "  %s  %s", origin_reason_names[row->reason],
	        row->exact ? "exact" : "bounded");
	put_counts(doc, &row->counts);
	put_reach(doc, row);
	if (row->times > 1)
		doc_put(doc, ROLE_PLAIN, ", %" PRIu64 " times", row->times);
}

/* Remarks: what else there is to say of a row, in one line. */

struct remarks {
	struct doc *doc;
	const struct origins_report *report;
	const struct origin_row *row;
	bool any;
};

/* The document, with all before the next remark. */
static struct doc *next_remark(struct remarks *r)
{
	doc_put(r->doc, ROLE_PLAIN, "%s", r->any ? "; " : "   ");
	r->any = true;
	return r->doc;
}

/* Nodes without a dump; of some it may be there and can't be read. */
static void put_undumped(struct remarks *r, const char *before, const origin_names *names,
                         const origin_names *likely)
{
	const char *what[] = { "not dumped", "not readable" };
	struct doc *doc = next_remark(r);

	doc_put(doc, ROLE_PLAIN, "%s ", before);
	for (int unread = 0, any = 0; unread < 2; unread++) {
		origin_names some = {0};

		for (size_t i = 0; i < names->len; i++)
			if (has_name(&r->row->unread, names->at[i]) == unread)
				vec_push(&some, names->at[i]);
		if (some.len) {
			doc_put(doc, ROLE_PLAIN, "%s%s: ", any++ ? ", or " : "", what[unread]);
			put_nodes(doc, r->row, &some, "ni", likely);
		}
		vec_release(&some);
	}
}

static void put_not_dumped(struct remarks *r)
{
	const struct origin_row *row = r->row;

	if (row->where == ORIGIN_OF_TRACE && row->reason == REASON_VARIABLE) {
		doc_put(next_remark(r), ROLE_PLAIN, "written by what left no trace");
	} else if (row->where == ORIGIN_OF_EXECUTION && row->gap.len && !row->exact) {
		doc_put(next_remark(r), ROLE_PLAIN, "not dumped: ");
		for (size_t i = 0; i < row->gap.len; i++)
			doc_put(r->doc, ROLE_PLAIN, "%s%s", i ? ", " : "", row->gap.at[i]);
	} else if (row->gap.len && !row->exact) {
		put_undumped(r, "this node or one", &row->gap, &row->suspects);
	}
	if (r->row->before_window)
		doc_put(next_remark(r), ROLE_PLAIN, "began before what this dump holds");
}

static void put_written(struct remarks *r)
{
	const struct origin_row *row = r->row;

	if (row->between[1])
		doc_put(next_remark(r), ROLE_PLAIN,
		        "written between run %" PRIu32 " and run %" PRIu32, row->between[0],
		        row->between[1]);
	if (row->writers.len) {
		put_undumped(r, "written by what was", &row->writers, NULL);
	}
	if (row->before_dump)
		doc_put(next_remark(r), ROLE_PLAIN, "written before the first run");
	if (row->fed)
		doc_put(next_remark(r), ROLE_PLAIN, "fed as %s", row->fed);
}

static void put_first_nan(struct remarks *r)
{
	const struct origin_tensor *first = &r->row->first_nan;

	if (!first->node)
		return;
	doc_put(next_remark(r), ROLE_PLAIN, "NaN from ");
	put_tensor(r->doc, first->node, first->slot, first->link);
	if (first->run != r->row->run)
		doc_put(r->doc, ROLE_PLAIN, " [run %" PRIu32 "]", first->run);
	doc_put(r->doc, ROLE_PLAIN, " on");
}

static void put_also(struct remarks *r)
{
	size_t n = r->row->also.len > NAMES_SHOWN ? NAMES_SHOWN : r->row->also.len;

	for (size_t i = 0; i < n; i++) {
		const struct origin_tensor *also = &r->row->also.at[i];

		doc_put(i ? r->doc : next_remark(r), ROLE_PLAIN, "%s", i ? ", " : "also ");
		put_tensor(r->doc, also->node, also->slot, also->link);
	}
	if (n < r->row->also.len)
		doc_put(r->doc, ROLE_PLAIN, " and %zu more", r->row->also.len - n);
}

static void put_remarks(struct doc *doc, const struct origins_report *report,
                        const struct origin_row *row)
{
	struct remarks remarks = { .doc = doc, .report = report, .row = row };

	put_not_dumped(&remarks);
	put_written(&remarks);
	put_first_nan(&remarks);
	put_also(&remarks);
	if (row->unordered)
		doc_put(next_remark(&remarks), ROLE_PLAIN, "cannot order: %s", row->unordered);
	if (remarks.any)
		doc_newline(doc);
}

/* The whole text. */

/* It opens the origin's walk. */
static void put_rank(struct doc *doc, size_t rank)
{
	struct str text = {0};

	str_fmt(&text, "#%zu", rank);
	doc_link(doc, ROLE_STRONG, text.text, "origins %zu", rank);
	doc_put(doc, ROLE_PLAIN, " ");
	str_release(&text);
}

void origins_put_row(struct doc *doc, const struct origins_report *report, size_t at)
{
	const struct origin_row *row = &report->rows.at[at];

	if (row->benign)
		doc_put(doc, ROLE_PLAIN, " - ");
	else
		put_rank(doc, at + 1);
	put_tensor(doc, row->node, row->slot, row->link);
	put_place(doc, report, row);
	doc_put(doc, ROLE_PLAIN, "  ");
	doc_put(doc, ROLE_OP, "%s", *row->op ? row->op : "?");
	if (row->benign)
		put_benign(doc, row);
	else
		put_harm(doc, row);
	doc_newline(doc);
}

static void put_row(struct doc *doc, const struct origins_report *report, size_t at)
{
	origins_put_row(doc, report, at);
	if (!report->rows.at[at].benign)
		put_remarks(doc, report, &report->rows.at[at]);
}

void origins_put_run(const struct origins_report *report, uint32_t run, struct str *out)
{
	int64_t step = origins_step_of(report, run);

	str_fmt(out, "run %" PRIu32, run);
	if (step >= 0)
		str_fmt(out, " (step %" PRId64 ")", step);
}

static void put_run(struct doc *doc, const struct origins_report *report, const char *before,
                    uint32_t run)
{
	struct str text = {0};

	origins_put_run(report, run, &text);
	doc_put(doc, ROLE_PLAIN, "%s%s", before, text.text);
	str_release(&text);
}

void origins_put_head(struct doc *doc, const struct origins_report *report)
{
	size_t n_benign = report->rows.len - report->n_origins - report->n_ignored;

	if (!report->bad_tensors) {
		doc_line_put(doc, ROLE_PLAIN, "No NaN or Inf in %" PRIu64 " tensor%s",
		             report->tensors, plural(report->tensors));
		return;
	}
	doc_put(doc, ROLE_STRONG, "%zu origin%s of NaN/Inf", report->n_origins,
	        plural(report->n_origins));
	if (n_benign)
		doc_put(doc, ROLE_PLAIN, ", %zu benign", n_benign);
	if (report->n_ignored)
		doc_put(doc, ROLE_PLAIN, ", %" PRIu64 " ignored by %s", report->n_ignored,
		        report->ignored_by);
	doc_put(doc, ROLE_PLAIN, "; %" PRIu64 " of %" PRIu64 " tensor%s bad", report->bad_tensors,
	        report->tensors, plural(report->tensors));
	if (report->first_bad_run)
		put_run(doc, report, ", first in ", report->first_bad_run);
	else if (report->first_step_text)
		doc_put(doc, ROLE_PLAIN, ", first in %s", report->first_step_text);
	doc_newline(doc);
}

static void put_step(struct doc *doc, const struct origins_report *report,
                     const struct origin_row *row, const struct walk_step *step, size_t width)
{
	const struct origin_tensor *t = &step->tensor;
	struct str name = {0};

	origin_put_name(&name, t->node, t->slot);
	doc_put(doc, ROLE_PLAIN, "  ");
	put_tensor(doc, t->node, t->slot, t->link);
	doc_put(doc, ROLE_PLAIN, "%*s  ", (int)(width - name.len), "");
	doc_put(doc, ROLE_OP, "%-16s", t->where == ORIGIN_OF_EXECUTION ? "" : step->op);
	put_counts(doc, &step->counts);
	if (report->runs.len > 1 && t->run != row->run)
		put_run(doc, report, "  in ", t->run);
	if (step->execution >= 0 && step->execution != row->execution)
		doc_put(doc, ROLE_PLAIN, "  in step #%" PRId64, step->execution);
	if (t->exec)
		doc_put(doc, ROLE_PLAIN, "  exec %" PRIu32, t->exec);
	doc_newline(doc);
	str_release(&name);
}

/* How an origin came to what it reaches: each tensor on the way, with what it holds. */
static void put_walk(struct doc *doc, const struct origins_report *report,
                     const struct origin_row *row)
{
	struct str name = {0};
	size_t width = 0;

	doc_newline(doc);
	if (!row->walk.len) {
		doc_line_put(doc, ROLE_PLAIN,
		             "It gets nowhere: what took it came out clean, or nothing did.");
		return;
	}
	for (size_t i = 0; i < row->walk.len; i++) {
		str_reset(&name);
		origin_put_name(&name, row->walk.at[i].tensor.node, row->walk.at[i].tensor.slot);
		width = name.len > width ? name.len : width;
	}
	for (size_t i = 0; i < row->walk.len; i++)
		put_step(doc, report, row, &row->walk.at[i], width);
	if (report->runs.len > 1) {
		doc_newline(doc);
		doc_put(doc, ROLE_PLAIN, "In ");
		str_reset(&name);
		origins_put_run(report, row->run, &name);
		doc_link(doc, ROLE_PLAIN, name.text, "run --to %" PRIu32, row->run);
		doc_newline(doc);
	}
	str_release(&name);
}

static void put_growth(struct doc *doc, const struct origins_report *report)
{
	for (size_t i = 0; i < report->growth.len; i++) {
		const struct origin_growth *g = &report->growth.at[i];

		doc_put(doc, ROLE_PLAIN, "%s", i ? "       " : "Grew:  ");
		put_node(doc, g->tensor, "pt", NULL);
		doc_put(doc, ROLE_PLAIN, "  ");
		for (size_t k = 0; k < g->n; k++)
			doc_put(doc, ROLE_PLAIN, "%s%.4g", k ? ", " : "", g->max[k]);
		doc_newline(doc);
	}
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct origins_view *view = context;

	(void)progress, (void)err;
	origins_put_data(data, view->report, view->n);
	return true;
}

/* -n; false: the answer says what is wrong with it. */
static bool read_limit(struct call *call, size_t n_origins, size_t *n)
{
	const struct opt_value *limit = &call->args.opt[ORIGINS_N];

	*n = n_origins;
	if (!limit->given)
		return true;
	if (limit->number < 0) {
		call_error(call, "ERROR: -n is a number of origins, not %" PRId64 ".",
		           limit->number);
		return false;
	}
	if ((uint64_t)limit->number < n_origins)
		*n = (size_t)limit->number;
	return true;
}

bool origins_may_read(struct call *call, const struct opt_value *most, uint64_t bytes)
{
	struct str text = {0};

	if (!most->given || (most->number >= 0 && bytes <= (uint64_t)most->number))
		return true;
	origins_put_too_much(&text, bytes);
	call_error(call, "ERROR: Origins %s would have to be read.", text.text);
	origins_note_too_much(call->shell, bytes);
	str_release(&text);
	return false;
}

static void put_all(struct call *call, const struct origins_report *report, size_t n)
{
	origins_put_head(call->out, report);
	for (size_t i = 0; i < n; i++)
		put_row(call->out, report, i);
	for (size_t i = report->n_origins; call->args.opt[ORIGINS_ALL].given &&
	     i < report->rows.len; i++)
		put_row(call->out, report, i);
	put_growth(call->out, report);
}

/* The origin of this rank; false: there is none, and the answer says so. */
static bool put_one(struct call *call, const struct origins_report *report, const char *word)
{
	char *end;
	unsigned long rank = strtoul(word, &end, 10);

	if (*end || *word < '0' || *word > '9' || !rank || rank > report->n_origins) {
		call_error(call, "ERROR: There is no origin #%s: the recording has %zu origin%s.",
		           word, report->n_origins, plural(report->n_origins));
		return false;
	}
	put_row(call->out, report, rank - 1);
	put_walk(call->out, report, &report->rows.at[rank - 1]);
	return true;
}

struct origins_report *origins_refused(const char *lacks)
{
	struct origins_report *report = origins_report_new();

	report->refused = arena_fmt(&report->mem, "No origins: the summary has only %s. "
	                            "Merge them all.", lacks);
	return report;
}

void origins_answer(struct call *call, struct origins_report *report)
{
	struct origins_view *view = arena_alloc(doc_mem(call->out), sizeof *view);
	const char *rank = call->args.pos[0];

	doc_keep(call->out, origins_report_free, report);
	view->report = report;
	for (size_t i = 0; i < report->warnings.len; i++)
		call_fault(call, report->warnings.at[i]);
	call_note_unread(call);
	if (report->refused) {
		call_error(call, "ERROR: %s", report->refused);
		return;
	}
	if (!read_limit(call, report->n_origins, &view->n) ||
	    (rank && !put_one(call, report, rank)))
		return;
	if (!rank)
		put_all(call, report, view->n);
	doc_typed(call->out, DATA_VALUE, put_data, view);
	call_found(call, report->n_origins, report->unjudged);
}
