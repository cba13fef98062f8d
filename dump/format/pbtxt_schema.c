/*
 * Numbers and names of graph.proto, attr_value.proto, tensor.proto, step_stats.proto and their
 * like. A map is a repeated message of key and value. What no command reads (function libraries,
 * cost graphs) is left out: it is passed over.
 */
#include "dump/format/pbtxt_schema.h"

#define MESSAGE(id) static const struct pb_message id
#define FIELDS(...) { (const struct pb_field[]){ __VA_ARGS__ }, \
	sizeof (struct pb_field[]){ __VA_ARGS__ } / sizeof (struct pb_field) }

MESSAGE(dim) = FIELDS({ "size", 1, PB_INT, NULL }, { "name", 2, PB_TEXT, NULL });
MESSAGE(shape) = FIELDS({ "dim", 2, PB_MESSAGE, &dim }, { "unknown_rank", 3, PB_BOOL, NULL });

MESSAGE(tensor) = FIELDS(
	{ "dtype", 1, PB_DTYPE, NULL }, { "tensor_shape", 2, PB_MESSAGE, &shape },
	{ "version_number", 3, PB_INT, NULL }, { "tensor_content", 4, PB_TEXT, NULL },
	{ "float_val", 5, PB_FLOAT, NULL }, { "double_val", 6, PB_DOUBLE, NULL },
	{ "int_val", 7, PB_INT, NULL }, { "string_val", 8, PB_TEXT, NULL },
	{ "scomplex_val", 9, PB_FLOAT, NULL }, { "int64_val", 10, PB_INT, NULL },
	{ "bool_val", 11, PB_BOOL, NULL }, { "dcomplex_val", 12, PB_DOUBLE, NULL },
	{ "half_val", 13, PB_INT, NULL }, { "uint32_val", 16, PB_INT, NULL },
	{ "uint64_val", 17, PB_INT, NULL }, { "float8_val", 18, PB_TEXT, NULL });

/* An attribute may hold functions with attributes. */
static const struct pb_message attr_value;
MESSAGE(attr_entry) = FIELDS({ "key", 1, PB_TEXT, NULL }, { "value", 2, PB_MESSAGE, &attr_value });
MESSAGE(function) = FIELDS({ "name", 1, PB_TEXT, NULL }, { "attr", 2, PB_MESSAGE, &attr_entry });

MESSAGE(attr_list) = FIELDS(
	{ "s", 2, PB_TEXT, NULL }, { "i", 3, PB_INT, NULL }, { "f", 4, PB_FLOAT, NULL },
	{ "b", 5, PB_BOOL, NULL }, { "type", 6, PB_DTYPE, NULL },
	{ "shape", 7, PB_MESSAGE, &shape }, { "tensor", 8, PB_MESSAGE, &tensor },
	{ "func", 9, PB_MESSAGE, &function });

MESSAGE(attr_value) = FIELDS(
	{ "list", 1, PB_MESSAGE, &attr_list }, { "s", 2, PB_TEXT, NULL }, { "i", 3, PB_INT, NULL },
	{ "f", 4, PB_FLOAT, NULL }, { "b", 5, PB_BOOL, NULL }, { "type", 6, PB_DTYPE, NULL },
	{ "shape", 7, PB_MESSAGE, &shape }, { "tensor", 8, PB_MESSAGE, &tensor },
	{ "placeholder", 9, PB_TEXT, NULL }, { "func", 10, PB_MESSAGE, &function });

MESSAGE(node) = FIELDS(
	{ "name", 1, PB_TEXT, NULL }, { "op", 2, PB_TEXT, NULL }, { "input", 3, PB_TEXT, NULL },
	{ "device", 4, PB_TEXT, NULL }, { "attr", 5, PB_MESSAGE, &attr_entry });

MESSAGE(versions) = FIELDS({ "producer", 1, PB_INT, NULL }, { "min_consumer", 2, PB_INT, NULL },
	{ "bad_consumers", 3, PB_INT, NULL });

MESSAGE(graph) = FIELDS({ "node", 1, PB_MESSAGE, &node }, { "version", 3, PB_INT, NULL },
	{ "versions", 4, PB_MESSAGE, &versions });

MESSAGE(allocation) = FIELDS(
	{ "requested_bytes", 1, PB_INT, NULL }, { "allocated_bytes", 2, PB_INT, NULL },
	{ "allocator_name", 3, PB_TEXT, NULL }, { "allocation_id", 4, PB_INT, NULL },
	{ "has_single_reference", 5, PB_BOOL, NULL }, { "ptr", 6, PB_INT, NULL });

MESSAGE(description) = FIELDS({ "dtype", 1, PB_DTYPE, NULL }, { "shape", 2, PB_MESSAGE, &shape },
	{ "allocation_description", 4, PB_MESSAGE, &allocation });

MESSAGE(output) = FIELDS({ "slot", 1, PB_INT, NULL },
                         { "tensor_description", 3, PB_MESSAGE, &description });

MESSAGE(change) = FIELDS({ "alloc_micros", 1, PB_INT, NULL }, { "alloc_bytes", 2, PB_INT, NULL });

MESSAGE(memory) = FIELDS(
	{ "allocator_name", 1, PB_TEXT, NULL }, { "total_bytes", 2, PB_INT, NULL },
	{ "peak_bytes", 3, PB_INT, NULL }, { "live_bytes", 4, PB_INT, NULL },
	{ "allocator_bytes_in_use", 5, PB_INT, NULL },
	{ "allocation_records", 6, PB_MESSAGE, &change });

MESSAGE(memory_stats) = FIELDS(
	{ "temp_memory_size", 1, PB_INT, NULL }, { "device_temp_memory_size", 2, PB_INT, NULL },
	{ "persistent_memory_size", 3, PB_INT, NULL },
	{ "device_persistent_memory_size", 4, PB_INT, NULL },
	{ "persistent_tensor_alloc_ids", 5, PB_INT, NULL },
	{ "device_persistent_tensor_alloc_ids", 6, PB_INT, NULL });

MESSAGE(exec) = FIELDS(
	{ "node_name", 1, PB_TEXT, NULL }, { "all_start_micros", 2, PB_INT, NULL },
	{ "op_start_rel_micros", 3, PB_INT, NULL }, { "op_end_rel_micros", 4, PB_INT, NULL },
	{ "all_end_rel_micros", 5, PB_INT, NULL }, { "memory", 6, PB_MESSAGE, &memory },
	{ "output", 7, PB_MESSAGE, &output }, { "timeline_label", 8, PB_TEXT, NULL },
	{ "scheduled_micros", 9, PB_INT, NULL }, { "thread_id", 10, PB_INT, NULL },
	{ "referenced_tensor", 11, PB_MESSAGE, &allocation },
	{ "memory_stats", 12, PB_MESSAGE, &memory_stats }, { "all_start_nanos", 13, PB_INT, NULL },
	{ "op_start_rel_nanos", 14, PB_INT, NULL }, { "op_end_rel_nanos", 15, PB_INT, NULL },
	{ "all_end_rel_nanos", 16, PB_INT, NULL }, { "scheduled_nanos", 17, PB_INT, NULL });

MESSAGE(thread_name) = FIELDS({ "key", 1, PB_INT, NULL }, { "value", 2, PB_TEXT, NULL });

MESSAGE(device) = FIELDS({ "device", 1, PB_TEXT, NULL }, { "node_stats", 2, PB_MESSAGE, &exec },
	{ "thread_names", 3, PB_MESSAGE, &thread_name });

MESSAGE(step_stats) = FIELDS({ "dev_stats", 1, PB_MESSAGE, &device });

MESSAGE(function_graphs) = FIELDS(
	{ "partition_graphs", 1, PB_MESSAGE, &graph },
	{ "pre_optimization_graph", 2, PB_MESSAGE, &graph },
	{ "post_optimization_graph", 3, PB_MESSAGE, &graph });

MESSAGE(run_metadata) = FIELDS(
	{ "step_stats", 1, PB_MESSAGE, &step_stats }, { "partition_graphs", 3, PB_MESSAGE, &graph },
	{ "function_graphs", 4, PB_MESSAGE, &function_graphs });

const struct pb_message *pb_root(enum pbtxt_root root)
{
	switch (root) {
	case PBTXT_GRAPH_DEF: return &graph;
	case PBTXT_STEP_STATS: return &step_stats;
	case PBTXT_RUN_METADATA: break;
	}
	return &run_metadata;
}
