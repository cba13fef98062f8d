/*
 * A map holds the nodes by name; first[] is the start of a node's list, with one entry for each
 * device. Few nodes have more than one device, so lists are short. kernel_table.h would keep rows
 * and records, which are not needed here.
 */
#include "cmds/profile/joined.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/session/steps.h"
#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/model/device.h"

/* Nodes of devices. */

struct entry {
	uint32_t device;
	uint32_t next;           /* of the same node, from 1; 0: it is the last */
	int64_t sum[2];
	uint64_t seen;           /* row + 1 that it was counted for */
};

struct joined {
	struct map nodes;
	VEC(uint32_t) first;     /* by node: its first entry, from 1 */
	VEC(struct entry) entries;
	struct map devices;
	struct arena mem;
};

static void release(struct joined *j)
{
	map_release(&j->nodes);
	map_release(&j->devices);
	vec_release(&j->first);
	vec_release(&j->entries);
	arena_release(&j->mem);
}

/* The entry of a node and a device; a new one has both sums set to empty. */
static struct entry *entry_of(struct joined *j, const char *node, uint32_t device, int64_t empty)
{
	uint32_t id = map_add(&j->nodes, &j->mem, node, strlen(node)), at;

	if (id == j->first.len)
		vec_push(&j->first, 0);
	for (at = j->first.at[id]; at; at = j->entries.at[at - 1].next)
		if (j->entries.at[at - 1].device == device)
			return &j->entries.at[at - 1];
	vec_push(&j->entries, ((struct entry){
		.device = device, .next = j->first.at[id], .sum = { empty, empty },
	}));
	j->first.at[id] = (uint32_t)j->entries.len;
	return vec_last(&j->entries);
}

static uint32_t first_of(const struct joined *j, const char *node)
{
	uint32_t id = map_find(&j->nodes, node, strlen(node));

	return id == MAP_NONE ? 0 : j->first.at[id];
}

/* Times. */

struct node_times {
	struct joined joined;    /* sum[]: host, kernels */
	bool *same;              /* by [run device * step devices + step device] */
};

#define STEP_EVERY 4096

static bool add_times(struct call *call, struct joined *j, const struct activities *acts)
{
	for (size_t i = 0; i < acts->at.len; i++) {
		const struct activity *a = &acts->at.at[i];
		struct entry *e;
		int64_t *sum;

		if (!(i % STEP_EVERY) && !progress_step(call->progress, i, acts->at.len))
			return err_at(&call->err, ERR_CANCELLED, "command", 0, "stopped");
		if (a->kind == ACTIVITY_COPY || a->node == acts->unattributed)
			continue;
		e = entry_of(j, acts->names.key[a->node], a->device, -1);
		sum = &e->sum[a->kind == ACTIVITY_KERNEL];
		*sum = (*sum < 0 ? 0 : *sum) + a->len_ns;
	}
	return true;
}

static void match_devices(struct node_times *times, const struct run *run,
                          const struct map *devices)
{
	times->same = mem_alloc(run->devices.len * devices->len + 1);
	for (size_t i = 0; i < devices->len; i++)
		map_add(&times->joined.devices, &times->joined.mem, devices->key[i],
		        strlen(devices->key[i]));
	for (size_t d = 0; d < run->devices.len; d++)
		for (size_t i = 0; i < devices->len; i++)
			times->same[d * devices->len + i] =
				device_is_same(run->devices.at[d].name, devices->key[i]);
}

struct node_times *node_times_new(struct call *call)
{
	struct node_times *times = NULL;
	struct step_activities acts = {0};
	struct step_choice choice;
	bool ok;

	doc_set_of_step(call->out);
	ok = steps_choose(call, call->shell->profile, NULL, &choice)
	     && step_activities_of(call, &choice, &acts);

	if (ok) {
		times = mem_alloc(sizeof *times);
		match_devices(times, call->shell->run, &acts.refs[0]->devices);
		ok = add_times(call, &times->joined, acts.refs[0]);
	}
	step_activities_release(&acts);
	step_choice_release(&choice);
	if (ok)
		return times;
	node_times_free(times);
	return NULL;
}

void node_times_free(void *context)
{
	struct node_times *times = context;

	if (!times)
		return;
	release(&times->joined);
	free(times->same);
	free(times);
}

static void add_known(int64_t *sum, int64_t more)
{
	if (more >= 0)
		*sum = (*sum < 0 ? 0 : *sum) + more;
}

struct node_time node_time_of(const struct node_times *times, const struct tensor *tensor)
{
	const bool *same = times->same + (size_t)tensor->device * times->joined.devices.len;
	struct node_time time = { -1, -1 };

	for (uint32_t at = first_of(&times->joined, tensor->node); at; ) {
		const struct entry *e = &times->joined.entries.at[at - 1];

		if (same[e->device]) {
			add_known(&time.host_ns, e->sum[0]);
			add_known(&time.kernel_ns, e->sum[1]);
		}
		at = e->next;
	}
	return time;
}

/* NaN and Inf. */

struct nan_counts {
	struct joined joined;    /* sum[0]: tensors that pass */
};

static bool ask_all(struct call *call, const struct named_filter *filter, unsigned char *verdicts,
                    bool ask)
{
	struct visit *visit = call->shell->visit;

	for (size_t i = 0; i < visit->run->tensors.len; i++) {
		if (!ask && !verdicts[i])
			return false;
		if (ask && !(i % 256) && !progress_step(call->progress, i, visit->run->tensors.len))
			return err_at(&call->err, ERR_CANCELLED, "command", 0,
			              "stopped after %zu of %zu tensors", i,
			              visit->run->tensors.len);
		if (ask)
			filter_verdict(filter, verdicts, visit->run, visit_ops(visit), (uint32_t)i,
			               call->progress, &call->err);
		if (call->err.code)
			return false;
	}
	return true;
}

struct nan_counts *nan_counts_new(struct call *call, bool ask)
{
	struct shell *shell = call->shell;
	struct named_filter *filter = filters_find(&shell->filters, FILTER_BUILT_IN);
	const struct run *run = shell->run;
	struct nan_counts *counts;
	unsigned char *verdicts;

	if (!shell->has_dump || !shell->visit || !filter)
		return NULL;
	verdicts = visit_verdicts(shell->visit, filter);
	visit_lend_health(shell->visit, filter);
	if (!ask_all(call, filter, verdicts, ask))
		return NULL;
	visit_learn_health(shell->visit, filter);
	counts = mem_alloc(sizeof *counts);
	for (size_t i = 0; i < run->devices.len; i++)
		map_add(&counts->joined.devices, &counts->joined.mem, run->devices.at[i].name,
		        strlen(run->devices.at[i].name));
	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		const char *device = run->devices.at[t->device].name;

		if (verdicts[i] & VERDICT_PASSES)
			entry_of(&counts->joined, t->node,
			         map_find(&counts->joined.devices, device, strlen(device)), 0)
				->sum[0]++;
	}
	return counts;
}

void nan_counts_free(void *context)
{
	struct nan_counts *counts = context;

	if (!counts)
		return;
	release(&counts->joined);
	free(counts);
}

uint64_t nan_count_for(void *context, uint64_t row, const char *device, const char *node)
{
	struct nan_counts *counts = context;
	struct joined *j = &counts->joined;
	uint64_t n = 0;

	for (uint32_t at = first_of(j, node); at; at = j->entries.at[at - 1].next) {
		struct entry *e = &j->entries.at[at - 1];

		if (e->seen == row + 1 || !device_is_same(device, j->devices.key[e->device]))
			continue;
		e->seen = row + 1;
		n += (uint64_t)e->sum[0];
	}
	return n;
}
