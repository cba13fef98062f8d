#include "cmds/runs/run_data.h"

#include <string.h>

static void put_known(struct data *data, const char *key, int64_t value, bool known)
{
	data_key(data, key);
	if (known)
		data_int(data, value);
	else
		data_null(data);
}

/* A key and a list of names. */
static void put_name_list(struct data *data, const char *key, const struct names *names)
{
	data_key(data, key);
	data_list(data);
	for (size_t i = 0; i < names->list.len; i++)
		data_str(data, names->list.at[i]);
	data_end(data);
}

static void put_place(const struct run_entry *entry, struct data *data)
{
	const struct run_entry *before = runs_at(entry->runs, entry->position - 1);

	data_key(data, "run");
	data_uint(data, entry->position);
	data_key(data, "directory");
	data_str(data, entry->name);
	put_known(data, "time_us", entry->time_us, entry->time_us >= 0);
	put_known(data, "delta_us", before ? entry->time_us - before->time_us : 0,
	          before && entry->time_us >= 0 && before->time_us >= 0);
	put_known(data, "writer", entry->writer, entry->writer);
	put_known(data, "dir_counter", entry->counter, entry->counter >= 0);
	data_key(data, "dir_suffix");
	data_str(data, entry->suffix);
	if (entry->runs->of_arrays)
		put_known(data, "step", entry->step, entry->step >= 0);
}

/* worker: the only one. */
static void put_workers(const struct run_info *info, struct data *data)
{
	data_key(data, "worker");
	data_str(data, info->n_workers == 1 ? info->workers[0] : NULL);
	data_key(data, "workers");
	data_list(data);
	for (size_t i = 0; i < info->n_workers; i++)
		data_str(data, info->workers[i]);
	data_end(data);
}

static void put_names(const struct run_info *info, struct data *data)
{
	put_name_list(data, "fetches", &info->names.fetches);
	data_key(data, "fetches_text");
	data_str(data, info->fetches);
	put_name_list(data, "feeds", &info->names.feeds);
	data_key(data, "feeds_text");
	data_str(data, info->feeds);
	data_key(data, "callable");
	data_bool(data, info->names.callable);
	data_key(data, "devices");
	data_list(data);
	for (size_t i = 0; i < info->n_devices; i++)
		data_str(data, info->devices[i]);
	data_end(data);
	data_key(data, "graph_files");
	data_uint(data, info->graph_files);
	if (info->n_workers)
		put_workers(info, data);
}

static void put_metadata(const struct run_info *info, struct data *data)
{
	data_key(data, "core_metadata");
	data_list(data);
	for (size_t i = 0; i < info->n_metadata; i++) {
		const struct core_metadata *metadata = &info->metadata[i];

		data_object(data);
		data_key(data, "global_step");
		data_int(data, metadata->global_step);
		data_key(data, "session_run_index");
		data_int(data, metadata->session_run_index);
		data_key(data, "executor_step_index");
		data_int(data, metadata->executor_step_index);
		put_name_list(data, "input_names", &metadata->inputs);
		put_name_list(data, "output_names", &metadata->outputs);
		put_name_list(data, "target_nodes", &metadata->targets);
		data_end(data);
	}
	data_end(data);
}

static void put_hits(const struct shell *shell, const struct run_entry *entry, struct data *data)
{
	char name[FILTER_NAME_MAX];
	uint64_t filter = hits_last_filter(shell->hits, name);
	struct hit hit;

	data_key(data, "hits");
	if (!filter || !hits_get(shell->hits, entry, filter, &hit)) {
		data_null(data);
		return;
	}
	data_object(data);
	data_key(data, "filter");
	data_str(data, name);
	data_key(data, "tensors");
	data_uint(data, hit.tensors);
	data_key(data, "first");
	data_str(data, hit.first);
	data_key(data, "debug_op");
	data_str(data, hit.debug_op);
	data_end(data);
}

/* An object, or null if there is nothing of the kind. */
static void put_facts(const struct run_info *info, int kind, const char *key, struct data *data)
{
	bool any = false;

	data_key(data, key);
	for (size_t i = 0; i < info->n_facts; i++) {
		const struct run_fact *fact = &info->facts[i];

		if ((int)fact->kind != kind)
			continue;
		if (!any)
			data_object(data);
		any = true;
		data_key(data, fact->key);
		if (fact->is_text)
			data_str(data, fact->text);
		else
			data_literal(data, fact->text);
	}
	if (any)
		data_end(data);
	else
		data_null(data);
}

void run_put_facts(const struct run_info *info, struct data *data)
{
	put_facts(info, FACT_METADATA, "metadata", data);
	put_facts(info, FACT_VALUE, "values", data);
}

void run_put_data(const struct shell *shell, struct run_entry *entry, const struct run_info *info,
                  struct data *data)
{
	static const struct run_info unknown;

	put_place(entry, data);
	data_key(data, "status");
	data_str(data, info ? run_status_names[runs_status(entry->runs, entry, info)] : NULL);
	info = info ? info : &unknown;
	put_names(info, data);
	put_metadata(info, data);
	data_key(data, "tensors");
	data_uint(data, info->tensors);
	data_key(data, "bytes");
	data_uint(data, info->bytes);
	put_known(data, "t0_us", info->t0_us, info->tensors && info->t0_us >= 0);
	put_hits(shell, entry, data);
}
