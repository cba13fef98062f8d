#include "cmds/profile/profile_list.h"

#include <string.h>

#include "cmds/doc/again.h"
#include "cmds/doc/table.h"
#include "cmds/session/steps.h"

enum {
	DEVICE, NODE, OP_TYPE, FILE_PATH, MIN_LINE, MAX_LINE, EXEC_TIME, OP_TIME, SORT_BY, REVERSE,
	UNIT, STEP, LIMIT, SKIP, COLUMNS
};

static const struct opt options[] = {
	[DEVICE] = { OPT_WORD, "d", "device_name_filter",
	             "keep devices whose name matches from its start" },
	[NODE] = { OPT_WORD, "n", "node_name_filter",
	           "keep nodes whose name matches from its start" },
	[OP_TYPE] = { OPT_WORD, "t", "op_type_filter",
	              "keep op types that match from their start" },
	[FILE_PATH] = { OPT_WORD, "f", "file_path_filter",
	                "keep nodes made by source files whose path matches from its start" },
	[MIN_LINE] = { OPT_INT, NULL, "min_lineno", "keep source lines from this one on" },
	[MAX_LINE] = { OPT_INT, NULL, "max_lineno", "keep source lines before this one" },
	[EXEC_TIME] = { OPT_WORD, "e", "execution_time",
	                "keep execution times in an interval: \"<100us\", \">=1ms\", \"[10us, "
	                "2ms)\"" },
	[OP_TIME] = { OPT_WORD, "o", "op_time", "keep times within the op in an interval" },
	[SORT_BY] = SORT_OPT("node, op_type, start_time (default), op_time, exec_time, line, "
	                     "or a key, which sorts all devices as one", false),
	[REVERSE] = REVERSE_OPT(false),
	[UNIT] = { OPT_WORD, NULL, "time_unit", "us (default), ms or s" },
	[STEP] = { OPT_WORD, NULL, "step", "the step, if not the current one" },
	/* --max is short for --max_lineno, as in tfdbg. */
	[LIMIT] = { OPT_INT, "l", "limit", "how many rows (0: all)", .whole = true },
	[SKIP] = SKIP_OPT(true), [COLUMNS] = COLUMNS_OPT,
};

extern const struct cmd cmd_lp;

static const struct doc_key own_keys[] = {
	{ 'u', .way = KEY_REWRITES },
	{ '#', .way = KEY_REWRITES, .refusal = "Names of nodes have one form" },
};
static const struct doc_keys keys = { NULL, DOC_KEYS(own_keys) };

/* The key for the next unit; nothing else can be changed. */
static bool put_unit(void *context, const struct doc_at *at, struct str *out)
{
	static const char *const units[] = { "us", "ms", "s" };
	enum { N_UNITS = sizeof units / sizeof *units };
	struct args args = *(const struct args *)context;
	size_t now = 0;

	(void)at;
	while (args.opt[UNIT].given && now < N_UNITS && strcmp(args.opt[UNIT].word, units[now]))
		now++;
	now = now + 1 < N_UNITS ? now + 1 : 0;
	args.opt[UNIT] = (struct opt_value){ .given = now > 0, .word = units[now] };
	again_put(&cmd_lp, &args, out);
	return true;
}

static void lp_exec(struct call *call)
{
	struct args *args = arena_alloc(doc_mem(call->out), sizeof *args);
	const struct opt_value *opt = call->args.opt;
	struct profile_filter filter = {
		.device = opt[DEVICE].word, .node = opt[NODE].word, .op = opt[OP_TYPE].word,
		.file = opt[FILE_PATH].word, .exec_time = opt[EXEC_TIME].word,
		.op_time = opt[OP_TIME].word, .min_lineno = opt[MIN_LINE].number,
		.max_lineno = opt[MAX_LINE].number,
	};
	struct profile_order order = {
		opt[SORT_BY].word, opt[REVERSE].given,
		opt[UNIT].given ? opt[UNIT].word : "us",
	};
	struct step *step = need_step(call, opt[STEP].word);
	const struct name_infos *infos;

	*args = again_keep(call, doc_mem(call->out));
	if (order.sort && !profile_list_sorts_by(order.sort))
		call->args.opt[SORT_BY] = (struct opt_value){0};
	doc_set_of_step(call->out);
	doc_bring_keys(call->out, &keys, put_unit, args);
	infos = step ? call_name_infos(call, step) : NULL;
	if (infos && profile_filter_open(call, &filter))
		profile_list_put(call, step, infos, &filter, &order);
	profile_filter_close(&filter);
}

static struct doc *lp_so_far(const struct shell *shell)
{
	return profile_so_far_doc(shell->profile);
}

const struct cmd cmd_lp = {
	.name = "list_profile", .alias = "lp",
	.summary = "What ran in the step of a profile, and how long", OPTS(options),
	.added = 1u << STEP, .runless = true, .exec = lp_exec, .so_far = lp_so_far,
};
