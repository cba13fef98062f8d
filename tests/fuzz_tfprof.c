/*
 * A GraphDef and a RunMetadata as tfprof's model, and one of its views. The first byte chooses: 1 a
 * bare StepStats, 2 a ProfileProto, the next two bits the order of rows, the others the view or the
 * trace.
 */
#include "tests/input.h"

#include <stdlib.h>

#include "cmds/profile/tfprof/tfprof_pprof.h"
#include "cmds/profile/tfprof/tfprof_text.h"
#include "cmds/profile/tfprof/tfprof_timeline.h"
#include "dump/model/graph.h"
#include "dump/profile/run_metadata.h"

#define ROWS_MAX 200

static void show(struct tfprof *tfprof, enum tfprof_kind kind, const char *orders[2])
{
	const char *words[] = {
		"-select",
		"bytes,micros,params,float_ops,device,op_types,occurrence,input_shapes,peak_bytes",
		"-order_by", orders[0], "-account_type_regexes", orders[1], "-max_depth", "50",
	};
	struct tfprof_options options;
	struct arena mem = {0};
	struct str text = {0};
	struct tfprof_view *view;

	tfprof_options_default(&options, &mem);
	MUST(tfprof_options_parse(&options, (char **)words, 8, &mem, &text));
	view = tfprof_view_new(tfprof, kind, &options, NULL, NULL);
	MUST(view);
	put_tfprof_head(view, &text);
	for (size_t i = 0; i < view->shown.len && i < ROWS_MAX; i++)
		put_tfprof_row(view, i, &text);
	MUST(view->shown.len <= view->n);
	view->options.outfile = "/dev/null";
	if (kind == TFPROF_CODE)
		tfprof_pprof(view, "/dev/null", NULL);
	tfprof_view_free(view);
	str_release(&text);
	arena_release(&mem);
}

static void trace(struct tfprof *tfprof)
{
	struct str path = {0};
	struct tfprof_options options;
	struct arena mem = {0};
	struct str said = {0}, complaint = {0};
	struct tfprof_view *view;

	tfprof_options_default(&options, &mem);
	options.output = TFPROF_TIMELINE;
	options.number[TFPROF_STEP] = tfprof->steps.len ? tfprof->steps.at[0] : 0;
	str_fmt(&path, "%s/trace", input_dir());
	options.outfile = path.text;
	view = tfprof_view_new(tfprof, TFPROF_GRAPH, &options, NULL, NULL);
	MUST(view);
	tfprof_timeline(view, NULL, &said, &complaint, NULL);
	tfprof_view_free(view);
	str_release(&path);
	str_release(&said);
	str_release(&complaint);
	arena_release(&mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *orders[][2] = { { "name", ".*" },
	                                   { "micros", "M.*,.*gpu.*" },
	                                   { "occurrence", "Const" },
	                                   { "bytes", "_trainable_variables" } };
	struct tfprof_step step = { .number = 0 };
	struct tfprof_files files = { .steps = &step, .n_steps = 1 };
	struct err err = {0}, damage = {0};
	struct graph *graph;
	struct tfprof *tfprof;
	uint8_t kind;
	unsigned view;

	if (!size)
		return 0;
	kind = *data;
	step.path = input_file(data + 1, size - 1);
	step.source = kind & 1 ? &step_stats_source : &run_metadata_source;
	graph = graph_open(step.path, 0, UINT64_MAX, NULL, &damage, NULL);
	files.graph = graph;
	if (kind & 2) {
		files.profile = profile_proto_open(step.path, NULL, &err);
		if (!files.profile) {
			graph_close(graph);
			return 0;
		}
	}
	tfprof = tfprof_open(&files, NULL, &damage, &err);
	if (tfprof) {
		view = (kind >> 4) % (TFPROF_OP + 2);
		if (view <= TFPROF_OP)
			show(tfprof, view, orders[(kind >> 2) % 4]);
		else
			trace(tfprof);
		tfprof_close(tfprof);
	}
	if (files.profile)
		profile_proto_close(files.profile);
	graph_close(graph);
	return 0;
}
