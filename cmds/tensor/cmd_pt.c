#include "cmds/doc/again.h"
#include "cmds/doc/menu.h"
#include "cmds/tensor/request.h"

extern const struct cmd cmd_pt;

enum { NUMBER, RANGES, ALL, SUMMARY, WRITE_PATH, DEVICE };

static const struct opt options[] = {
	[NUMBER] = NUMBER_OPT,
	[RANGES] = { OPT_WORD, "r", "ranges",
	             "highlight elements in these ranges: [0,1] or [[-inf,-1],[1,inf]]" },
	[ALL] = { OPT_FLAG, "a", "all", "leave no elements out" },
	[SUMMARY] = { OPT_FLAG, "s", "numeric_summary", "counts, min, max, mean and std" },
	[WRITE_PATH] = { OPT_WORD, "w", "write_path",
	                 "save the value too: as .csv or .bin if the path ends so, else as .npy" },
	[DEVICE] = DEVICE_OPT,
};

static const struct pos positionals[] = {
	{ "tensor_name", "the tensor, node:slot, and a slice: net/w:0[0, :]", false },
};

/* A value shown as text is offered as a picture. */
static const struct doc_key key = { 'p', .way = KEY_HINT };
static const struct doc_keys keys = { NULL, &key, 1 };

static bool put_picture(void *context, const struct doc_at *at, struct str *out)
{
	const struct args *args = context;

	(void)at;
	str_puts(out, "picture");
	again_put_words(&cmd_pt, args, out);
	again_put_options(&cmd_pt, args, NUMBER, NUMBER, out);
	again_put_options(&cmd_pt, args, DEVICE, DEVICE, out);
	return true;
}

static void offer_picture(struct call *call)
{
	struct arena *mem = doc_mem(call->out);
	struct args *args = arena_alloc(mem, sizeof *args);

	*args = again_keep(call, mem);
	doc_bring_keys(call->out, &keys, put_picture, args);
}

/* For one of several dumps -s is ignored, as in tfdbg; the typed answer obeys it. */
static void show_dump(struct call *call, const struct request *req)
{
	const struct opt_value *opt = call->args.opt;
	struct value *value = request_open(call, req);
	struct str label = {0};
	struct show show;

	if (!value)
		return;
	request_label(call, req, &label);
	show = (struct show){
		.label = label.text, .ranges = opt[RANGES].word, .write_path = opt[WRITE_PATH].word,
		.all = opt[ALL].given, .summary = opt[SUMMARY].given && !req->chosen,
		.data = request_data(call, req),
	};
	show.data->with_summary = opt[SUMMARY].given;
	if (show_sliced(call, &show, value, req->slice))
		menu_put(call->out, req->pick.node, MENU_PRINT_TENSOR);
	offer_picture(call);
	str_release(&label);
}

static void pt_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct request req;

	if (show_check_ranges(call, opt[RANGES].word) &&
	    request_find(call, call->args.pos[0], &opt[NUMBER], opt[DEVICE].word, &req))
		show_dump(call, &req);
}

const struct cmd cmd_pt = {
	.name = "print_tensor", .alias = "pt",
	.summary = "Value of a dumped tensor, or of a slice of it", OPTS(options),
	.added = 1u << DEVICE, POSITIONALS(positionals), .names = LINK_TENSOR, .for_detail = true,
	.exec = pt_exec,
};
