/* About the whole dump: who wrote what, what is damaged or missing, the current step. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/program/graph_names.h"
#include "cmds/program/listed.h"
#include "cmds/program/step_row.h"
#include "dump/base/mount.h"

enum { STEP };

static const struct opt options[] = {
	[STEP] = STEP_OPT,
};

/* What the typed answer is about; it may be written after the session has moved on. */
struct told {
	const struct program *program;
	size_t run, n_runs;
	uint32_t step;
};

static void key_uint(struct data *data, const char *key, uint64_t value)
{
	data_key(data, key);
	data_uint(data, value);
}

static void key_known(struct data *data, const char *key, bool known, uint64_t value)
{
	data_key(data, key);
	if (known)
		data_uint(data, value);
	else
		data_null(data);
}

static void key_text(struct data *data, const char *key, const char *text)
{
	data_key(data, key);
	data_str(data, text);
}

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t *modes_of(const struct program *program, struct arena *mem)
{
	size_t n = program->modes.len;
	int64_t *modes = arena_alloc(mem, (n + 1) * sizeof *modes);

	if (n)
		memcpy(modes, program->modes.at, n * sizeof *modes);
	qsort(modes, n, sizeof *modes, by_number);
	return modes;
}

static void put_sets(struct data *data, const struct program *program)
{
	data_key(data, "sets");
	data_list(data);
	for (size_t i = 0; i < program->sets.len; i++) {
		const struct program_set *set = &program->sets.at[i];
		int64_t start;

		data_object(data);
		key_uint(data, "set", i);
		key_text(data, "prefix", set->prefix);
		key_text(data, "host", set->host);
		key_text(data, "run_id", set->run_id);
		data_key(data, "t0_us");
		if (set->has_start && program_time_us(program, set->start, &start))
			data_int(data, start + program->t0_us);
		else
			data_null(data);
		data_end(data);
	}
	data_end(data);
}

static void put_file(struct data *data, const struct program *program, size_t set, int kind)
{
	const struct program_file *file = &program->sets.at[set].file[kind];
	struct program_place place = { .set = (uint16_t)set, .file = (uint8_t)kind };
	struct str name = {0};

	program_put_file(program, &place, &name);
	data_object(data);
	key_uint(data, "set", set);
	key_text(data, "file", name.text);
	key_text(data, "kind", program_file_suffix[kind]);
	key_known(data, "bytes", !file->missing, file->bytes);
	key_known(data, "records", !file->missing, file->records);
	data_key(data, "missing");
	data_bool(data, file->missing);
	data_end(data);
	str_release(&name);
}

static void put_damage(struct data *data, const struct program *program)
{
	struct str name = {0};

	data_key(data, "damage");
	data_list(data);
	for (size_t i = 0; i < program->damage.len; i++) {
		const struct program_damage *damage = &program->damage.at[i];

		str_reset(&name);
		program_put_file(program, &damage->at, &name);
		data_object(data);
		key_text(data, "file", name.text);
		key_known(data, "offset", damage->what != PROGRAM_MISSING, damage->at.off);
		key_known(data, "bytes", damage->what != PROGRAM_MISSING, damage->bytes);
		key_text(data, "what", program_damage_name[damage->what]);
		data_end(data);
	}
	data_end(data);
	str_release(&name);
}

static void put_unresolved(struct data *data, const struct program_unresolved *u)
{
	data_key(data, "unresolved");
	data_object(data);
	key_uint(data, "graphs", u->graphs);
	key_uint(data, "ops", u->ops);
	key_uint(data, "frames", u->frames);
	key_uint(data, "sources", u->sources);
	data_end(data);
}

static void put_texts(struct data *data, const char *key, const char *const *texts, size_t n)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < n; i++)
		data_str(data, texts[i]);
	data_end(data);
}

static void put_devices(struct data *data, const struct program *program, struct arena *mem)
{
	size_t n;
	const char **names = program_device_names(program, mem, &n);

	put_texts(data, "devices", names, n);
	data_key(data, "device_ids");
	data_list(data);
	for (size_t i = 0; i < program->devices.len; i++) {
		data_object(data);
		key_uint(data, "set", program->devices.at[i].set);
		data_key(data, "id");
		data_int(data, program->devices.at[i].id);
		key_text(data, "device", program->devices.at[i].name);
		data_end(data);
	}
	data_end(data);
}

static size_t n_recorded_graphs(const struct program *program)
{
	size_t n = 0;

	for (size_t i = 0; i < program->graphs.len; i++)
		n += program->graphs.at[i].recorded;
	return n;
}

static void put_counts(struct data *data, const struct program *program)
{
	key_uint(data, "executions", program->steps.len);
	key_uint(data, "function_steps", program->n_function_steps);
	key_uint(data, "traces", program->traces.len);
	key_uint(data, "ops", program->ops.len);
	key_uint(data, "graphs", n_recorded_graphs(program));
	key_uint(data, "sources", program->sources.len);
	key_uint(data, "frames", program->frame_order.len);
	key_uint(data, "flagged", program->n_flagged);
	key_uint(data, "passes", program->n_passes);
	key_text(data, "window", program_window(program));
}

static bool told_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct told *told = context;
	const struct program *program = told->program;
	struct program_reads reads = { .program = program };
	struct arena mem = {0};
	const int64_t *modes = modes_of(program, &mem);
	size_t n;
	const char **hosts = program_hosts(program, &mem, &n);
	struct err fault = {0};

	(void)progress;
	data_object(data);
	key_uint(data, "run", told->run + 1);
	key_uint(data, "runs", told->n_runs);
	key_text(data, "run_id", program->run_id);
	key_text(data, "tensorflow_version", program->tensorflow_version);
	key_text(data, "file_version", program->file_version);
	data_key(data, "t0_us");
	data_int(data, program->t0_us);
	put_texts(data, "hosts", hosts, n);
	data_key(data, "modes");
	data_list(data);
	for (size_t i = 0; i < program->modes.len; i++)
		mode_put_data(modes[i], data);
	data_end(data);
	put_sets(data, program);
	data_key(data, "files");
	data_list(data);
	for (size_t set = 0; set < program->sets.len; set++)
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++)
			put_file(data, program, set, kind);
	data_end(data);
	put_damage(data, program);
	put_unresolved(data, &program->unresolved);
	key_uint(data, "late_traces", program->late.traces);
	put_devices(data, program, &mem);
	put_counts(data, program);
	data_key(data, "step");
	step_put_data(&reads, told->step, data, &fault);
	data_end(data);
	program_reads_release(&reads);
	arena_release(&mem);
	if (!fault.code)
		return true;
	*err = fault;
	return false;
}

/* Text. */

static void put_line(struct call *call, const char *what, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void put_line(struct call *call, const char *what, const char *fmt, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	doc_line_put(call->out, ROLE_PLAIN, "  %-12s %s", what, str_text(&text));
	str_release(&text);
}

static void put_records(struct call *call, const struct program *program)
{
	for (size_t set = 0; set < program->sets.len; set++) {
		doc_newline(call->out);
		doc_line_put(call->out, ROLE_STRONG, "%s", program->sets.at[set].prefix);
		for (int kind = 0; kind < PROGRAM_FILE_KINDS; kind++) {
			const struct program_file *file = &program->sets.at[set].file[kind];

			if (file->missing)
				doc_line_put(call->out, ROLE_PLAIN, "  %-24s missing",
				             program_file_suffix[kind]);
			else
				doc_line_put(call->out, ROLE_PLAIN,
				             "  %-24s %8" PRIu64 " record%s %12" PRIu64 " bytes",
				             program_file_suffix[kind], file->records,
				             file->records == 1 ? " " : "s", file->bytes);
		}
	}
}

static void put_what_is_wrong(struct call *call, const struct program *program)
{
	struct str text = {0};

	for (size_t i = 0; i < program->damage.len; i++) {
		str_reset(&text);
		program_put_damage(program, &program->damage.at[i], &text);
		if (!i)
			doc_newline(call->out);
		doc_line_put(call->out, ROLE_ERROR, "%s", text.text);
		doc_warn(call->out, "%s", text.text);
	}
	if (program_has_notes(program)) {
		doc_newline(call->out);
		program_put_notes(program, call->out);
	}
	str_release(&text);
}

static void put_text(struct call *call, const struct told *told)
{
	const struct program *program = told->program;
	struct str modes = {0};
	size_t n;
	const char **hosts = program_hosts(program, call->mem, &n);
	const int64_t *numbers = modes_of(program, call->mem);
	const char *window = program_window(program);
	struct str root = {0};

	doc_line_put(call->out, ROLE_STRONG, "Run %zu of %zu: %s", told->run + 1, told->n_runs,
	             program->run_id ? program->run_id : "(no run id recorded)");
	put_line(call, "TensorFlow", "%s", program->tensorflow_version ? program->tensorflow_version
	                                                                : "not recorded");
	mount_put_shown(&root, program->path);
	put_line(call, "dump root", "%s", root.text);
	str_release(&root);
	for (size_t i = 0; i < n; i++)
		put_line(call, i ? "" : "hosts", "%s", hosts[i]);
	for (size_t i = 0; i < program->modes.len; i++) {
		str_puts(&modes, i ? ", " : "");
		put_mode_name(&modes, numbers[i]);
	}
	put_line(call, "mode", "%s", modes.len ? modes.text : "none seen");
	put_line(call, "executions", "%zu, %" PRIu32 " of them functions", program->steps.len,
	         program->n_function_steps);
	put_line(call, "traces", "%zu", program->traces.len);
	put_line(call, "graphs", "%zu with %zu ops", n_recorded_graphs(program), program->ops.len);
	put_line(call, "flagged", "%" PRIu32 " tensors with NaN or Inf", program->n_flagged);
	if (window)
		put_line(call, "window", "%s%s", window,
		         strcmp(window, "cut") ? "" : ": some of what was computed is not here");
	if (program->n_passes)
		put_line(call, "passes", "%" PRIu32 " calls of functions without an execution",
		         program->n_passes);
	if (told->step != PROGRAM_NONE)
		put_line(call, "step", "#%" PRIu32 " %s", told->step,
		         program->steps.at[told->step].op);
	put_records(call, program);
	put_what_is_wrong(call, program);
	str_release(&modes);
}

static void ri_exec(struct call *call)
{
	struct shell *shell = call->shell;
	struct told *told = arena_alloc(doc_mem(call->out), sizeof *told);

	*told = (struct told){ shell->program, shell->program_at, programs_len(shell->programs),
	                       shell->program_step };
	if (call->args.opt[STEP].given && !choose_step(call, &call->args.opt[STEP], &told->step))
		return;
	if (!need_scan(call))
		return;
	put_text(call, told);
	put_unscanned(call);
	doc_typed(call->out, DATA_VALUE, told_put_data, told);
}

const struct cmd cmd_ri_program = {
	.name = "run_info", .alias = "ri",
	.summary = "About the record: files, damage, counts, the current step",
	OPTS(options), .of_program = true, .exec = ri_exec,
};
