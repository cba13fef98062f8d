#include <inttypes.h>

#include "cmds/lang/words.h"
#include "cmds/program/tensor_rows.h"

const char *tensor_op(const struct program *program, const struct program_tensor *tensor)
{
	const struct program_node *node;

	if (tensor->trace == PROGRAM_NONE)
		return program->steps.at[tensor->step].op;
	node = &program->nodes.at[program->keys.at[program->traces.at[tensor->trace].key].node];
	return node->op == PROGRAM_NONE ? NULL : program->ops.at[node->op].type;
}

uint32_t tensor_graph(const struct program *program, const struct program_tensor *tensor)
{
	uint32_t key;

	if (tensor->trace == PROGRAM_NONE)
		return PROGRAM_NONE;
	key = program->traces.at[tensor->trace].key;
	return program->nodes.at[program->keys.at[key].node].graph;
}

static void put_count(struct str *out, const char *what, uint64_t n)
{
	if (n)
		str_fmt(out, "%s%s x%" PRIu64, out->len ? " " : "", what, n);
}

void put_health(struct str *out, const struct health *health)
{
	struct str counts = {0};

	if (health->known & HEALTH_COUNTS) {
		put_count(&counts, "nan", health->nan);
		put_count(&counts, "-inf", health->neg_inf);
		put_count(&counts, "+inf", health->pos_inf);
		str_puts(out, counts.len ? counts.text : "ok");
	} else if (health->known & HEALTH_BAD) {
		str_puts(out, health->bad ? "inf/nan" : "ok");
	} else {
		str_puts(out, "?");
	}
	str_release(&counts);
}

/* Where several graphs have a node of this name, for what goes on from there to the node. */
static void put_graph_option(const struct program *program, const struct program_tensor *tensor,
                             struct str *out)
{
	const struct program_key *key = &program->keys.at[program->traces.at[tensor->trace].key];
	const struct program_node *node = &program->nodes.at[key->node];
	const struct program_graph *graph = &program->graphs.at[node->graph];
	struct str text = {0};

	if (!node->is_shared)
		return;
	str_fmt(&text, graph->is_like ? "%s" : "%.8s", graph->id);
	words_put_with(out, " -g", text.text);
	str_release(&text);
}

void tensor_put_link(const struct program *program, const struct program_tensor *tensor,
                     struct str *out)
{
	struct str name = {0};

	program_put_name(program, tensor, &name);
	words_put_with(out, "pt", name.text);
	if (tensor->trace != PROGRAM_NONE) {
		put_graph_option(program, tensor, out);
		str_fmt(out, " --trace %" PRIu32, tensor->trace);
	}
	str_release(&name);
}


/* The health of the current row; nothing is known if its record can't be read. */

enum row_sign tensor_sign(const struct program *program, const struct program_tensor *tensor)
{
	static const enum row_sign signs[] = {
		[PROGRAM_BAD] = SIGN_BAD, [PROGRAM_GOOD] = SIGN_NONE,
		[PROGRAM_CANT_TELL] = SIGN_CANT_TELL, [PROGRAM_UNSCANNED] = SIGN_UNKNOWN,
	};

	return signs[program_bad(program, tensor)];
}
