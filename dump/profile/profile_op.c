#include "dump/profile/profile_op.h"

#include <string.h>

const char *profile_op(const struct profile_proto *proto, struct graph *const *graphs,
                       size_t n_graphs, const char *node)
{
	size_t len = strlen(node);
	const struct profile_name *known = proto ? profile_proto_find(proto, node, len) : NULL;

	if (known)
		return known->op;
	for (size_t i = 0; i < n_graphs; i++) {
		uint32_t at = graph_find(graphs[i], node, len);

		if (at != GRAPH_NONE)
			return graph_op(graphs[i], at);
	}
	return NULL;
}
