/* kernels --records: every record of a trace of another program, by start. */
#include "cmds/profile/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/doc/table.h"
#include "cmds/profile/kernel_short.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"
#include "dump/profile/label.h"
#include "dump/profile/trace_source.h"

struct traced {
	const struct activity *a;
	bool impossible;
	bool timed;                      /* the file says when it started */
};

struct trace_view {
	const struct trace *trace;
	VEC(struct traced) at;
	size_t n_of[4];                  /* by enum activity_kind, and ACTIVITY_BARRIER */
	const char **known;              /* devices, for short names */
};

/* What is known of a record. */

static const char *name_at(const struct trace_view *v, uint32_t id)
{
	return id == MAP_NONE ? "" : v->trace->all.names.key[id];
}

static const struct trace_record *more_of(const struct trace_view *v, const struct traced *t)
{
	return &v->trace->records.at[t->a->record];
}

static bool is_host(const struct traced *t)
{
	return t->a->kind == ACTIVITY_HOST;
}

static const char *name_of(const struct trace_view *v, const struct traced *t)
{
	return name_at(v, is_host(t) ? t->a->raw : t->a->kernel);
}

/* As the file has it; NULL: of the host. */
static const char *device_of(const struct trace_view *v, const struct traced *t)
{
	const struct map *devices = &v->trace->all.devices;
	uint32_t id = t->a->device;

	if (is_host(t))
		return NULL;
	if (t->impossible)
		id = map_find(devices, name_at(v, id), strlen(name_at(v, id)));
	return id == MAP_NONE ? NULL : v->trace->devices[id];
}

static const char *shown_device(const struct trace_view *v, const struct traced *t)
{
	return t->impossible ? name_at(v, t->a->device) : v->trace->all.devices.key[t->a->device];
}

static const struct trace_stream *stream_at(const struct trace_view *v, const struct traced *t)
{
	static const struct trace_stream none;

	return t->a->stream == MAP_NONE ? &none : &v->trace->streams.at[t->a->stream];
}

static const char *stream_of(const struct trace_view *v, const struct traced *t)
{
	return stream_at(v, t)->text;
}

static const char *op_of(const struct trace_view *v, const struct traced *t)
{
	switch ((enum trace_op)more_of(v, t)->op) {
	case TRACE_OP_NONE: return NULL;
	case TRACE_OP_TYPE: return name_at(v, t->a->op);
	case TRACE_OP_TOLD: return name_at(v, more_of(v, t)->told);
	default: return name_at(v, t->a->node);
	}
}

static int64_t after_start(const struct trace_view *v, const struct traced *t)
{
	int64_t ns;

	return __builtin_sub_overflow(t->a->start_ns, v->trace->begin_ns, &ns) ? 0 : ns;
}

/* Cells. */

/* A text that is not recorded is null, and so is an empty one. */
static void put_known(struct cell *cell, const char *text)
{
	cell->missing = !text || !*text;
	cell_str(cell, text ? text : "");
}

static void put_id(struct cell *cell, const struct trace_view *v, int64_t id)
{
	cell->missing = id == TRACE_NO_ID;
	if (id != TRACE_NO_ID)
		trace_put_id(v->trace, id, &cell->text);
}

/* "8x4x1" */
static void put_shape(struct cell *cell, const struct trace_view *v, const struct traced *t,
                      const char *key)
{
	struct text value = launch_value(t->a->launch == MAP_NONE ? NULL
	                                 : name_at(v, t->a->launch), key);

	cell->missing = !value.at;
	for (size_t i = 0; value.at && i < value.len; i++)
		str_putc(&cell->text, value.at[i] == ',' ? 'x' : value.at[i]);
}

static void put_figure(struct cell *cell, const struct trace_view *v, const struct traced *t,
                       const char *key)
{
	struct text value = launch_value(t->a->launch == MAP_NONE ? NULL
	                                 : name_at(v, t->a->launch), key);

	cell_known(cell, value.at, value.at ? strtoll(value.at, NULL, 10) : 0);
}

static void put_step(struct cell *cell, const struct trace_view *v, const struct traced *t)
{
	uint32_t step = more_of(v, t)->step;

	cell_known(cell, step != TRACE_OUTSIDE,
	           step != TRACE_OUTSIDE ? v->trace->steps.at[step].number : 0);
}

static void put_where(struct cell *cell, const struct trace_view *v, const struct traced *t)
{
	put_short_device(&cell->text, shown_device(v, t), v->known, v->trace->all.devices.len);
	if (t->a->stream != MAP_NONE)
		str_fmt(&cell->text, " stream %s", v->trace->all.streams.key[t->a->stream]);
}

static void put_shown(struct cell *cell, const struct trace_view *v, const struct traced *t)
{
	const char *name = name_of(v, t);

	if (is_host(t))
		str_puts(&cell->text, name);
	else
		put_kernel_short(&cell->text, name, strlen(name));
}

static bool has_launch(const struct traced *t)
{
	return !is_host(t) && t->a->launch_delay_ns != -1;
}

#define TRACED_COLUMNS(COL) \
	COL(at, "At", AFTER, 0, 0, cell_known(cell, t->timed, after_start(v, t))) \
	COL(time, "Time", TIME, 0, 0, cell->whole = t->a->len_ns) \
	COL(kind, "Kind", TEXT, 0, 1, cell_str(cell, activity_kind_names[t->a->kind])) \
	COL(process, NULL, TEXT, 0, 2, put_known(cell, stream_at(v, t)->process)) \
	COL(device, NULL, TEXT, 0, 3, put_known(cell, device_of(v, t))) \
	COL(stream, NULL, TEXT, 0, 4, put_known(cell, stream_of(v, t))) \
	COL(start_ns, NULL, COUNT, 0, 5, cell_known(cell, t->timed, t->a->start_ns)) \
	COL(dur_ns, NULL, COUNT, 0, 6, cell->whole = t->a->len_ns) \
	COL(name, NULL, TEXT, 0, 7, cell_str(cell, name_of(v, t))) \
	COL(raw, NULL, TEXT, 0, 8, cell_str(cell, name_at(v, t->a->raw))) \
	COL(where, "Where", TEXT, 1, 0, put_where(cell, v, t)) \
	COL(bytes, "Bytes", SIZE, 2, 9, cell_known(cell, more_of(v, t)->has_bytes, t->a->bytes)) \
	COL(grid, NULL, TEXT, 0, 10, put_shape(cell, v, t, "grid:")) \
	COL(block, NULL, TEXT, 0, 11, put_shape(cell, v, t, "block:")) \
	COL(regs, NULL, COUNT, 0, 12, put_figure(cell, v, t, "regs:")) \
	COL(smem, NULL, COUNT, 0, 13, put_figure(cell, v, t, "shm:")) \
	COL(correlation, NULL, TEXT, 0, 14, put_id(cell, v, more_of(v, t)->correlation)) \
	COL(external_id, NULL, TEXT, 0, 15, put_id(cell, v, more_of(v, t)->external)) \
	COL(op, "Op", TEXT, 3, 16, put_known(cell, op_of(v, t))) \
	COL(type, NULL, TEXT, 0, 17, put_known(cell, name_at(v, t->a->op))) \
	COL(launch_ns, NULL, COUNT, 0, 18, \
	    cell_known(cell, has_launch(t), has_launch(t) ? t->a->launch_delay_ns : 0)) \
	COL(step, NULL, COUNT, 0, 19, put_step(cell, v, t)) \
	COL(shown, "Name", TEXT, 0, 0, put_shown(cell, v, t))

enum { TRACED_COLUMNS(COL_ID) };
static const struct col traced_cols[] = { TRACED_COLUMNS(COL_ROW) };
const struct kernels_columns columns_of_trace = KERNELS_COLUMNS(traced_cols);

static void get_cell(void *context, uint64_t row, int id, struct cell *cell)
{
	struct trace_view *v = context;
	const struct traced *t = &v->at.at[row];

	switch (id) {
	TRACED_COLUMNS(COL_CASE)
	}
}

static bool put_beside(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct trace_view *v = table_context(context);
	const struct trace *trace = v->trace;

	(void)progress, (void)err;
	key_str(data, "format", trace->source->name);
	data_key(data, "events");
	if (trace->source->counts_events)
		data_int(data, (int64_t)trace->n_events);
	else
		data_null(data);
	key_int(data, "left_out", (int64_t)trace->n_left_out);
	key_int(data, "unclosed", (int64_t)trace->n_unclosed);
	data_key(data, "base_ns");
	if (trace->has_base)
		data_int(data, trace->base_ns);
	else
		data_null(data);
	data_key(data, "counts");
	data_object(data);
	for (int kind = ACTIVITY_HOST; kind <= ACTIVITY_COPY; kind++)
		key_int(data, activity_kind_names[kind], (int64_t)v->n_of[kind]);
	if (v->n_of[ACTIVITY_BARRIER])
		key_int(data, activity_kind_names[ACTIVITY_BARRIER],
		        (int64_t)v->n_of[ACTIVITY_BARRIER]);
	data_end(data);
	return true;
}

/* Choosing. */

static int by_start(const void *a, const void *b)
{
	const struct traced *p = a, *q = b;

	if (p->timed != q->timed)
		return p->timed ? 1 : -1;
	if (p->timed && p->a->start_ns != q->a->start_ns)
		return p->a->start_ns < q->a->start_ns ? -1 : 1;
	return (p->a->record > q->a->record) - (p->a->record < q->a->record);
}

static void take(struct trace_view *v, const struct activity *a, bool impossible)
{
	bool timed = !v->trace->records.at[a->record].untimed;

	v->n_of[a->kind]++;
	vec_push(&v->at, ((struct traced){ a, impossible, timed }));
}

/* Is it of the kinds that were asked for? All are, if none was. */
static bool is_asked(const struct kernels *k, const struct activity *a)
{
	return !k->query.has_universe
	       || universe_has(k->query.universe, (enum activity_kind)a->kind);
}

static bool has_filter(const struct kernel_query *q)
{
	return q->device || q->node || q->op || q->kernel || q->stream || q->source;
}

/* What no table has. */
static void take_others(const struct kernels *k, struct trace_view *v,
                        const struct activities *acts)
{
	for (size_t i = 0; i < acts->impossible.len; i++)
		if (is_asked(k, &acts->impossible.at[i]))
			take(v, &acts->impossible.at[i], true);
	for (size_t i = 0; !k->query.has_universe && i < acts->waits.len; i++)
		take(v, &acts->waits.at[i], false);
}

static bool take_all(struct call *call, struct kernels *k, struct trace_view *v)
{
	struct kernel_members members = {0};
	bool ok = kernel_members_of(k->acts.refs, k->acts.labels, k->acts.n, &k->query, GROUP_OP,
	                            NULL, call->progress, &members, &call->err);

	for (size_t i = 0; ok && i < members.at.len; i++) {
		const struct activities *acts = k->acts.refs[members.at.at[i].step];

		if (is_asked(k, &acts->at.at[members.at.at[i].at]))
			take(v, &acts->at.at[members.at.at[i].at], false);
	}
	for (size_t i = 0; ok && !has_filter(&k->query) && i < k->acts.n; i++)
		take_others(k, v, k->acts.refs[i]);
	kernel_members_release(&members);
	return ok;
}

static void sort(struct trace_view *v)
{
	size_t i = 1;

	while (i < v->at.len && by_start(&v->at.at[i - 1], &v->at.at[i]) <= 0)
		i++;
	if (i < v->at.len)
		qsort(v->at.at, v->at.len, sizeof *v->at.at, by_start);
}

static void view_free(void *context)
{
	struct trace_view *v = context;

	vec_release(&v->at);
	free(v);
}

void kernels_put_trace(struct call *call, struct kernels *k)
{
	const struct trace *trace = call->shell->profile->trace;
	struct trace_view *v = mem_alloc(sizeof *v);
	struct table *table;

	doc_keep(call->out, view_free, v);
	v->trace = trace;
	v->known = trace->all.devices.key;
	if (!take_all(call, k, v))
		return;
	sort(v);
	table = TABLE_OF(call->out, traced_cols, get_cell, v);
	table->n_rows = v->at.len;
	if (!table_arrange(call, table))
		return;
	doc_line_put(call->out, ROLE_PLAIN, "%zu record%s of %s", v->at.len, plural(v->at.len),
	             trace->source->what);
	doc_newline(call->out);
	table_show(call, table);
	kernels_put_trace_warnings(call->out, trace);
	kernels_put_notes(call->out, 0);
	doc_typed_as(call->out, "kernels", put_beside);
}

void kernels_put_trace_warnings(struct doc *doc, const struct trace *trace)
{
	for (size_t i = 0; trace && i < trace->warnings.len; i++)
		doc_warn(doc, "%s", trace->warnings.at[i]);
}

void kernels_warn_of_trace(struct call *call)
{
	const struct profile *profile = call->shell->profile;
	const struct trace *trace = profile ? profile->trace : NULL;

	for (size_t i = 0; trace && i < trace->warnings.len; i++)
		(profile_tells(profile, trace->warnings.at[i]) ? call_note : call_warn)(
			call, trace->warnings.at[i]);
}
