/* The records behind a row, in the order of their starts. */
#include "cmds/profile/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "cmds/graph/instruction_text.h"
#include "cmds/lang/words.h"
#include "cmds/profile/kernel_short.h"
#include "cmds/session/nodes.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"

struct found {
	const struct activities *acts;
	const struct activity *a;
	bool impossible;
};

struct records_view {
	VEC(struct found) at;
	const char *of;
	enum kernel_group group;
	const char **known;              /* devices */
	size_t n_known;
	const struct table *shown;
	bool has_nodes;                  /* there is a graph to show a node of */
};

static const char *kernel_of(const struct found *f)
{
	return f->a->kernel == MAP_NONE ? "" : f->acts->names.key[f->a->kernel];
}

static const char *node_of(const struct found *f)
{
	return f->acts->names.key[f->a->node];
}

static const char *device_of(const struct found *f)
{
	return f->impossible ? f->acts->names.key[f->a->device]
	                     : f->acts->devices.key[f->a->device];
}

static int by_time(const void *a, const void *b)
{
	const struct found *p = a, *q = b;
	int order = (p->a->start_ns > q->a->start_ns) - (p->a->start_ns < q->a->start_ns);

	if (!order)
		order = strcmp(node_of(p), node_of(q));
	return order ? order : strcmp(kernel_of(p), kernel_of(q));
}

static int64_t after_start(const struct found *f)
{
	int64_t ns;

	return __builtin_sub_overflow(f->a->start_ns, f->acts->begin_us * 1000, &ns) ? 0 : ns;
}

static void put_where(struct str *out, struct records_view *v, const struct found *f)
{
	put_short_device(out, device_of(f), v->known, v->n_known);
	if (f->a->stream != MAP_NONE)
		str_fmt(out, " stream %s", f->acts->streams.key[f->a->stream]);
}

#define RECORD_COLUMNS(COL) \
	COL(at_us, "At", AFTER, 0, 1, cell->whole = after_start(f)) \
	COL(time_us, "Time", TIME, 0, 2, cell->whole = f->a->len_ns) \
	COL(kind, "Kind", TEXT, 0, 3, cell_str(cell, activity_kind_names[f->a->kind])) \
	COL(device, NULL, TEXT, 0, 4, cell_str(cell, device_of(f))) \
	COL(where, "Where", TEXT, 0, 5, put_where(&cell->text, v, f)) \
	COL(bytes, "Bytes", SIZE, 1, 9, cell_some(cell, f->a->bytes)) \
	COL(node, NULL, TEXT, 0, 6, cell_str(cell, node_of(f))) \
	COL(kernel, NULL, TEXT, 0, 7, cell_str(cell, kernel_of(f))) \
	COL(short, NULL, TEXT, 0, 8, \
	    put_kernel_short(&cell->text, kernel_of(f), strlen(kernel_of(f)))) \
	COL(name, "Name", TEXT, 0, 0, put_name(&cell->text, f))

enum { RECORD_COLUMNS(COL_ID) };
static const struct col record_cols[] = { RECORD_COLUMNS(COL_ROW) };
const struct kernels_columns columns_of_records = KERNELS_COLUMNS(record_cols);

static void put_name(struct str *out, const struct found *f)
{
	str_puts(out, node_of(f));
	if (!*kernel_of(f))
		return;
	str_puts(out, "  ");
	put_kernel_short(out, kernel_of(f), strlen(kernel_of(f)));
}

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	struct records_view *v = context;
	const struct found *f = &v->at.at[row];

	switch (id) {
	RECORD_COLUMNS(COL_CASE)
	}
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct records_view *v = context;
	const struct found *f = &v->at.at[row];

	if (!v->has_nodes || f->a->node == f->acts->unattributed || node_of(f)[0] == '-')
		return;
	words_put_with(out, "ni -a -d -t", node_of(f));
}

/* Records have no rows behind them: the only way on is to their node. */
#define RECORDS .way = KEY_REWRITES, .refusal = "ERROR: These are records; H goes back to the table"
static const struct doc_key own_keys[] = {
	{ DOC_KEY_ENTER, .hint_keys = "Enter", .hint = "op" },
	{ 0, .hint_keys = "/", .hint = "search" },
	{ 'o', .way = KEY_OPENS },
	{ 'B', RECORDS }, { 'U', RECORDS }, { 'D', RECORDS }, { 'u', RECORDS }, { '#', RECORDS },
};
static const struct doc_keys keys = { NULL, DOC_KEYS(own_keys) };

static bool put_node(void *context, const struct doc_at *at, struct str *out)
{
	put_link(context, table_source_row(((struct records_view *)context)->shown, at->row), out);
	return out->len > 0;
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct records_view *v = table_context(context);

	(void)progress, (void)err;
	key_str(data, "group", kernel_group_names[v->group]);
	key_str(data, "of", v->of);
	return true;
}

static void view_free(void *context)
{
	struct records_view *v = context;

	vec_release(&v->at);
	free(v->known);
	free(v);
}

static void know_devices(struct records_view *v, const struct step_activities *acts)
{
	struct map seen = {0};
	struct arena mem = {0};
	size_t n = 0;

	for (size_t i = 0; i < acts->n; i++)
		n += acts->refs[i]->devices.len;
	v->known = mem_alloc((n + 1) * sizeof *v->known);
	for (size_t i = 0; i < acts->n; i++)
		for (size_t d = 0; d < acts->refs[i]->devices.len; d++) {
			const char *name = acts->refs[i]->devices.key[d];

			if (map_add(&seen, &mem, name, strlen(name)) == v->n_known)
				v->known[v->n_known++] = name;
		}
	map_release(&seen);
	arena_release(&mem);
}

static bool is_column(const char *column, const struct activity *a)
{
	return !column || !strcmp(column, activity_kind_names[a->kind]);
}

static void take_impossible(struct records_view *v, const struct step_activities *acts,
                            const char *column)
{
	for (size_t i = 0; i < acts->n; i++)
		for (size_t k = 0; k < acts->refs[i]->impossible.len; k++) {
			const struct activity *a = &acts->refs[i]->impossible.at[k];

			if (is_column(column, a))
				vec_push(&v->at, ((struct found){ acts->refs[i], a, true }));
		}
}

static bool take_members(struct call *call, struct kernels *k, struct records_view *v,
                         const char *column)
{
	struct kernel_members members = {0};
	bool ok = kernel_members_of(k->acts.refs, k->acts.labels, k->acts.n, &k->query, v->group,
	                            v->of, call->progress, &members, &call->err);

	for (size_t i = 0; ok && i < members.at.len; i++) {
		const struct activities *acts = k->acts.refs[members.at.at[i].step];
		const struct activity *a = &acts->at.at[members.at.at[i].at];

		if (is_column(column, a))
			vec_push(&v->at, ((struct found){ acts, a, false }));
	}
	kernel_members_release(&members);
	return ok;
}

/* Of a fusion what it is made of. */
static void put_inside(struct call *call, const char *name)
{
	struct str text = {0};

	if (fusion_put(call->shell->profile, name, &text)) {
		doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
		doc_newline(call->out);
	}
	str_release(&text);
}

void kernels_put_records(struct call *call, struct kernels *k, const char *name, const char *column)
{
	struct records_view *v = mem_alloc(sizeof *v);
	struct table *table;
	bool any_kernel = false;

	doc_keep(call->out, view_free, v);
	v->has_nodes = has_nodes(call->shell);
	v->of = arena_copy(doc_mem(call->out), name, strlen(name));
	for (size_t i = 0; i < k->acts.n; i++)
		any_kernel |= k->acts.refs[i]->n_of[ACTIVITY_KERNEL] > 0;
	v->group = k->query.has_group ? k->query.group : any_kernel ? GROUP_KERNEL : GROUP_OP;
	know_devices(v, &k->acts);
	if (!strcmp(name, "(impossible)"))
		take_impossible(v, &k->acts, column);
	else if (!take_members(call, k, v, column))
		return;
	if (!v->at.len) {
		call_error(call, "ERROR: There is no row \"%s\" by %s.", name,
		           kernel_group_names[v->group]);
		return;
	}
	qsort(v->at.at, v->at.len, sizeof *v->at.at, by_time);
	table = TABLE_OF(call->out, record_cols, get_cell, v);
	table->n_rows = v->at.len;
	table->link = put_link;
	if (!table_arrange(call, table))
		return;
	v->shown = table;
	put_inside(call, v->of);
	table_show(call, table);
	doc_bring_keys(call->out, &keys, put_node, v);
	doc_typed_as(call->out, "kernels", put_beside);
}
