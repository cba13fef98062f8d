#include "dump/programs.h"

#include <stdlib.h>

#include "dump/base/mem.h"
#include "dump/files/walk.h"
#include "dump/v2/v2.h"

/* What was counted or loaded of one. */
struct known {
	struct program *program;         /* NULL: not loaded */
	bool is_counted;
	struct v2_counts counts;
};

struct programs {
	struct v2_root *root;
	struct known *known;
	struct program *reading;         /* NULL: none is being read */
};

bool programs_are_in(const struct listing *list)
{
	struct v2_name name;

	for (size_t i = 0; i < list->entries.len; i++)
		if (list->entries.at[i].kind == ENTRY_FILE &&
		    v2_name(list->entries.at[i].name, &name))
			return true;
	return false;
}

struct programs *programs_open(const char *path, struct err *err)
{
	struct v2_root *root = v2_root_open(path, err);
	struct programs *programs;

	if (!root)
		return NULL;
	programs = mem_alloc(sizeof *programs);
	programs->root = root;
	programs->known = mem_alloc(root->runs.len * sizeof *programs->known);
	return programs;
}

void programs_close(struct programs *programs)
{
	if (!programs)
		return;
	for (size_t i = 0; i < programs->root->runs.len; i++)
		program_close(programs->known[i].program);
	free(programs->known);
	v2_root_close(programs->root);
	free(programs);
}

const char *programs_path(const struct programs *programs)
{
	return programs->root->path;
}

size_t programs_len(const struct programs *programs)
{
	return programs->root->runs.len;
}

size_t programs_chosen(const struct programs *programs)
{
	return programs->root->chosen;
}

struct program_head programs_head(const struct programs *programs, size_t i)
{
	const struct v2_run *run = &programs->root->runs.at[i];
	struct program_head head = { .run_id = run->run_id, .n_sets = run->sets.len,
	                             .tensorflow_version = run->tensorflow_version };
	const struct known *known = &programs->known[i];
	const struct program *program = known->program;

	if (program) {
		head.has_start = program->t0_us != 0;
		head.start_us = program->t0_us;
	} else if (run->has_start) {
		head.has_start = program_us(run->start, &head.start_us);
	} else if (known->counts.has_time) {
		head.has_start = program_us(known->counts.first_time, &head.start_us);
	}
	return head;
}

const char *programs_host(const struct programs *programs, size_t i, size_t set)
{
	return programs->root->runs.at[i].sets.at[set].host;
}

struct program *programs_load(struct programs *programs, size_t i, struct progress *progress,
                              struct err *err)
{
	struct known *known = &programs->known[i];

	if (!known->program)
		known->program = v2_open_seen(programs->root, i, &programs->reading, progress,
		                              err);
	programs->reading = NULL;
	return known->program;
}

const struct program *programs_so_far(const struct programs *programs)
{
	return programs->reading;
}

bool programs_count(struct programs *programs, size_t i, uint64_t *executions, uint64_t *traces,
                    struct progress *progress, struct err *err)
{
	struct known *known = &programs->known[i];

	struct v2_counts counts;

	if (known->program) {
		known->counts.executions = known->program->steps.len;
		known->counts.traces = known->program->traces.len;
	} else if (!known->is_counted) {
		if (!v2_root_count(programs->root, i, &counts, progress, err))
			return false;
		known->counts = counts;
	}
	known->is_counted = true;
	*executions = known->counts.executions;
	*traces = known->counts.traces;
	return true;
}
