/* What is open, counted. Of runs only names and sizes are read. */
#include "cmds/overview/overview.h"

#include <stdlib.h>

#include "cmds/overview/usage.h"
#include "cmds/session/position.h"
#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/model/program.h"
#include "dump/programs.h"

typedef VEC(const struct usage_part *) usage_parts;

/* Says which files could not be read when the run was opened to count its tensors. */
static void tell_lost(struct call *call, const struct usage_part *part)
{
	struct str text = {0};

	for (size_t i = 0; i < part->lost.len; i++) {
		str_reset(&text);
		put_unread(&text, part->entry, &part->lost.at[i]);
		call_fault(call, text.text);
	}
	str_release(&text);
}

/* A run that is gone counts as one without tensors. False: cancelled, and call->err says so. */
static bool take_parts(struct call *call, usage_parts *out)
{
	struct runs *runs = call->shell->runs;
	size_t n = runs->list.len;

	for (size_t i = 0; i < n; i++) {
		struct err err = {0};
		const struct usage_part *part;

		if (!progress_step(call->progress, i, n))
			return err_at(&call->err, ERR_CANCELLED, "command", 0,
			              "stopped after %zu of %zu runs", i, n);
		part = usage_of_run(call->shell, runs_at(runs, i + 1), NULL, 0, call->progress,
		                    &err);
		if (part) {
			vec_push(out, part);
			tell_lost(call, part);
		} else if (err.code == ERR_CANCELLED) {
			call->err = err;
			return false;
		} else if (!runs_at(runs, i + 1)->gone) {
			call_broken_run(call, runs_at(runs, i + 1), &err);
		}
	}
	return true;
}

static void count_once(bool *counted, uint32_t number, int64_t *n)
{
	*n += !counted[number];
	counted[number] = true;
}

/* What the runs have together. */
static void count_parts(const struct usage *usage, const usage_parts *parts,
                        struct overview_head *out)
{
	bool *names = mem_alloc(usage->names.len + 1);
	bool *devices = mem_alloc(usage->devices.len + 1);

	out->tensors = out->bytes = out->nodes = out->devices = 0;
	for (size_t p = 0; p < parts->len; p++) {
		const struct usage_part *part = parts->at[p];

		for (size_t i = 0; i < part->devices.len; i++)
			count_once(devices, part->devices.at[i], &out->devices);
		for (size_t i = 0; i < part->items.len; i++) {
			count_once(names, part->items.at[i].name, &out->nodes);
			if (out->bytes >= 0 && __builtin_add_overflow(
				out->bytes, part->items.at[i].bytes, &out->bytes))
				out->bytes = -1;
		}
		out->tensors += (int64_t)part->items.len;
	}
	free(names);
	free(devices);
}

/* From the first time to the last; -1: no run has one. */
static int64_t span_of_parts(const usage_parts *parts)
{
	int64_t first_us = -1, last_us = -1;

	for (size_t i = 0; i < parts->len; i++) {
		const struct usage_part *part = parts->at[i];

		if (part->first_us >= 0 && (first_us < 0 || part->first_us < first_us))
			first_us = part->first_us;
		if (part->last_us > last_us)
			last_us = part->last_us;
	}
	return first_us < 0 ? -1 : last_us - first_us;
}

static void count_graphs(const struct run *run, struct overview_head *out)
{
	for (size_t i = 0; run && i < run->devices.len; i++) {
		const struct graph *graph = run->devices.at[i].graph;

		if (!graph)
			continue;
		out->graphs = (out->graphs < 0 ? 0 : out->graphs) + 1;
		out->graph_nodes = (out->graph_nodes < 0 ? 0 : out->graph_nodes) + graph_len(graph);
	}
}

bool overview_count_runs(struct call *call, struct overview_head *out)
{
	usage_parts parts = {0};
	bool ok;

	if (!call->shell->runs)
		return true;
	ok = take_parts(call, &parts);
	count_parts(usage_of(call->shell), &parts, out);
	out->span_us = span_of_parts(&parts);
	vec_release(&parts);
	return ok;
}

/* Names of devices or hosts, each once. */
static void count_names(const struct program *program, struct overview_head *out)
{
	VEC(const char *) hosts = {0}, devices = {0};

	for (size_t i = 0; i < program->sets.len; i++)
		vec_push(&hosts, program->sets.at[i].host);
	for (size_t i = 0; i < program->devices.len; i++)
		vec_push(&devices, program->devices.at[i].name);
	out->hosts = hosts.len ? (int64_t)texts_sort_once(hosts.at, hosts.len) : 0;
	out->devices = devices.len ? (int64_t)texts_sort_once(devices.at, devices.len) : 0;
	vec_release(&hosts);
	vec_release(&devices);
}

static int64_t span_of(const struct program *program)
{
	int64_t us, last_us = -1;

	for (size_t i = 0; i < program->steps.len; i++)
		if (program_time_us(program, program->steps.at[i].time, &us) && us > last_us)
			last_us = us;
	return last_us;
}

static void read_program(const struct shell *shell, struct overview_head *out)
{
	const struct program *program = shell->program;

	out->v2 = true;
	out->runs = (int64_t)programs_len(shell->programs);
	if (!program)
		return;
	out->writer = "TensorFlow";
	out->version = program->tensorflow_version;
	out->mode = program->modes.len ? program_mode_name(program->modes.at[0]) : NULL;
	out->steps = (int64_t)program->steps.len;
	out->tensors = (int64_t)program->n_tensors;
	out->nodes = (int64_t)program->ops.len;
	out->graphs = (int64_t)program->graphs.len;
	count_names(program, out);
	out->span_us = span_of(program);
	out->bytes = 0;
	for (size_t i = 0; i < program->sets.len; i++)
		for (int k = 0; k < PROGRAM_FILE_KINDS; k++)
			out->bytes += (int64_t)program->sets.at[i].file[k].bytes;
}

static void read_profile(const struct profile *profile, struct overview_head *out)
{
	struct extent extent;

	out->profile = profile->steps.len || profile->proto || profile->op_log;
	out->graph |= profile->graph != NULL;
	if (out->v1 || out->v2)
		return;
	if (!profile->steps.len || !step_is_trace(&profile->steps.at[0]))
		out->steps = (int64_t)profile->steps.len;
	if (profile->graph) {
		out->graphs = 1;
		out->graph_nodes = graph_len(profile->graph);
	}
	if (profile->current < profile->steps.len &&
	    profile->steps.at[profile->current].loaded &&
	    step_extent(&profile->steps.at[profile->current], &extent))
		out->span_us = extent.end_us - extent.start_us;
}

void overview_start_head(const struct shell *shell, struct overview_head *out)
{
	*out = (struct overview_head){ .span_us = -1, .runs = -1, .steps = -1, .tensors = -1,
	                               .nodes = -1, .devices = -1, .hosts = -1, .bytes = -1,
	                               .graphs = -1, .graph_nodes = -1 };
	if (shell->runs) {
		out->runs = (int64_t)shell->runs->list.len;
		out->arrays = shell_has_arrays(shell);
		out->v1 = !out->arrays;
		count_graphs(shell->run, out);
	}
	if (shell->programs)
		read_program(shell, out);
	if (shell->profile)
		read_profile(shell->profile, out);
}
