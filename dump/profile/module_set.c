#include "dump/profile/module_set.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/map.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

/* Names that are none of a kernel, with the node that each is of. */
struct member {
	struct graph *graph;
	struct map kernels;
	VEC(uint32_t) node;      /* by such a name */
	struct arena mem;
};

struct module_set {
	VEC(struct member) at;
};

/* As a kernel is called; false: just as it is. */
static bool kernel_name(const char *name, struct str *out)
{
	bool differs = false;

	str_reset(out);
	for (; *name; name++) {
		bool other = *name == '.' || *name == '-';

		str_putc(out, other ? '_' : *name);
		differs |= other;
	}
	return differs;
}

void module_set_add(struct module_set **set, struct graph *graph)
{
	struct member *member;
	struct str name = {0};

	if (!*set)
		*set = mem_alloc(sizeof **set);
	member = vec_add(&(*set)->at);
	member->graph = graph;
	for (uint32_t i = 0; i < graph_len(graph); i++)
		if (kernel_name(graph_name(graph, i), &name)
		    && map_add(&member->kernels, &member->mem, name.text, name.len)
		       == member->node.len)
			vec_push(&member->node, i);
	str_release(&name);
}

void module_set_free(struct module_set *set)
{
	for (size_t i = 0; set && i < set->at.len; i++) {
		graph_close(set->at.at[i].graph);
		map_release(&set->at.at[i].kernels);
		vec_release(&set->at.at[i].node);
		arena_release(&set->at.at[i].mem);
	}
	if (set)
		vec_release(&set->at);
	free(set);
}

bool module_set_find(const struct module_set *set, const char *name, const struct graph **graph,
                     uint32_t *node)
{
	size_t len = strlen(name);

	for (size_t i = 0; set && i < set->at.len; i++) {
		const struct member *member = &set->at.at[i];
		uint32_t id;

		*graph = member->graph;
		*node = graph_find(member->graph, name, len);
		if (*node != GRAPH_NONE)
			return true;
		id = map_find(&member->kernels, name, len);
		if (id != MAP_NONE) {
			*node = member->node.at[id];
			return true;
		}
	}
	return false;
}
