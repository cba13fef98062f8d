#include "cmds/overview/usage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/program/graph_names.h"
#include "cmds/program/tensor_rows.h"
#include "dump/base/mem.h"
#include "dump/programs.h"

enum { STEP_EVERY = 256 };

static void part_free(struct usage_part *part)
{
	if (!part)
		return;
	vec_release(&part->items);
	vec_release(&part->devices);
	vec_release(&part->lost);
	free(part);
}

static void usage_free(void *what)
{
	struct usage *usage = what;

	for (size_t i = 0; i < usage->parts.len; i++)
		part_free(usage->parts.at[i]);
	vec_release(&usage->parts);
	by_entry_release(&usage->numbers);
	map_release(&usage->names);
	map_release(&usage->devices);
	map_release(&usage->ops);
	map_release(&usage->dtypes);
	arena_release(&usage->mem);
	free(usage);
}

struct usage *usage_of(struct shell *shell)
{
	static const char key[] = "usage";
	struct usage *usage = shell_kept(shell, key);

	if (!usage) {
		usage = mem_alloc(sizeof *usage);
		shell_keep(shell, key, KEEP_WHILE_THERE_IS_ROOM, usage, usage_free);
	}
	return usage;
}

static uint32_t text_number(struct usage *usage, struct map *map, const char *text)
{
	return text ? map_add(map, &usage->mem, text, strlen(text)) : USAGE_UNKNOWN;
}

static bool stopped(size_t done, size_t of, struct err *err)
{
	return err_at(err, ERR_CANCELLED, "command", 0, "stopped after %zu of %zu tensors", done,
	              of);
}

/* Is it still as it was when the part was made? */
static bool is_unchanged(const struct usage_part *part)
{
	if (part->program)
		return part->generation == part->program->generation &&
		       part->n_tensors == part->program->n_tensors;
	return part->info && part->info == run_entry_info(part->entry, RUN_NAMES);
}

/* The place of the part of this run or program. */
static struct usage_part **place_of(struct usage *usage, const struct run_entry *entry,
                                    const struct program *program)
{
	uint32_t number = by_entry_add(&usage->numbers, entry, (uintptr_t)program);

	return number == usage->parts.len ? vec_add(&usage->parts) : &usage->parts.at[number];
}

/* The part of this run or program, if it has what is asked for; else it goes. */
static struct usage_part *find(struct usage *usage, const struct run_entry *entry,
                               const struct program *program, unsigned what)
{
	struct usage_part **place = place_of(usage, entry, program), *part = *place;

	if (!part || (is_unchanged(part) && (part->has_ops || !(what & USAGE_OPS)) &&
	              (part->has_dtypes || !(what & USAGE_DTYPES))))
		return part;
	part_free(part);
	return *place = NULL;
}

static const struct usage_part *keep(struct usage *usage, struct usage_part *part, bool whole)
{
	if (whole)
		return *place_of(usage, part->entry, part->program) = part;
	part_free(part);
	return NULL;
}

/* Runs. */

static void note_unread(struct usage_part *part, const struct err *err)
{
	if (!part->n_unread++)
		part->first_unread = *err;
}

/* The type of a tensor; NULL: it can't be read. */
static const struct dtype_info *type_of(struct usage_part *part, const struct run *run,
                                        const struct run_facts *facts, uint32_t at)
{
	const struct dtype_info *type = fact_of(facts, at).type;
	struct err err = {0};
	struct value *value = type ? NULL : run_value(run, &run->tensors.at[at], &err);

	if (value)
		type = value->type;
	else if (err.code && err.code != ERR_MISSING)
		note_unread(part, &err);
	value_close(value);
	return type;
}

static bool take_dtypes(struct usage *usage, struct usage_part *part, const struct run *run,
                        const struct run_facts *facts, struct progress *progress,
                        struct err *err)
{
	size_t n = part->items.len;

	if (progress)
		atomic_store(&progress->what, "tensors");
	for (size_t i = 0; i < n; i++) {
		const struct dtype_info *type;

		if (!(i % STEP_EVERY) && !progress_step(progress, i, n))
			return stopped(i, n, err);
		type = type_of(part, run, facts, (uint32_t)i);
		part->items.at[i].dtype =
			text_number(usage, &usage->dtypes, type ? type->name : NULL);
	}
	part->has_dtypes = true;
	return true;
}

static void take_tensors(struct usage *usage, struct usage_part *part, const struct run *run)
{
	uint32_t *name = mem_alloc((run->nodes.len + 1) * sizeof *name);
	uint32_t *device = mem_alloc((run->devices.len + 1) * sizeof *device);

	for (size_t i = 0; i < run->nodes.len; i++)
		name[i] = text_number(usage, &usage->names, run->nodes.key[i]);
	for (size_t i = 0; i < run->devices.len; i++) {
		device[i] = text_number(usage, &usage->devices, run->devices.at[i].name);
		/* The reader gives arrays a device that no file names, also where it found none. */
		if (run->tensors.len || !run->op_type)
			vec_push(&part->devices, device[i]);
	}
	vec_reserve(&part->items, run->tensors.len);
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];

		vec_push(&part->items, ((struct usage_item){
			.name = name[t->node_id], .device = device[t->device],
			.op = USAGE_UNKNOWN, .dtype = USAGE_UNKNOWN,
			.bytes = t->size_bytes > 0 ? (uint64_t)t->size_bytes : 0,
		}));
	}
	free(name);
	free(device);
}

static void take_times(struct usage_part *part, const struct run *run)
{
	int64_t last_us = run->tensors.len ? vec_last(&run->tensors)->time_us : -1;
	bool has_times = run->t0_us > 0 && last_us >= run->t0_us;

	part->first_us = has_times ? run->t0_us : -1;
	part->last_us = has_times ? last_us : -1;
}

static void take_ops(struct usage *usage, struct usage_part *part, const char *const *ops)
{
	for (size_t i = 0; i < part->items.len; i++)
		part->items.at[i].op = text_number(usage, &usage->ops, ops[i]);
	part->has_ops = true;
}

static bool take_run(struct shell *shell, struct usage_part *part, struct visit *visit,
                     const struct run *run, unsigned what, struct progress *progress,
                     struct err *err)
{
	struct usage *usage = usage_of(shell);
	struct run_facts *facts;
	bool ok;

	take_tensors(usage, part, run);
	take_times(part, run);
	part->is_foreign = run->op_type;
	if (what & USAGE_OPS && visit) {
		take_ops(usage, part, visit_ops(visit));
	} else if (what & USAGE_OPS) {
		const char **ops = run_ops(run);

		take_ops(usage, part, ops);
		free(ops);
	}
	if (!(what & USAGE_DTYPES))
		return true;
	facts = facts_of_run(shell->visits, part->entry, run);
	ok = take_dtypes(usage, part, run, facts, progress, err);
	facts_close(facts);
	return ok;
}

static void note_lost(struct usage *usage, struct usage_part *part, const struct run *run)
{
	for (size_t i = 0; i < run->problems.len; i++) {
		struct problem problem = run->problems.at[i];

		if (!problem.unread)
			continue;
		problem.file = arena_copy(&usage->mem, problem.file, strlen(problem.file));
		problem.text = arena_copy(&usage->mem, problem.text, strlen(problem.text));
		problem.nodes = NULL;
		vec_push(&part->lost, problem);
	}
}

/* What is known of the run changes when the run does. */
static void note_state(struct shell *shell, struct usage_part *part, const struct run *run)
{
	if (!run_entry_info(part->entry, RUN_NAMES))
		runs_keep_info(shell->runs, part->entry, RUN_NAMES, run_info_of(run, false));
	part->info = run_entry_info(part->entry, RUN_NAMES);
}

const struct usage_part *usage_of_run(struct shell *shell, struct run_entry *entry,
                                      const struct run *open, unsigned what,
                                      struct progress *progress, struct err *err)
{
	struct usage *usage = usage_of(shell);
	struct usage_part *part = find(usage, entry, NULL, what);
	struct visit *visit = part || open ? NULL : visit_find(shell->visits, entry);
	const struct run *run = visit ? visit->run : open;
	struct run *opened = NULL;
	bool ok;

	if (part) {
		part->number = entry->position;
		return part;
	}
	if (!run) {
		run = opened = runs_open_run(shell->runs, entry, err);
		if (opened && !(what & USAGE_OPS))
			opened->depth = RUN_NAMES;
		if (!opened || !run_load(opened, progress, err)) {
			run_close(opened);
			return NULL;
		}
	}
	part = mem_alloc(sizeof *part);
	*part = (struct usage_part){ .name = entry->name, .number = entry->position,
	                             .entry = entry };
	ok = take_run(shell, part, visit, run, what, progress, err);
	note_state(shell, part, run);
	if (opened)
		note_lost(usage, part, opened);
	visit_release(visit);
	run_close(opened);
	return keep(usage, part, ok);
}

/* Recorded programs. */

static const char *type_in_program(struct usage_part *part, struct program_reads *reads,
                                   const struct program_tensor *tensor,
                                   struct progress *progress, struct err *err)
{
	const struct dtype_info *type = NULL;
	struct health health;
	struct err own = {0};

	if (program_health(reads, tensor, &health, progress, &own) && health.known & HEALTH_DTYPE)
		type = dtype_on_wire(health.dtype);
	if (own.code == ERR_CANCELLED)
		*err = own;
	else if (own.code)
		note_unread(part, &own);
	return type ? type->name : NULL;
}

static const char *name_in_program(const struct program *program,
                                   const struct program_tensor *tensor)
{
	const struct program_trace *trace;

	if (tensor->trace == PROGRAM_NONE)
		return program->steps.at[tensor->step].op;
	trace = &program->traces.at[tensor->trace];
	return program->nodes.at[program->keys.at[trace->key].node].name;
}

static bool take_program(struct usage *usage, struct usage_part *part, unsigned what,
                         struct progress *progress, struct err *err)
{
	const struct program *program = part->program;
	struct program_reads reads = { .program = program };
	uint64_t n = program->n_tensors;

	if (progress)
		atomic_store(&progress->what, "tensors");
	for (uint64_t i = 0; i < n && !err->code; i++) {
		struct program_tensor tensor = program_tensor(program, PROGRAM_NONE, i);
		struct usage_item item = { .dtype = USAGE_UNKNOWN,
		                           .bytes = program_size_bytes(program, &tensor) };

		if (!(i % STEP_EVERY) && !progress_step(progress, i, n))
			stopped(i, n, err);
		item.name = text_number(usage, &usage->names, name_in_program(program, &tensor));
		item.device = text_number(usage, &usage->devices, tensor_device(program, &tensor));
		item.op = text_number(usage, &usage->ops, tensor_op(program, &tensor));
		if (what & USAGE_DTYPES)
			item.dtype = text_number(usage, &usage->dtypes,
			                       type_in_program(part, &reads, &tensor, progress,
			                                       err));
		vec_push(&part->items, item);
	}
	program_reads_release(&reads);
	part->has_ops = true;
	part->has_dtypes = what & USAGE_DTYPES;
	return !err->code;
}

const struct usage_part *usage_of_program(struct shell *shell, size_t i, unsigned what,
                                          struct progress *progress, struct err *err)
{
	struct usage *usage = usage_of(shell);
	struct program *program = programs_load(shell->programs, i, progress, err);
	struct usage_part *part = program ? find(usage, NULL, program, what) : NULL;
	bool ok;

	if (part || !program)
		return part;
	part = mem_alloc(sizeof *part);
	*part = (struct usage_part){ .number = i + 1, .program = program, .first_us = -1,
	                             .last_us = -1, .generation = program->generation,
	                             .n_tensors = program->n_tensors };
	part->name = program->run_id ? program->run_id : "";
	ok = take_program(usage, part, what, progress, err);
	return keep(usage, part, ok);
}
