#include <inttypes.h>

#include "cmds/array/vitals.h"
#include "cmds/doc/again.h"
#include "cmds/session/visit.h"
#include "cmds/tensor/request.h"

enum { NUMBER, RANGES, ALL, SUMMARY, WRITE_PATH, DEVICE, N_OF_RUN,
       GRAPH = N_OF_RUN, TRACE, STEP };      /* these only for recorded programs */

static const struct opt options[] = {
	[NUMBER] = NUMBER_OPT,
	[RANGES] = { OPT_WORD, "r", "ranges",
	             "highlight elements in these ranges: [0,1] or [[-inf,-1],[1,inf]]" },
	[ALL] = { OPT_FLAG, "a", "all", "show all elements" },
	[SUMMARY] = { OPT_FLAG, "s", "numeric_summary", "counts, min, max, mean and std" },
	[WRITE_PATH] = { OPT_WORD, "w", "write_path",
	                 "also save the value: as .csv or .bin if the path ends so, else as .npy" },
	[DEVICE] = DEVICE_OPT,
	[GRAPH] = GRAPH_OPT,
	[TRACE] = TRACE_OPT,
	[STEP] = STEP_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[0, :]", false },
};

static const struct pos traced_positionals[] = { TRACED_POSITIONAL };

/* A value shown as text is offered as a picture. */
static const struct doc_key key = { 'p', .way = KEY_HINT };
static const struct doc_keys keys = { NULL, &key, 1 };

struct typed_line {
	const struct cmd *cmd;
	struct args args;
};

static bool put_picture(void *context, const struct doc_at *at, struct str *out)
{
	const struct typed_line *typed = context;
	const struct opt_value *step = &typed->args.opt[STEP];

	(void)at;
	str_puts(out, "picture");
	again_put_words(typed->cmd, &typed->args, out);
	again_put_options(typed->cmd, &typed->args, NUMBER, NUMBER, out);
	again_put_options(typed->cmd, &typed->args, DEVICE, TRACE, out);
	if (step->given)
		str_fmt(out, " --at-step %" PRId64, step->number);
	return true;
}

static void offer_picture(struct call *call)
{
	struct arena *mem = doc_mem(call->out);
	struct typed_line *typed = arena_alloc(mem, sizeof *typed);

	*typed = (struct typed_line){ call->cmd, again_keep(call, mem) };
	doc_bring_keys(call->out, &keys, put_picture, typed);
}

/* The tensor's health, while its document lives. */
struct summed {
	struct visit *visit;
	uint32_t at;
};

static enum row_sign sum_up(void *context, int cols, bool fine, struct str *out)
{
	const struct summed *summed = context;
	const struct vitals *v = visit_vitals(summed->visit, summed->at);

	if (v)
		vitals_put_summary(out, v, cols);
	else
		str_puts(out, fine ? "·" : ".");
	return visit_sign(summed->visit, summed->at, false);
}

static bool summary_goes_on(void *context, uint64_t *told)
{
	const struct summed *summed = context;

	return health_scan_goes_on(visits_scan(summed->visit->all), told);
}

static const struct doc_signs summary = { .go_on = summary_goes_on, .sum_up = sum_up };

/* Read in the background; of recorded programs the text itself says it. */
static void offer_summary(struct call *call, const struct request *req)
{
	struct visit *visit = call->shell->visit;
	struct summed *summed;

	if (!call->on_screen || !req->tensor || !visit)
		return;
	summed = arena_alloc(doc_mem(call->out), sizeof *summed);
	*summed = (struct summed){ visit_keep(visit),
	                           (uint32_t)(req->tensor - visit->run->tensors.at) };
	doc_keep(call->out, visit_release, visit);
	doc_bring_signs(call->out, &summary, summed);
}

/* There is no value to save, but still an answer: what is known. */
static void refuse_to_save(struct call *call, const char *path)
{
	if (call->failed || !path || !*path)
		return;
	str_fmt(call->error, "%s: not saved: there are no values", path);
	call_error(call, "ERROR: %s", call->error->text);
}

/* Of an array whose value may not be what it was. */
static void warn_of_doubt(struct call *call, const struct request *req)
{
	struct array_facts facts;

	if (req->tensor && run_array_facts(call->shell->run, req->tensor, &facts) && facts.doubt)
		call_warn(call, facts.doubt);
}

/* If a run has several dumps, -s is ignored, as in tfdbg; the typed answer obeys it. */
static void show_dump(struct call *call, const struct request *req)
{
	const struct opt_value *opt = call->args.opt;
	struct value *value = request_open(call, req);
	struct str label = {0};
	struct show show;

	if (!value) {
		refuse_to_save(call, opt[WRITE_PATH].word);
		return;
	}
	warn_of_doubt(call, req);
	request_label(call, req, &label);
	show = (struct show){
		.label = label.text, .origin = request_origin(call, req),
		.ranges = opt[RANGES].word,
		.write_path = opt[WRITE_PATH].word,
		.all = opt[ALL].given,
		.summary = opt[SUMMARY].given && !(req->tensor && req->chosen),
		.data = request_data(call, req),
	};
	show.data->with_summary = opt[SUMMARY].given;
	if (show_sliced(call, &show, value, req->slice))
		request_menu(call, req, MENU_PRINT_TENSOR);
	offer_picture(call);
	offer_summary(call, req);
	str_release(&label);
}

static void pt_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct tensor_words words = { call->args.pos[0], &opt[NUMBER], &opt[DEVICE], &opt[GRAPH],
	                              &opt[TRACE], &opt[STEP] };
	struct request req;

	if (show_check_ranges(call, opt[RANGES].word) && request_find(call, &words, &req))
		show_dump(call, &req);
}

const struct cmd cmd_pt = {
	.name = "print_tensor", .alias = "pt",
	.summary = "Value of a dumped tensor, or of a slice of it",
	.opts = options, .n_opts = N_OF_RUN, .added = 1u << DEVICE, POSITIONALS(positionals),
	.names = LINK_TENSOR, .for_detail = true, .exec = pt_exec,
};

const struct cmd cmd_pt_program = {
	.name = "print_tensor", .alias = "pt",
	.summary = "Value of a tensor, or of a slice of it; what is known if none was stored",
	OPTS(options), POSITIONALS(traced_positionals), .names = LINK_TENSOR, .for_detail = true,
	.of_program = true, .exec = pt_exec,
};
