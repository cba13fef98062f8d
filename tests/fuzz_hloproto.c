/* HloProto, alone and in an XSpace: a module, its graph, attributes, stacks. */
#include "dump/hlo/hlo.h"

#include "dump/profile/xspace_modules.h"
#include "tests/hlo_walk.h"
#include "tests/input.h"

enum { MODULES_TRIED = 4 };

static void try_module(const char *path, struct span span)
{
	struct err damage = {0}, err = {0};
	struct graph *graph = hlo_proto_open(path, span, NULL, &damage, &err);

	MUST(graph || err.code);
	if (graph)
		hlo_walk(graph);
	graph_close(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	module_spans spans = {0};
	struct file file;
	struct err err = {0};

	try_module(path, (struct span){ 0, UINT64_MAX });
	if (!file_open(&file, path, NULL))
		return 0;
	xspace_modules(&file, MODULES_TRIED, &spans, &err);
	file_close(&file);
	MUST(spans.len <= MODULES_TRIED);
	for (size_t i = 0; i < spans.len; i++)
		try_module(path, spans.at[i]);
	vec_release(&spans);
	return 0;
}
