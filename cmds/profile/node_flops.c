#include "cmds/profile/node_flops.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/profile/tfprof/tfprof_session.h"
#include "dump/base/mem.h"

struct node_flops {
	const struct shell *shell;
	const struct tfprof *tfprof;     /* the session's */
	const struct step_choice *steps;
};

struct node_flops *node_flops_new(struct call *call, const struct step_choice *steps)
{
	const struct tfprof *tfprof = tfprof_session_open(call);
	struct node_flops *flops;

	if (!tfprof)
		return NULL;
	flops = mem_alloc(sizeof *flops);
	*flops = (struct node_flops){ call->shell, tfprof, steps };
	return flops;
}

void node_flops_free(struct node_flops *flops)
{
	free(flops);
}

double node_flops_of(void *context, const char *node)
{
	const struct node_flops *flops = context;
	uint32_t id = map_find(&flops->tfprof->names, node, strlen(node));
	double sum = 0;

	for (size_t i = 0; id != MAP_NONE && i < flops->steps->at.len; i++)
		sum += (double)tfprof_own(flops->tfprof, id,
		                          tfprof_session_step(flops->shell, flops->steps->at.at[i]),
		                          TFPROF_FLOAT_OPS);
	return sum;
}
