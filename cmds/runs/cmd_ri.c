#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/lang/format.h"
#include "cmds/runs/run_data.h"
#include "cmds/runs/run_screen.h"

enum { ALL };
static const struct opt options[] = {
	[ALL] = { OPT_FLAG, NULL, "all",
	          "show all tensors again, if \"run --node_name_filter\" and the like hid some" },
};
static const struct pos positionals[] = {
	{ "run", "another run, by number or by its directory's name, without going there", true },
};

/* What the typed answer is about; it may be written after the session has moved on. */
struct told {
	struct shell *shell;
	struct run_entry *entry;
	const struct run_info *info;
	size_t position, n_runs;
	size_t n_filters;
	const char **filters;
};

static struct told *told_new(struct call *call, struct run_entry *entry,
                             const struct run_info *info)
{
	struct shell *shell = call->shell;
	struct arena *mem = doc_mem(call->out);
	struct told *told = arena_alloc(mem, sizeof *told);

	*told = (struct told){ .shell = shell, .entry = entry, .info = info,
	                       .position = position_number(shell),
	                       .n_runs = shell->runs->list.len,
	                       .n_filters = shell->filters.list.len };
	told->filters = arena_alloc(mem, told->n_filters * sizeof *told->filters);
	for (size_t i = 0; i < told->n_filters; i++) {
		const char *name = shell->filters.list.at[i].name;

		told->filters[i] = arena_copy(mem, name, strlen(name));
	}
	return told;
}

static void put_suspects(const struct run_info *info, struct data *data)
{
	struct str name = {0};

	data_key(data, "suspects");
	data_list(data);
	for (size_t i = 0; i < info->n_suspects; i++) {
		str_reset(&name);
		str_fmt(&name, "%s:%" PRIu32, info->suspects[i].node, info->suspects[i].slot);
		data_str(data, name.text);
	}
	data_end(data);
	str_release(&name);
}

static bool told_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct told *told = context;
	const struct run_info *info =
		runs_info(told->entry->runs, told->entry, RUN_WHOLE, progress, err);

	if (!info)
		return false;
	data_object(data);
	run_put_data(told->shell, told->entry, info, data);
	data_key(data, "position");
	data_uint(data, told->position);
	data_key(data, "runs");
	data_uint(data, told->n_runs);
	data_key(data, "filters");
	data_list(data);
	for (size_t i = 0; i < told->n_filters; i++)
		data_str(data, told->filters[i]);
	data_end(data);
	put_suspects(info, data);
	if (told->entry->runs->of_arrays)
		run_put_facts(info, data);
	data_end(data);
	return true;
}

static void put_index(struct doc *doc, const char *name, int64_t index)
{
	if (index < 0)
		doc_put(doc, ROLE_PLAIN, "%s none", name);
	else
		doc_put(doc, ROLE_PLAIN, "%s %" PRId64, name, index);
}

/* Below tfdbg's text: which run it is. */
static void put_identity(struct call *call, const struct told *told)
{
	const struct run_info *info = told->info;
	struct doc *doc = call->out;
	struct str bytes = {0};

	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "#%zu of %zu: %s", told->entry->position, told->n_runs,
	             told->entry->name);
	for (size_t i = 0; i < info->n_metadata; i++) {
		const struct core_metadata *metadata = &info->metadata[i];

		put_index(doc, "  session run", metadata->session_run_index);
		put_index(doc, ", executor step", metadata->executor_step_index);
		put_index(doc, ", global step", metadata->global_step);
		doc_newline(doc);
	}
	if (call->shell->stacks_above)
		doc_line_put(doc, ROLE_PLAIN,
		             "  source lines from stacks.json of the directory above");
	if (!info->counted)
		return;
	put_size(&bytes, (int64_t)info->bytes);
	doc_line_put(doc, ROLE_PLAIN, "  %" PRIu64 " tensor%s, %sB, %s", info->tensors,
	             plural(info->tensors), bytes.text,
	             run_status_names[runs_status(call->shell->runs, told->entry, info)]);
	str_release(&bytes);
}

/* The run that is asked about; false: the answer says why there is none. */
static bool find_run(struct call *call, struct run_entry **entry)
{
	struct shell *shell = call->shell;
	struct run_entry *at = position_at(shell);
	struct err err = {0};

	*entry = at ? at : runs_at(shell->runs, 1);
	if (!call->args.pos[0])
		return true;
	if (position_find(shell, call->args.pos[0], entry, &err)) {
		*entry = *entry ? *entry : runs_at(shell->runs, 1);
		return true;
	}
	call_error(call, "%s", err.msg);
	return false;
}

/*
 * How much to read: for a typed answer all of it; else of the current run, while it is not loaded,
 * only the names of its files, and of the first one before any `run` only its info files.
 */
static enum run_depth depth_of(const struct call *call)
{
	const struct shell *shell = call->shell;

	if (call->args.pos[0] || shell->visit || call->as_data)
		return RUN_WHOLE;
	return position_at(shell) ? RUN_NAMES : RUN_HEAD;
}

/* What is known of the run; if it is loaded, without listing its files again. */
static const struct run_info *info_of(struct call *call, struct run_entry *entry)
{
	struct shell *shell = call->shell;

	if (shell->visit && shell->visit->entry == entry && !run_entry_info(entry, RUN_WHOLE))
		return runs_keep_info(shell->runs, entry, RUN_WHOLE, run_info_of(shell->run, true));
	return runs_info(shell->runs, entry, depth_of(call), call->progress, &call->err);
}

static void show_hidden(struct call *call)
{
	struct visit *visit = call->shell->visit;

	if (!call->args.opt[ALL].given || !visit)
		return;
	free(visit->hidden);
	visit->hidden = NULL;
	visit->n_hidden = 0;
}

static void ri_exec(struct call *call)
{
	struct run_entry *entry;
	const struct run_info *info;
	struct told *told;

	show_hidden(call);
	if (!call->shell->runs) {
		call_error(call, "ERROR: This dump does not say what was fetched and fed.");
		return;
	}
	if (!find_run(call, &entry))
		return;
	info = info_of(call, entry);
	if (!info)
		return;
	call_unread(call, entry, info);
	told = told_new(call, entry, info);
	if (info->n_suspects)
		run_screen_suspects(call->out, info);
	if (entry->position == 1)
		run_screen_logo(call->out);
	run_screen_put(call, entry, &info->names);
	put_identity(call, told);
	doc_typed(call->out, DATA_VALUE, told_put_data, told);
	run_screen_menu(call);
}

const struct cmd cmd_ri = {
	.name = "run_info", .alias = "ri", .summary = "What the run fetched and was fed",
	OPTS(options), .added = 1u << ALL, POSITIONALS(positionals), .names = LINK_RUN,
	.runless = true, .for_detail = true, .exec = ri_exec,
};
