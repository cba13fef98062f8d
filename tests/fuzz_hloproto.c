/* HloProto: a module, its graph, attributes, stacks. */
#include "dump/hlo/hlo.h"

#include "tests/hlo_walk.h"
#include "tests/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err damage = {0}, err = {0};
	struct graph *graph = hlo_proto_open(input_file(data, size), (struct span){ 0, UINT64_MAX },
	                                     NULL, &damage, &err);

	MUST(graph || err.code);
	if (graph)
		hlo_walk(graph);
	graph_close(graph);
	return 0;
}
