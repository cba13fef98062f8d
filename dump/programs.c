#include "dump/programs.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/files/walk.h"
#include "dump/model/run.h"
#include "dump/v2/v2.h"

/* One of them: where it is, and what was counted or loaded. */
struct known {
	const struct v2_root *root;
	size_t run;
	struct program *program;         /* NULL: not loaded */
	bool is_counted;
	struct v2_counts counts;
};

struct programs {
	VEC(struct v2_root *) roots;     /* the first one, and what came later; texts are in all */
	VEC(struct known) known;         /* those of the first one, then what came */
	struct program *reading;         /* NULL: none is being read */
	char *lacks;                     /* NULL: nothing */
	VEC(struct problem) problems;    /* texts are in mem */
	struct arena mem;
};

struct programs_seen {
	struct v2_root *root;
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

static const struct v2_run *run_of(const struct known *known)
{
	return &known->root->runs.at[known->run];
}

struct programs *programs_open(const char *path, struct err *err)
{
	struct v2_root *root = v2_root_open(path, err);
	struct programs *programs;

	if (!root)
		return NULL;
	programs = mem_alloc(sizeof *programs);
	vec_push(&programs->roots, root);
	for (size_t i = 0; i < root->runs.len; i++)
		vec_push(&programs->known, ((struct known){ .root = root, .run = i }));
	return programs;
}

void programs_close(struct programs *programs)
{
	if (!programs)
		return;
	for (size_t i = 0; i < programs->known.len; i++)
		program_close(programs->known.at[i].program);
	for (size_t i = 0; i < programs->roots.len; i++)
		v2_root_close(programs->roots.at[i]);
	vec_release(&programs->known);
	vec_release(&programs->roots);
	vec_release(&programs->problems);
	arena_release(&programs->mem);
	free(programs->lacks);
	free(programs);
}

void programs_set_lacks(struct programs *programs, const char *lacks)
{
	free(programs->lacks);
	programs->lacks = mem_copy(lacks, strlen(lacks));
}

const char *programs_lacks(const struct programs *programs)
{
	return programs->lacks;
}

void programs_note_problem(struct programs *programs, const struct problem *problem)
{
	struct problem kept = *problem;

	kept.file = arena_copy(&programs->mem, problem->file, strlen(problem->file));
	kept.text = arena_copy(&programs->mem, problem->text, strlen(problem->text));
	vec_push(&programs->problems, kept);
}

const struct problem *programs_problem(const struct programs *programs, size_t i)
{
	return i < programs->problems.len ? &programs->problems.at[i] : NULL;
}

const char *programs_path(const struct programs *programs)
{
	return programs->roots.at[0]->path;
}

size_t programs_len(const struct programs *programs)
{
	return programs->known.len;
}

size_t programs_chosen(const struct programs *programs)
{
	return programs->roots.at[0]->chosen;
}

struct program_head programs_head(const struct programs *programs, size_t i)
{
	const struct v2_run *run = run_of(&programs->known.at[i]);
	struct program_head head = { .run_id = run->run_id, .n_sets = run->sets.len,
	                             .tensorflow_version = run->tensorflow_version };
	const struct known *known = &programs->known.at[i];
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
	return run_of(&programs->known.at[i])->sets.at[set].host;
}

struct program *programs_load(struct programs *programs, size_t i, struct progress *progress,
                              struct err *err)
{
	struct known *known = &programs->known.at[i];

	if (!known->program)
		known->program = v2_open_seen(known->root, known->run, &programs->reading,
		                              progress, err);
	programs->reading = NULL;
	if (known->program)
		known->program->lacks = programs->lacks;
	return known->program;
}

const struct program *programs_so_far(const struct programs *programs)
{
	return programs->reading;
}

bool programs_count(struct programs *programs, size_t i, struct programs_counts *counts,
                    struct progress *progress, struct err *err)
{
	struct known *known = &programs->known.at[i];
	struct v2_counts found;

	if (known->program) {
		known->counts.executions = known->program->steps.len;
		known->counts.traces = known->program->traces.len;
		known->counts.fault.code = ERR_NONE;     /* its own damage is told with it */
	} else if (!known->is_counted) {
		if (!v2_root_count(known->root, known->run, &found, progress, err))
			return false;
		known->counts = found;
	}
	known->is_counted = !known->counts.fault.code;
	*counts = (struct programs_counts){ known->counts.executions, known->counts.traces,
	                                    known->counts.fault };
	return true;
}

/* A damaged run that is loaded, or is the only one, lists this fault among its own damage. */
static bool is_for_warning(const struct programs *programs, size_t k, const struct err *fault)
{
	return fault && (err_of_reading(fault) ||
	                 (programs->known.len > 1 && !programs->known.at[k].program));
}

const struct err *programs_fault(const struct programs *programs, size_t i)
{
	for (size_t k = 0; k < programs->known.len; k++) {
		const struct v2_run *run = run_of(&programs->known.at[k]);

		for (size_t set = 0; set < run->sets.len; set++)
			if (is_for_warning(programs, k, run->sets.at[set].fault) && !i--)
				return run->sets.at[set].fault;
	}
	return NULL;
}

/* ---- a place that is still written to */

static bool same_set(const struct v2_run *a, const struct v2_run *b)
{
	for (size_t i = 0; i < a->sets.len; i++)
		for (size_t k = 0; k < b->sets.len; k++)
			if (!strcmp(a->sets.at[i].prefix, b->sets.at[k].prefix))
				return true;
	return false;
}

static struct known *find(const struct programs *programs, const struct v2_run *run)
{
	for (size_t i = 0; i < programs->known.len; i++)
		if (same_set(run_of(&programs->known.at[i]), run))
			return &programs->known.at[i];
	return NULL;
}

/* A set is only known to be a run of its own once its metadata are there. */
static bool is_new(const struct programs *programs, const struct v2_run *run)
{
	return !find(programs, run) && run->has_start;
}

static bool has_changed(const struct programs *programs, const struct v2_run *run)
{
	const struct known *known = find(programs, run);
	const struct v2_run *before = known ? run_of(known) : NULL;

	return before && (before->sets.len != run->sets.len || !before->run_id != !run->run_id);
}

struct programs_seen *programs_look_beside(const struct programs *programs, struct err *err)
{
	struct v2_root *root = v2_root_open(programs_path(programs), err);
	struct programs_seen *seen;
	bool any = false;

	for (size_t i = 0; root && i < root->runs.len; i++)
		any |= is_new(programs, &root->runs.at[i]) ||
		       has_changed(programs, &root->runs.at[i]);
	if (!any) {
		v2_root_close(root);
		return NULL;
	}
	seen = mem_alloc(sizeof *seen);
	seen->root = root;
	return seen;
}

void programs_drop_seen(struct programs_seen *seen)
{
	if (seen)
		v2_root_close(seen->root);
	free(seen);
}

size_t programs_take(struct programs *programs, struct programs_seen *seen)
{
	struct v2_root *root = seen->root;
	size_t n_before = programs->known.len;

	for (size_t i = 0; i < root->runs.len; i++) {
		struct known *known = find(programs, &root->runs.at[i]);

		if (known) {
			known->root = root;
			known->run = i;
			known->is_counted = false;
		} else if (root->runs.at[i].has_start) {
			vec_push(&programs->known, ((struct known){ .root = root, .run = i }));
		}
	}
	vec_push(&programs->roots, root);
	free(seen);
	return programs->known.len - n_before;
}
