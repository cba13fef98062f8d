/* The list of a dump of msprobe, and its calls. */
#include "dump/arrays/msprobe.h"
#include "dump/arrays/msprobe_graph.h"

#include <string.h>

#include "tests/input.h"

static void read_graph(const char *path)
{
	static const struct call_part part = { "Functional.relu.0.forward", true };
	const struct array array = { .name = "x", .format = &array_msprobe, .own = &part };
	const struct array *const arrays[] = { &array };
	struct err err = {0};
	struct graph *graph = call_graph_read(path, arrays, 1, NULL, &err);

	MUST((graph == NULL) == (err.code != ERR_NONE));
	for (uint32_t i = 0; graph && i < graph_len(graph); i++) {
		struct edges edges;

		MUST(graph_edges(graph, i, EDGE_CONTROL_RECIPIENT, &edges, NULL));
	}
	graph_close(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = input_file(data, size);
	struct arena mem = {0};
	struct array_list list = { .mem = &mem };
	struct err err = {0};
	bool ok = array_msprobe.list(path, &list, &err);

	MUST(ok == (err.code == ERR_NONE));
	for (size_t i = 0; ok && i < list.at.len; i++) {
		const struct array *array = list.at.at[i];
		const char *file = array->file ? strstr(array->file, "/dump_tensor_data/") : NULL;

		MUST(array->rank <= SHAPE_MAX_RANK && array->type_name);
		MUST(!file || !strchr(file + strlen("/dump_tensor_data/"), '/'));
	}
	array_list_release(&list);
	arena_release(&mem);
	read_graph(path);
	return 0;
}
