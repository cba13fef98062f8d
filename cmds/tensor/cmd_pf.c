/*
 * TensorFlow puts a fed tensor into the graph as a node _arg_NODE_SLOT_NUMBER; the dump of that
 * node is the value that was fed.
 */
#include <stdlib.h>
#include <string.h>

#include "cmds/array/slice.h"
#include "cmds/tensor/request.h"
#include "dump/model/run_names.h"

enum { NUMBER, RANGES, ALL, SUMMARY, WRITE_PATH };

/* Those of print_tensor; -n is accepted without effect, as a feed has one value. */
static const struct opt options[] = {
	[NUMBER] = { OPT_INT, "n", "number", "no effect, as a feed has one value" },
	[RANGES] = { OPT_WORD, "r", "ranges",
	             "highlight elements in these ranges: [0,1] or [[-inf,-1],[1,inf]]" },
	[ALL] = { OPT_FLAG, "a", "all", "show all elements" },
	[SUMMARY] = { OPT_FLAG, "s", "numeric_summary", "counts, min, max, mean and std" },
	[WRITE_PATH] = { OPT_WORD, "w", "write_path",
	                 "also save the value: as .csv or .bin if the path ends so, else as .npy" },
};

static const struct pos positionals[] = {
	{ "tensor_name", "the feed, node:slot as run_info lists it, and a slice", false },
};

static bool has_name(const struct names *names, const char *key)
{
	for (size_t i = 0; i < names->list.len; i++)
		if (!strcmp(names->list.at[i], key))
			return true;
	return false;
}

/* A feed of several tensors is listed once, by a text with all names; each has its own dump. */
static bool is_fed(const struct run_names *names, const char *key)
{
	return has_name(&names->feeds, key) || has_name(&names->inputs, key);
}

/* Is the node "_arg_NODE_SLOT_" and digits, for the feed "NODE:SLOT"? */
static bool is_arg_of(const char *node, const char *key)
{
	static const char prefix[] = "_arg_";
	size_t len = strlen(key);
	const char *colon = strrchr(key, ':'), *rest;

	if (!colon || strncmp(node, prefix, strlen(prefix)))
		return false;
	node += strlen(prefix);
	if (strncmp(node, key, (size_t)(colon - key)) || node[colon - key] != '_' ||
	    strncmp(node + (colon - key) + 1, colon + 1, len - (size_t)(colon - key) - 1))
		return false;
	rest = node + len;
	return *rest == '_' && rest[1] && !rest[1 + strspn(rest + 1, "0123456789")];
}

static const struct tensor *find_arg(const struct run *run, const char *key)
{
	for (size_t i = 0; i < run->tensors.len; i++)
		if (is_arg_of(run->tensors.at[i].node, key) &&
		    !strcmp(run->debug_ops.key[run->tensors.at[i].debug_op], "DebugIdentity"))
			return &run->tensors.at[i];
	return NULL;
}

static void show_feed(struct call *call, const struct request *req, const char *key)
{
	const struct opt_value *opt = call->args.opt;
	struct value *value = request_open(call, req);
	struct str label = {0};
	struct show show = {
		.ranges = opt[RANGES].word, .write_path = opt[WRITE_PATH].word,
		.all = opt[ALL].given, .summary = opt[SUMMARY].given,
	};

	if (!value)
		return;
	str_fmt(&label, "%s (feed)%s", key, req->slice ? req->slice : "");
	show.label = label.text;
	show.data = request_data(call, req);
	show.data->with_summary = opt[SUMMARY].given;
	show_sliced(call, &show, value, req->slice);
	str_release(&label);
}

static void no_value(struct call *call, const char *key)
{
	struct names names = {0};
	struct str list = {0};

	run_names_inside(key, call->mem, &names);
	for (size_t i = 0; i < names.list.len; i++)
		str_fmt(&list, "%s%s", i ? ", " : "", names.list.at[i]);
	if (list.len)
		call_error(call, "ERROR: This feed is several tensors. Print one: %s", list.text);
	else
		call_error(call, "ERROR: The value of the feed %s was not dumped.", key);
	vec_release(&names.list);
	str_release(&list);
}

static void pf_exec(struct call *call)
{
	struct request req = { .word = call->args.pos[0], .number = -1 };
	const char *key = req.word;
	struct run_names names;

	if (!show_check_ranges(call, call->args.opt[RANGES].word))
		return;
	run_names_read(call->shell->run, call->mem, &names);
	if (!has_name(&names.feeds, key))
		slice_cut(req.word, call->mem, &key, &req.slice);
	if (!names.feeds.list.len) {
		call_error(call, "ERROR: The feed_dict of the current run is None or empty.");
	} else if (!is_fed(&names, key)) {
		call_error(call, "ERROR: The feed_dict of the current run does not contain the "
		           "key %s", key);
	} else {
		req.tensor = find_arg(call->shell->run, key);
		if (req.tensor)
			show_feed(call, &req, key);
		else
			no_value(call, key);
	}
	run_names_release(&names);
}

const struct cmd cmd_pf = {
	.name = "print_feed", .alias = "pf", .summary = "Value that was fed, if the dump has it",
	OPTS(options), POSITIONALS(positionals), .names = LINK_TENSOR, .exec = pf_exec,
};
