#include <stdlib.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/doc/table.h"
#include "cmds/profile/kernels.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/profile/overlap.h"
#include "dump/profile/trace.h"

struct overlap_row {
	const char *label, *device, *text;       /* text: the device as the file names it */
	int64_t number;
	bool is_step;            /* false: it is all of a trace without steps */
	struct overlap of;
};

struct overlap_view {
	VEC(struct overlap_row) at;
	bool any;                /* data was exchanged somewhere */
};

static void put_hidden(struct cell *cell, const struct overlap *of)
{
	cell->missing = !of->collective_ns;
	cell->number = percent_of(of->hidden_ns, of->collective_ns);
}

#define OVERLAP_COLUMNS(COL) \
	COL(step, NULL, COUNT, 0, 1, cell_known(cell, row->is_step, row->number)) \
	COL(device, NULL, TEXT, 0, 2, cell_str(cell, row->text)) \
	COL(label, "Step", TEXT, 0, 0, cell_str(cell, row->label)) \
	COL(collective_us, "Exchange", TIME, 0, 3, \
	    cell_known(cell, v->any, row->of.collective_ns)) \
	COL(hidden_us, "Hidden", TIME, 0, 4, cell_known(cell, v->any, row->of.hidden_ns)) \
	COL(share, "%", PERCENT, 0, 5, put_hidden(cell, &row->of)) \
	COL(where, "Device", TEXT, 0, 0, cell_str(cell, row->device))

enum { OVERLAP_COLUMNS(COL_ID) };
static const struct col overlap_cols[] = { OVERLAP_COLUMNS(COL_ROW) };

static void get_cell(void *context, uint64_t at, int id, struct cell *cell)
{
	const struct overlap_view *v = context;
	const struct overlap_row *row = &v->at.at[at];

	switch (id) {
	OVERLAP_COLUMNS(COL_CASE)
	}
}

static const char *keep(struct call *call, const char *text)
{
	return arena_copy(doc_mem(call->out), text, strlen(text));
}

static void take(struct call *call, struct overlap_view *v, const struct step *step,
                 const struct activities *acts)
{
	overlap_list list = {0};
	struct str device = {0};

	overlap_of(acts, &list);
	for (size_t i = 0; i < list.len; i++) {
		uint32_t id = list.at[i].device;

		str_reset(&device);
		put_short_device(&device, acts->devices.key[id], acts->devices.key,
		                 acts->devices.len);
		vec_push(&v->at, ((struct overlap_row){
			keep(call, step->label), keep(call, str_text(&device)),
			keep(call, device_in_file(acts, id)), step->number,
			!step_is_trace(step), list.at[i] }));
		v->any |= list.at[i].n_collectives > 0;
	}
	str_release(&device);
	vec_release(&list);
}

static bool take_step(struct call *call, struct overlap_view *v, size_t i)
{
	struct step_choice one = { .profile = call->shell->profile };
	struct step_activities acts = {0};
	bool ok;

	vec_push(&one.at, i);
	ok = step_activities_of(call, &one, &acts);
	if (ok)
		take(call, v, &one.profile->steps.at[i], acts.refs[0]);
	step_activities_release(&acts);
	step_choice_release(&one);
	return ok;
}

static bool take_all(struct call *call, struct overlap_view *v)
{
	size_t n = call->shell->profile->steps.len;
	bool ok = true;

	for (size_t i = 0; ok && i < n; i++)
		ok = (progress_step(call->progress, i, n)
		      || err_at(&call->err, ERR_CANCELLED, "command", 0, "stopped"))
		     && take_step(call, v, i);
	return ok;
}

static void view_free(void *context)
{
	struct overlap_view *v = context;

	vec_release(&v->at);
	free(v);
}

static void overlap_exec(struct call *call)
{
	struct profile *profile = call->shell->profile;
	struct overlap_view *v;
	struct table *table;

	if (!need_steps(call, profile) || !need_records(call, profile))
		return;
	doc_set_of_step(call->out);
	kernels_warn_of_trace(call);
	v = mem_alloc(sizeof *v);
	doc_keep(call->out, view_free, v);
	if (!take_all(call, v))
		return;
	if (!v->at.len) {
		call_error(call, "ERROR: No device rows in this profile: it holds host times "
		           "only.");
		return;
	}
	table = TABLE_OF(call->out, overlap_cols, get_cell, v);
	table->n_rows = v->at.len;
	if (!table_arrange(call, table))
		return;
	if (!v->any)
		doc_line_put(call->out, ROLE_PLAIN, "overlap: no kernel that exchanges data "
		             "between devices is recorded");
	else
		doc_line_put(call->out, ROLE_PLAIN, "overlap: how much of the exchange between "
		             "devices is hidden by computing");
	doc_newline(call->out);
	table_show(call, table);
	doc_typed_as(call->out, "overlap", NULL);
}

static const struct opt options[] = { TABLE_OPTS };

const struct cmd cmd_overlap = {
	.name = "overlap", .summary = "How much exchange between devices is hidden by computing",
	OPTS(options), .runless = true, .exec = overlap_exec,
};
