#include "cmds/program/graph_names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "dump/base/mem.h"

enum { ID_SHORT = 8, CHAIN_MAX = 256 };

const char *name_of_graph(const struct program *program, uint32_t graph)
{
	if (graph == PROGRAM_NONE || !program->graphs.at[graph].recorded)
		return NULL;
	return program->graphs.at[graph].name;
}

void put_graph_short(struct str *out, const struct program *program, uint32_t graph)
{
	const struct program_graph *g = &program->graphs.at[graph];

	if (*g->name)
		str_puts(out, g->name);
	else
		str_fmt(out, "%.*s", ID_SHORT, g->id);
}

size_t named_path(const struct program *program, uint32_t graph, uint32_t path[NAMED_PATH_MAX],
                  size_t *more)
{
	uint32_t around = program->graphs.at[graph].depth;
	size_t n = 0;

	for (uint32_t i = 0; i <= around && graph != PROGRAM_NONE && n < NAMED_PATH_MAX; i++) {
		*more = around - i;
		if (*program->graphs.at[graph].name)
			path[n++] = graph;
		graph = program->graphs.at[graph].outer;
	}
	*more = n < NAMED_PATH_MAX ? 0 : *more;
	return n;
}

void put_graph_path(struct str *out, const struct program *program, uint32_t graph)
{
	uint32_t path[NAMED_PATH_MAX];
	size_t more, n = named_path(program, graph, path, &more);

	for (size_t i = 0; i < n; i++)
		str_fmt(out, "%s%s", i ? " < " : "", program->graphs.at[path[i]].name);
	if (more)
		str_fmt(out, " < ... and %zu more", more);
	if (!n)
		put_graph_short(out, program, graph);
}

void graph_put_chain(const struct program *program, uint32_t graph, struct data *data)
{
	size_t all = graph == PROGRAM_NONE ? 0 : (size_t)program->graphs.at[graph].depth + 1;
	size_t n = all < CHAIN_MAX ? all : CHAIN_MAX;
	uint32_t chain[CHAIN_MAX];

	for (size_t i = n; i-- > 0; graph = program->graphs.at[graph].outer)
		chain[i] = graph;
	data_list(data);
	for (size_t i = 0; i < n; i++)
		data_str(data, program->graphs.at[chain[i]].id);
	data_end(data);
}

void put_mode_name(struct str *out, int64_t mode)
{
	const char *name = program_mode_name(mode);

	if (name)
		str_puts(out, name);
	else
		str_int(out, mode);
}

void mode_put_data(int64_t mode, struct data *data)
{
	const char *name = program_mode_name(mode);

	if (name)
		data_str(data, name);
	else
		data_int(data, mode);
}

void shape_put_data(const struct shape *shape, struct data *data)
{
	data_list(data);
	for (uint32_t i = 0; i < shape->rank; i++)
		data_int_or_null(data, shape->dim[i]);
	data_end(data);
}

void dtype_put_cell(uint32_t dtype, struct cell *cell)
{
	const struct dtype_info *info = dtype_on_wire(dtype);

	if (info)
		cell_str(cell, info->name);
	else
		str_fmt(&cell->text, "%" PRIu32, dtype);
	if (cell->data && info)
		data_str(cell->data, info->name);
	else if (cell->data)
		data_uint(cell->data, dtype);
}

const char *tensor_device(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_step *step;
	const char *device;
	int64_t slot;

	if (tensor->trace != PROGRAM_NONE) {
		device = program->keys.at[program->traces.at[tensor->trace].key].device;
		return *device ? device : NULL;
	}
	step = &program->steps.at[tensor->step];
	slot = program_slot(program, tensor);
	if (slot < 0 || slot >= step->n_device_ids)
		return NULL;
	return program_device_name(program, step->at.set,
	                           program->ids.at[step->first_id + step->n_input_ids +
	                                           step->n_output_ids + (size_t)slot]);
}
