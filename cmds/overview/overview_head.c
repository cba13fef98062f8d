/* What is open, counted. Of runs only names and sizes are read. */
#include "cmds/overview/overview.h"

#include <string.h>

#include "cmds/session/position.h"
#include "cmds/session/session.h"
#include "dump/base/map.h"
#include "dump/model/program.h"
#include "dump/programs.h"

/* What the runs have together. */
struct counted {
	struct map nodes, devices;
	int64_t first_us, last_us;       /* first -1: no run has a time */
	struct arena mem;
};

static void count_times(struct counted *all, const struct run *run)
{
	int64_t last_us = run->tensors.len ? vec_last(&run->tensors)->time_us : -1;

	if (run->t0_us <= 0 || last_us < run->t0_us)
		return;
	if (all->first_us < 0 || run->t0_us < all->first_us)
		all->first_us = run->t0_us;
	if (last_us > all->last_us)
		all->last_us = last_us;
}

static void count_run(struct counted *all, const struct run *run, struct overview_head *out)
{
	for (size_t i = 0; i < run->devices.len; i++)
		map_add(&all->devices, &all->mem, run->devices.at[i].name,
		        strlen(run->devices.at[i].name));
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *tensor = &run->tensors.at[i];

		map_add(&all->nodes, &all->mem, tensor->node, strlen(tensor->node));
		out->bytes += tensor->size_bytes > 0 ? tensor->size_bytes : 0;
	}
	out->tensors += (int64_t)run->tensors.len;
	count_times(all, run);
}

/* A run that is gone counts as one without tensors. */
static bool count_entry(struct call *call, struct counted *all, struct run_entry *entry,
                        struct overview_head *out)
{
	struct err err = {0};
	struct run *run = runs_open_run(entry->runs, entry, &err);

	if (!run)
		return true;
	run->depth = RUN_NAMES;
	if (run_load(run, call->progress, &err))
		count_run(all, run, out);
	run_close(run);
	if (err.code == ERR_CANCELLED)
		call->err = err;
	return !call->err.code;
}

static bool count_entries(struct call *call, struct counted *all, struct overview_head *out)
{
	const struct runs *runs = call->shell->runs;

	for (size_t i = 0; i < runs->list.len; i++) {
		if (!progress_step(call->progress, i, runs->list.len))
			return err_at(&call->err, ERR_CANCELLED, "command", 0,
			              "stopped after %zu of %zu runs", i, runs->list.len);
		if (!count_entry(call, all, runs->list.at[i], out))
			return false;
	}
	return true;
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

static bool read_runs(struct call *call, struct overview_head *out)
{
	struct shell *shell = call->shell;
	struct counted all = { .first_us = -1 };
	bool ok = true;

	out->runs = (int64_t)shell->runs->list.len;
	out->tensors = out->bytes = 0;
	out->arrays = shell->run && shell->run->op_type;
	out->v1 = !out->arrays;
	if (shell->run && !position_counts(shell))
		count_run(&all, shell->run, out);
	else
		ok = count_entries(call, &all, out);
	out->nodes = (int64_t)all.nodes.len;
	out->devices = (int64_t)all.devices.len;
	out->span_us = all.first_us < 0 ? -1 : all.last_us - all.first_us;
	count_graphs(shell->run, out);
	map_release(&all.nodes);
	map_release(&all.devices);
	arena_release(&all.mem);
	return ok;
}

static int64_t count_hosts(const struct program *program)
{
	struct arena mem = {0};
	struct map hosts = {0};
	int64_t n;

	for (size_t i = 0; i < program->sets.len; i++)
		map_add(&hosts, &mem, program->sets.at[i].host,
		        strlen(program->sets.at[i].host));
	n = (int64_t)hosts.len;
	map_release(&hosts);
	arena_release(&mem);
	return n;
}

static int64_t count_devices(const struct program *program)
{
	struct arena mem = {0};
	struct map devices = {0};
	int64_t n;

	for (size_t i = 0; i < program->devices.len; i++)
		map_add(&devices, &mem, program->devices.at[i].name,
		        strlen(program->devices.at[i].name));
	n = (int64_t)devices.len;
	map_release(&devices);
	arena_release(&mem);
	return n;
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
	out->devices = count_devices(program);
	out->hosts = count_hosts(program);
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

bool overview_read_head(struct call *call, struct overview_head *out)
{
	const struct shell *shell = call->shell;

	*out = (struct overview_head){ .span_us = -1, .runs = -1, .steps = -1, .tensors = -1,
	                               .nodes = -1, .devices = -1, .hosts = -1, .bytes = -1,
	                               .graphs = -1, .graph_nodes = -1 };
	if (shell->runs && !read_runs(call, out))
		return false;
	if (shell->programs)
		read_program(shell, out);
	if (shell->profile)
		read_profile(shell->profile, out);
	return true;
}
