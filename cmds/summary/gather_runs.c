/*
 * One run after the other; its tensors are shared among threads. The keys are told first, in order,
 * so that a shard reads none but its own values.
 */
#include "cmds/summary/gather.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "dump/base/share.h"
#include "dump/model/graph_store.h"
#include "dump/summary/measure.h"

/* A run whose values are read. */
struct reading {
	struct gather *g;
	const char *name;                /* in keys */
	const struct run *run;
	VEC(uint32_t) wanted;            /* of run->tensors: those of the shard */
	pthread_mutex_t lock;            /* guards the store and done */
};

/* ---- values */

static struct summary_key value_key(const struct reading *r, uint32_t at)
{
	const struct tensor *t = &r->run->tensors.at[at];

	return (struct summary_key){
		.kind = SUMMARY_VALUE, .worker = r->g->worker, .run = r->name,
		.device = r->run->devices.at[t->device].name, .node = t->node, .slot = t->slot,
		.debug_op = r->run->op_type ? "" : r->run->debug_ops.key[t->debug_op],
		.number = t->number,
	};
}

static void take_facts(const struct run *run, const struct tensor *t, struct summary_value *out)
{
	struct array_facts facts;

	if (!run_array_facts(run, t, &facts))
		return;
	out->op = facts.op;
	out->doubt = facts.doubt;
	out->has_stats = facts.stats;
	if (facts.stats)
		out->stats = *facts.stats;
}

/* What is known of one that can't be read; its texts stay with why and file. */
static void note_unread(const struct reading *r, const struct tensor *t, const struct err *why,
                        struct summary_value *out, struct str *file)
{
	struct str name = {0};

	summary_value_release(out);
	*out = (struct summary_value){ .modulus = -1, .state = SUMMARY_UNREADABLE };
	if (why->code == ERR_MISSING)
		out->state = SUMMARY_MISSING;
	out->problem_kind = problem_of_err(why);
	out->problem_off = why->off;
	out->problem = why->msg;
	run_tensor_file(r->run, t, &name);
	gather_put_path(r->g, r->run->path, str_text(&name), file);
	out->file = file->text;
	str_release(&name);
}

/* A debug op that counted says something of the tensor; DebugIdentity is the tensor. */
static bool take_told(const struct reading *r, const struct tensor *t, struct summary_value *out,
                      struct err *err)
{
	enum origin_debug debug = r->run->op_type ? DEBUG_IDENTITY : origin_debug_of(r->run, t);

	if (debug != DEBUG_NUMERIC_SUMMARY && debug != DEBUG_NAN_COUNT)
		return true;
	return origin_health_read(r->run, t, &out->told, r->g->progress, err);
}

/* False after a cancel only. why, file: as above. */
static bool measure(const struct reading *r, const struct tensor *t, struct summary_value *out,
                    struct err *why, struct str *file)
{
	struct progress own = progress_of_part(r->g->progress);
	struct value *value = run_value(r->run, t, why);
	bool ok = value && summary_measure(value, out, &own, why) && take_told(r, t, out, why);

	value_close(value);
	if (!ok && why->code == ERR_CANCELLED)
		return false;
	if (!ok)
		note_unread(r, t, why, out, file);
	return true;
}

static bool read_one(void *context, size_t i)
{
	struct reading *r = context;
	uint32_t at = r->wanted.at[i];
	const struct tensor *t = &r->run->tensors.at[at];
	struct summary_key key = value_key(r, at);
	struct summary_value value = { .modulus = -1 };
	struct str key_bytes = {0}, bytes = {0}, file = {0};
	struct err why = {0};
	bool ok = measure(r, t, &value, &why, &file);

	value.position = at;
	value.time_us = t->time_us;
	value.size_bytes = t->size_bytes;
	take_facts(r->run, t, &value);
	if (ok) {
		summary_put_key(&key_bytes, &key);
		summary_put_value(&bytes, &value);
		pthread_mutex_lock(&r->lock);
		summary_store_put(r->g->store, &key_bytes, &bytes);
		r->g->done->values++;
		r->g->done->unread += value.state == SUMMARY_UNREADABLE;
		pthread_mutex_unlock(&r->lock);
	}
	summary_value_release(&value);
	str_release(&key_bytes);
	str_release(&bytes);
	str_release(&file);
	return ok;
}

static bool read_values(struct reading *r, struct err *err)
{
	struct str *key = &r->g->key;
	bool ok;

	for (size_t at = 0; at < r->run->tensors.len; at++) {
		struct summary_key parts = value_key(r, (uint32_t)at);

		str_reset(key);
		summary_put_key(key, &parts);
		if (summary_store_takes(r->g->store, key))
			vec_push(&r->wanted, (uint32_t)at);
	}
	if (r->g->progress)
		atomic_store(&r->g->progress->what, "tensors");
	pthread_mutex_init(&r->lock, NULL);
	ok = share_work(r->wanted.len, read_one, r, r->g->progress) == r->wanted.len;
	pthread_mutex_destroy(&r->lock);
	return ok || err_at(err, ERR_CANCELLED, "command", 0, "cancelled");
}

/* ---- a run */

static void put_run(struct gather *g, const char *name, const struct run_entry *entry,
                    const struct run *run, const char *broken)
{
	struct summary_run row = { .position = entry->position, .time_us = entry->time_us,
	                           .suffix = entry->suffix, .counter = entry->counter,
	                           .step = entry->step, .broken = broken };

	if (run) {
		row.fetches = run->fetches;
		row.feeds = run->feeds;
		row.n_graph_files = run->n_graph_files;
		row.op_type = run->op_type;
		row.is_empty = run->is_empty;
		for (size_t i = 0; i < run->metadata.len; i++)
			vec_push(&row.metadata, run->metadata.at[i]);
		for (size_t i = 0; i < run->facts.len; i++)
			vec_push(&row.facts, run->facts.at[i]);
	}
	str_reset(&g->value);
	summary_put_run(&g->value, &row);
	gather_put(g, &(struct summary_key){ .kind = SUMMARY_RUN, .worker = g->worker, .run = name,
	                                     .device = "", .node = "", .debug_op = "" });
	summary_run_release(&row);
}

static bool put_devices(struct gather *g, const char *name, const struct run *run, struct err *err)
{
	for (size_t i = 0; i < run->devices.len; i++) {
		const struct device *device = &run->devices.at[i];
		struct summary_device row = { gather_graph(g, device->graph, err), (uint32_t)i };

		if (err->code)
			return false;
		str_reset(&g->value);
		summary_put_device(&g->value, &row);
		gather_put(g, &(struct summary_key){ .kind = SUMMARY_DEVICE, .worker = g->worker,
		                                     .run = name, .device = device->name,
		                                     .node = "", .debug_op = "" });
	}
	return true;
}

static bool put_loaded(struct gather *g, const char *name, const struct run_entry *entry,
                       struct run *run, struct err *err)
{
	struct reading r = { .g = g, .name = name, .run = run };
	bool ok;

	put_run(g, name, entry, run, NULL);
	for (size_t i = 0; i < run->problems.len; i++)
		gather_problem(g, name, entry->path, &run->problems.at[i]);
	ok = put_devices(g, name, run, err) && read_values(&r, err);
	vec_release(&r.wanted);
	return ok;
}

static struct run *load(struct gather *g, struct runs *runs, const struct run_entry *entry,
                        struct graph_store *graphs, struct err *err)
{
	struct run *run = runs_open_run(runs, entry, err);

	if (!run)
		return NULL;
	run->graphs = graphs;
	if (run_load(run, g->progress, err))
		return run;
	run_close(run);
	return NULL;
}

/* One that can't be read is a row that says so. */
static bool put_one(struct gather *g, struct runs *runs, const struct run_entry *entry,
                    struct graph_store *graphs, struct err *err)
{
	const char *name = runs->is_root ? entry->name : "";
	struct err why = {0};
	struct run *run = load(g, runs, entry, graphs, &why);
	bool ok = true;

	if (run) {
		ok = put_loaded(g, name, entry, run, err);
	} else if (why.code == ERR_CANCELLED) {
		*err = why;
		ok = false;
	} else {
		put_run(g, name, entry, NULL, why.msg);
	}
	run_close(run);
	return ok;
}

bool gather_runs(struct gather *g, struct runs *runs, struct err *err)
{
	struct graph_store *graphs = graph_store_new();
	bool ok = true;

	for (size_t i = 0; i < runs->problems.len; i++)
		gather_problem(g, "", runs->path, &runs->problems.at[i]);
	for (size_t i = 0; ok && i < runs->list.len; i++)
		ok = put_one(g, runs, runs->list.at[i], graphs, err);
	graph_store_free(graphs);
	return ok;
}
