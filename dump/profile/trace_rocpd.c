/*
 * rocpd, the database of rocprofv3. The names of its tables end in the id of the session, and there
 * may be several sessions; the names without it are views, which are not used. Source:
 * rocpd_tables.sql of ROCm/rocprofiler-sdk.
 */
#include "dump/profile/database_parts.h"

#include <string.h>

#include "dump/base/str.h"
#include "dump/base/vec.h"

struct symbol {
	uint32_t name;                   /* of the trace */
	int64_t regs;                    /* -1: not known */
};

struct agent {
	int64_t number;                  /* among those of its type */
	bool is_gpu;
};

struct rocpd {
	struct trace *trace;
	struct database *db;
	const char *suffix;              /* of this session */
	struct id_map symbol_of, agent_of, process_of;   /* by id: places below */
	VEC(struct symbol) symbols;
	VEC(struct agent) agents;
	VEC(int64_t) processes;
	struct wanted_texts texts;
	struct str table, text;
	struct err *err;
};

static const char *table_of(struct rocpd *r, const char *name)
{
	str_reset(&r->table);
	str_fmt(&r->table, "%s%s", name, r->suffix);
	return r->table.text;
}

/* The rows of a table of this session, if there is one. */
static bool take_table(struct rocpd *r, const char *name, const char *const *columns, size_t n,
                       void (*take)(struct rocpd *r, struct database_rows *rows))
{
	struct database_rows *rows;
	struct err why = {0};

	if (!database_has(r->db, table_of(r, name)))
		return true;
	rows = database_rows(r->db, r->table.text, columns, n, &why);
	while (rows && database_next(rows, &why))
		take(r, rows);
	database_rows_free(rows);
	if (why.code)
		*r->err = why;
	return !why.code;
}

/* What ids stand for. */

static void take_symbol(struct rocpd *r, struct database_rows *rows)
{
	struct text name = database_text(rows, 1);
	struct symbol symbol = { .regs = -1 };
	int64_t id;

	if (!database_int(rows, 0, &id))
		return;
	if (!name.len)
		name = database_text(rows, 2);
	symbol.name = trace_name(r->trace, name.at, name.len);
	database_int(rows, 3, &symbol.regs);
	*id_map_place(&r->symbol_of, id) = (uint32_t)r->symbols.len;
	vec_push(&r->symbols, symbol);
}

static void take_agent(struct rocpd *r, struct database_rows *rows)
{
	struct text type = database_text(rows, 1);
	struct agent agent = { .is_gpu = type.len == 3 && !memcmp(type.at, "GPU", 3) };
	int64_t id;

	if (!database_int(rows, 0, &id) || !database_int(rows, 2, &agent.number))
		return;
	*id_map_place(&r->agent_of, id) = (uint32_t)r->agents.len;
	vec_push(&r->agents, agent);
}

static void take_process(struct rocpd *r, struct database_rows *rows)
{
	int64_t id, number;

	if (!database_int(rows, 0, &id) || !database_int(rows, 1, &number))
		return;
	*id_map_place(&r->process_of, id) = (uint32_t)r->processes.len;
	vec_push(&r->processes, number);
}

static const struct agent *agent_at(const struct rocpd *r, struct database_rows *rows,
                                    size_t column)
{
	int64_t id;
	uint32_t at = database_int(rows, column, &id) ? id_map_find(&r->agent_of, id) : MAP_NONE;

	return at == MAP_NONE ? NULL : &r->agents.at[at];
}

/* Records. */

#define RECORD_COLUMNS(X) \
	X(START, "start") X(END, "end") X(PROCESS, "pid") X(QUEUE, "queue_id") \
	X(STREAM, "stream_id") X(EVENT, "event_id") X(AGENT, "agent_id") X(KERNEL, "kernel_id") \
	X(SHARED, "group_segment_size") \
	X(BLOCK_X, "workgroup_size_x") X(BLOCK_Y, "workgroup_size_y") \
	X(BLOCK_Z, "workgroup_size_z") X(GRID_X, "grid_size_x") X(GRID_Y, "grid_size_y") \
	X(GRID_Z, "grid_size_z") X(WAY, "name_id") X(TARGET, "dst_agent_id") \
	X(SOURCE, "src_agent_id") X(SIZE, "size")

#define X(id, name) COLUMN_##id,
enum { RECORD_COLUMNS(X) N_COLUMNS };
#undef X

static const char *const columns[] = {
#define X(id, name) name,
	RECORD_COLUMNS(X)
#undef X
};

/* Grids are in threads. */
static void put_shapes(struct rocpd *r, struct database_rows *rows)
{
	int64_t block[3], grid[3];

	for (size_t i = 0; i < 3; i++) {
		if (!database_int(rows, COLUMN_BLOCK_X + i, &block[i]) || block[i] <= 0
		    || !database_int(rows, COLUMN_GRID_X + i, &grid[i]) || grid[i] < 0)
			return;
		grid[i] = grid[i] / block[i] + (grid[i] % block[i] > 0);
	}
	str_fmt(&r->text, "%sgrid:%lld,%lld,%lld block:%lld,%lld,%lld", r->text.len ? " " : "",
	        (long long)grid[0], (long long)grid[1], (long long)grid[2], (long long)block[0],
	        (long long)block[1], (long long)block[2]);
}

static uint32_t launch_of(struct rocpd *r, struct database_rows *rows, int64_t regs)
{
	int64_t shared;

	str_reset(&r->text);
	if (regs >= 0)
		str_fmt(&r->text, "regs:%lld", (long long)regs);
	if (database_int(rows, COLUMN_SHARED, &shared))
		str_fmt(&r->text, "%sshm:%lld", r->text.len ? " " : "", (long long)shared);
	put_shapes(r, rows);
	return r->text.len ? trace_name(r->trace, r->text.text, r->text.len) : MAP_NONE;
}

static uint32_t stream_of(struct rocpd *r, struct database_rows *rows)
{
	int64_t stream = 0, process;
	bool has_process = database_int(rows, COLUMN_PROCESS, &process);
	uint32_t at = has_process ? id_map_find(&r->process_of, process) : MAP_NONE;

	if (!database_int(rows, COLUMN_STREAM, &stream))
		database_int(rows, COLUMN_QUEUE, &stream);
	return trace_stream_number(r->trace, has_process,
	                           at == MAP_NONE ? process : r->processes.at[at], stream);
}

/* A record without what tells kernels from copies. False: its times can't be used. */
static bool start_record(struct rocpd *r, struct database_rows *rows, const struct agent *agent,
                         struct activity *a, struct trace_record *record)
{
	int64_t end_ns, event;

	*a = (struct activity){ .node = MAP_NONE, .op = TRACE_NO_NAME, .launch = MAP_NONE,
	                        .launch_delay_ns = -1 };
	*record = (struct trace_record){ .correlation = TRACE_NO_ID, .external = TRACE_NO_ID,
	                                 .step = TRACE_OUTSIDE };
	if (!database_int(rows, COLUMN_START, &a->start_ns)
	    || !database_int(rows, COLUMN_END, &end_ns)
	    || __builtin_sub_overflow(end_ns, a->start_ns, &a->len_ns) || a->len_ns < 0) {
		r->trace->n_left_out++;
		return false;
	}
	a->device = (agent ? trace_device_number(r->trace, agent->number)
	                   : trace_device(r->trace, "", 0)) & 0x3fffffff;
	a->stream = stream_of(r, rows);
	if (database_int(rows, COLUMN_EVENT, &event) && event >= 0)
		record->correlation = event;
	return true;
}

static void take_kernel(struct rocpd *r, struct database_rows *rows)
{
	struct trace_record record;
	struct activity a;
	int64_t id;
	uint32_t at;

	if (!start_record(r, rows, agent_at(r, rows, COLUMN_AGENT), &a, &record))
		return;
	at = database_int(rows, COLUMN_KERNEL, &id) ? id_map_find(&r->symbol_of, id) : MAP_NONE;
	a.kind = ACTIVITY_KERNEL;
	a.raw = at == MAP_NONE ? TRACE_NO_NAME : r->symbols.at[at].name;
	a.launch = launch_of(r, rows, at == MAP_NONE ? -1 : r->symbols.at[at].regs);
	trace_add(r->trace, &a, &record);
}

/* A copy belongs to the GPU that has a part in it, of two to that which gets the bytes. */
static void take_copy(struct rocpd *r, struct database_rows *rows)
{
	const struct agent *target = agent_at(r, rows, COLUMN_TARGET);
	const struct agent *source = agent_at(r, rows, COLUMN_SOURCE);
	struct trace_record record;
	struct activity a;
	int64_t id;

	if (source && source->is_gpu && (!target || !target->is_gpu))
		target = source;
	if (!start_record(r, rows, target, &a, &record))
		return;
	a.kind = ACTIVITY_COPY;
	a.raw = database_int(rows, COLUMN_WAY, &id) ? texts_find(&r->texts, id) : TRACE_NO_NAME;
	record.has_bytes = database_int(rows, COLUMN_SIZE, &a.bytes);
	trace_add(r->trace, &a, &record);
}

/* Sessions. */

static bool read_names(struct rocpd *r)
{
	static const char *const symbols[] = { "id", "display_name", "kernel_name",
	                                       "arch_vgpr_count" };
	static const char *const agents[] = { "id", "type", "type_index" };
	static const char *const processes[] = { "id", "pid" };
	static const char *const ways[] = { "name_id" };

	return take_table(r, "rocpd_info_kernel_symbol", symbols, 4, take_symbol)
	       && take_table(r, "rocpd_info_agent", agents, 3, take_agent)
	       && take_table(r, "rocpd_info_process", processes, 2, take_process)
	       && texts_want(&r->texts, r->db, table_of(r, "rocpd_memory_copy"), ways, 1, r->err)
	       && texts_read(&r->texts, r->trace, r->db, table_of(r, "rocpd_string"), "id",
	                     "string", r->err);
}

static bool read_session(struct trace *trace, struct database *db, const char *suffix,
                         struct err *err)
{
	struct rocpd r = { .trace = trace, .db = db, .suffix = suffix, .err = err };
	bool ok = read_names(&r)
	          && take_table(&r, "rocpd_kernel_dispatch", columns, N_COLUMNS, take_kernel)
	          && take_table(&r, "rocpd_memory_copy", columns, N_COLUMNS, take_copy);

	id_map_release(&r.symbol_of);
	id_map_release(&r.agent_of);
	id_map_release(&r.process_of);
	vec_release(&r.symbols);
	vec_release(&r.agents);
	vec_release(&r.processes);
	texts_release(&r.texts);
	str_release(&r.table);
	str_release(&r.text);
	return ok;
}

bool read_rocpd(struct trace *trace, struct database *db, struct err *err)
{
	static const char kernels[] = "rocpd_kernel_dispatch", copies[] = "rocpd_memory_copy";
	const char *suffix;
	struct str name = {0};
	bool ok = true;

	for (size_t i = 0; ok && (suffix = database_suffix(db, kernels, i)); i++)
		ok = read_session(trace, db, suffix, err);
	for (size_t i = 0; ok && (suffix = database_suffix(db, copies, i)); i++) {
		str_reset(&name);
		str_fmt(&name, "%s%s", kernels, suffix);
		if (!database_has(db, name.text))
			ok = read_session(trace, db, suffix, err);
	}
	str_release(&name);
	return ok;
}
