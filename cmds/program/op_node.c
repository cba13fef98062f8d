#include "cmds/program/op_node.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/lang/words.h"
#include "dump/base/path.h"

/*
 * Ops that TensorFlow's debugger skips, whatever it was asked to record.
 * Source: OP_CALLBACK_SKIP_OPS in tensorflow/python/framework/op_callbacks.py and its users.
 */
static const char *const never_dumped[] = {
	"Enter", "Exit", "Identity", "If", "LoopCond", "Merge", "NextIteration", "StatelessIf",
	"StatefulPartitionedCall", "Switch", "While", "RemoteCall", "TPUReplicatedInput",
	"TPUReplicateMetadata", "TPUCompilationResult", "TPUReplicatedOutput",
	"ConfigureDistributedTPU", "DestroyResourceOp",
};
static const char *const runs_graphs[] = {
	"If", "StatelessIf", "While", "StatelessWhile", "StatefulPartitionedCall",
	"PartitionedCall", "RemoteCall", "Case", "StatelessCase",
};

#define IS_ONE_OF(list, word) is_one_of((list), sizeof (list) / sizeof *(list), (word))

static bool is_one_of(const char *const *list, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], word))
			return true;
	return false;
}

bool choose_subject(struct call *call, const char *word, const char *graph_word, uint32_t near,
                    struct subject *subject)
{
	const struct program *program = call->shell->program;
	struct step_name name;
	int64_t slot;

	*subject = (struct subject){ PROGRAM_NONE, PROGRAM_NONE };
	if (step_name_read(program, word, &name)) {
		subject->step = name.step;
		return true;
	}
	if (strchr(word, '#')) {
		call_error(call, "ERROR: There is no step \"%s\": \"lx\" lists them.", word);
		return false;
	}
	return choose_node(call, word, graph_word, near, &subject->node, &slot);
}

void put_step_name(struct str *out, const struct program *program, uint32_t step)
{
	str_fmt(out, "%s#%" PRIu32, program->steps.at[step].op, step);
}

const char *node_op(const struct program *program, uint32_t node)
{
	uint32_t op = program->nodes.at[node].op;

	return op == PROGRAM_NONE ? NULL : program->ops.at[op].type;
}

/* Creations of calls are not recorded: only the inputs of other ops name them. */
static bool is_named_call(const struct program *program, uint32_t node)
{
	static const char call[] = "StatefulPartitionedCall";

	return !strncmp(path_name(program->nodes.at[node].name), call, sizeof call - 1);
}

const char *node_note(const struct program *program, uint32_t node)
{
	const char *op = node_op(program, node);
	uint32_t graph = program->nodes.at[node].graph;

	if (!op)
		return is_named_call(program, node) ? "never dumped" : "creation not recorded";
	if (IS_ONE_OF(never_dumped, op))
		return "never dumped";
	if (!strcmp(op, "Placeholder") && *program->graphs.at[graph].name)
		return "function input";
	return NULL;
}

void node_put_words(const struct program *program, uint32_t node, struct str *out)
{
	const struct program_node *n = &program->nodes.at[node];

	words_put(out, n->name);
	if (n->is_shared)
		words_put_with(out, " -g", program->graphs.at[n->graph].id);
}

void subject_put_words(const struct program *program, const struct subject *subject,
                       struct str *out)
{
	struct str name = {0};

	if (subject->step == PROGRAM_NONE) {
		node_put_words(program, subject->node, out);
		return;
	}
	put_step_name(&name, program, subject->step);
	words_put(out, name.text);
	str_release(&name);
}

bool node_runs_graphs(const struct program *program, uint32_t node)
{
	const char *op = node_op(program, node);

	return op ? IS_ONE_OF(runs_graphs, op) : is_named_call(program, node);
}
