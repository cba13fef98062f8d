/* The records behind a row, by the time they began. */
#include "cmds/profile/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/columns.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/profile/kernel_short.h"
#include "cmds/session/nodes.h"
#include "dump/base/mem.h"

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
	bool has_nodes;                  /* there is a graph to show a node of */
	struct str scratch;
};

enum { AT, TIME, KIND, WHERE, BYTES, NAME, N_COLUMNS };

static const struct column columns[] = {
	[AT] = { "at_us", "At", COLUMN_NUMBER }, [TIME] = { "time_us", "Time", COLUMN_NUMBER },
	[KIND] = { "kind", "Kind", COLUMN_TEXT }, [WHERE] = { "where", "Where", COLUMN_TEXT },
	[BYTES] = { "bytes", "Bytes", COLUMN_NUMBER }, [NAME] = { "name", "Name", COLUMN_TEXT },
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
	return f->impossible ? f->acts->names.key[f->a->device] : f->acts->devices.key[f->a->device];
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

static void put_cell(void *context, uint64_t row, size_t column, struct str *out)
{
	struct records_view *v = context;
	const struct found *f = &v->at.at[row];

	switch (column) {
	case AT:
		if (after_start(f) >= 0)
			put_after(out, after_start(f));
		else
			put_time(out, after_start(f), UNIT_AUTO);
		break;
	case TIME: put_time(out, f->a->len_ns, UNIT_AUTO); break;
	case KIND: str_puts(out, activity_kind_names[f->a->kind]); break;
	case WHERE: put_where(out, v, f); break;
	case BYTES:
		if (f->a->bytes)
			put_size(out, f->a->bytes);
		else
			str_putc(out, '-');
		break;
	default:
		str_puts(out, node_of(f));
		if (*kernel_of(f)) {
			str_puts(out, "  ");
			put_kernel_short(out, kernel_of(f), strlen(kernel_of(f)));
		}
	}
}

static bool cell_number(void *context, uint64_t row, size_t column, double *out)
{
	const struct found *f = &((struct records_view *)context)->at.at[row];

	*out = (double)(column == AT ? after_start(f) : column == TIME ? f->a->len_ns : f->a->bytes);
	return column != BYTES || f->a->bytes;
}

static void put_link(void *context, uint64_t row, struct str *out)
{
	const struct records_view *v = context;
	const struct found *f = &v->at.at[row];

	if (!v->has_nodes || f->a->node == f->acts->unattributed || node_of(f)[0] == '-')
		return;
	words_put_with(out, "ni -a -d -t", node_of(f));
}

/* Its records are what it shows: there is only their node to go to. */
#define RECORDS .way = KEY_REWRITES, .refusal = "ERROR: These are records; H goes back to the table"
static const struct doc_key own_keys[] = {
	{ DOC_KEY_ENTER, .hint = "Enter op" },
	{ 0, .hint = "/ search" },
	{ 'o', .way = KEY_OPENS },
	{ 'B', RECORDS }, { 'U', RECORDS }, { 'D', RECORDS }, { 'u', RECORDS }, { '#', RECORDS },
};
static const struct doc_keys keys = { NULL, DOC_KEYS(own_keys) };

static bool put_node(void *context, const struct doc_at *at, struct str *out)
{
	put_link(context, at->row, out);
	return out->len > 0;
}

static bool put_rows(void *context, struct data *data, struct progress *progress, struct err *err)
{
	struct records_view *v = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t i = 0; i < v->at.len; i++) {
		const struct found *f = &v->at.at[i];

		data_object(data);
		key_us(data, "at_us", after_start(f));
		key_us(data, "time_us", f->a->len_ns);
		key_str(data, "kind", activity_kind_names[f->a->kind]);
		key_str(data, "device", device_of(f));
		str_reset(&v->scratch);
		put_where(&v->scratch, v, f);
		key_str(data, "where", str_text(&v->scratch));
		key_str(data, "node", node_of(f));
		key_str(data, "kernel", kernel_of(f));
		str_reset(&v->scratch);
		put_kernel_short(&v->scratch, kernel_of(f), strlen(kernel_of(f)));
		key_str(data, "short", str_text(&v->scratch));
		key_int(data, "bytes", f->a->bytes);
		data_end(data);
	}
	data_end(data);
	return true;
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct records_view *v = context;

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
	str_release(&v->scratch);
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

static void take_impossible(struct records_view *v, const struct step_activities *acts, const char *column)
{
	for (size_t i = 0; i < acts->n; i++)
		for (size_t k = 0; k < acts->refs[i]->impossible.len; k++)
			if (is_column(column, &acts->refs[i]->impossible.at[k]))
				vec_push(&v->at, ((struct found){ acts->refs[i], &acts->refs[i]->impossible.at[k], true }));
}

static bool take_members(struct call *call, struct kernels *k, struct records_view *v, const char *column)
{
	struct kernel_members members = {0};
	bool ok = kernel_members_of(k->acts.refs, k->acts.labels, k->acts.n, &k->query, v->group, v->of,
	                            call->progress, &members, &call->err);

	for (size_t i = 0; ok && i < members.at.len; i++) {
		const struct activities *acts = k->acts.refs[members.at.at[i].step];
		const struct activity *a = &acts->at.at[members.at.at[i].at];

		if (is_column(column, a))
			vec_push(&v->at, ((struct found){ acts, a, false }));
	}
	kernel_members_release(&members);
	return ok;
}

void kernels_put_records(struct call *call, struct kernels *k, const char *name, const char *column)
{
	struct records_view *v = mem_alloc(sizeof *v);
	struct columns_source source = {
		.context = v, .columns = columns, .n_columns = N_COLUMNS, .put = put_cell, .number = cell_number,
		.link = put_link,
	};
	static const char *const drop[] = { "Bytes", NULL };
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
		call_error(call, "ERROR: There is no row \"%s\" by %s.", name, kernel_group_names[v->group]);
		return;
	}
	qsort(v->at.at, v->at.len, sizeof *v->at.at, by_time);
	source.n_rows = v->at.len;
	source.drop = drop;
	columns_put(call, &source);
	doc_bring_keys(call->out, &keys, put_node, v);
	doc_typed(call->out, DATA_ROWS, put_rows, v);
	doc_typed_as(call->out, "kernels", put_beside);
}
