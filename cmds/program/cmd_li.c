/* What feeds an op of a graph or a step, and what it feeds: li and lo. */
#include "cmds/doc/menu.h"
#include "cmds/program/graph_names.h"
#include "cmds/program/op_node.h"
#include "cmds/program/trees.h"

enum { GRAPHS_SHOWN = 50 };

static const struct opt options[] = { TREE_OPTS(GRAPH_OPT) };
static const struct pos positionals[] = { SUBJECT_POS };

/* Does the graph have an op, created or only named there, that runs other graphs? */
static bool has_runners(const struct program *program, uint32_t graph)
{
	size_t n;
	const uint32_t *ops = program_graph_ops(program, graph, &n);

	for (size_t i = 0; i < n; i++) {
		const struct program_input *inputs = program_op_inputs(program, ops[i]);

		if (node_runs_graphs(program, program->ops.at[ops[i]].node))
			return true;
		for (uint32_t k = 0; k < program->ops.at[ops[i]].n_inputs; k++)
			if (node_runs_graphs(program, inputs[k].node))
				return true;
	}
	return false;
}

/* Which graph a call, a loop or a branch runs is not recorded; where graphs were created is. */
static void put_inner(struct doc *doc, const struct program *program, uint32_t graph)
{
	struct str name = {0};
	size_t n;
	const uint32_t *inner = program_inner(program, graph, &n);

	if (!n || !has_runners(program, graph))
		return;
	put_graph_short(&name, program, graph);
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN,
	             "%zu graph(s) created in %s, for its calls, loops and branches:", n,
	             name.text);
	for (size_t i = 0; i < n && i < GRAPHS_SHOWN; i++) {
		const char *id = program->graphs.at[inner[i]].id;

		str_reset(&name);
		put_graph_short(&name, program, inner[i]);
		doc_put(doc, ROLE_PLAIN, "  %.8s  ", id);
		doc_link(doc, ROLE_PLAIN, name.text, "lg --ops -g %s", id);
		doc_newline(doc);
	}
	if (n > GRAPHS_SHOWN)
		doc_line_put(doc, ROLE_PLAIN, "  ... and %zu more", n - GRAPHS_SHOWN);
	str_release(&name);
}

static void exec(struct call *call, const struct tree_way *way, enum menu_entry off)
{
	const struct program *program = call->shell->program;
	struct str name = {0}, words = {0};
	struct subject subject;

	if (!choose_subject(call, call->args.pos[0], call->args.opt[TREE_WHERE].word,
	                    call->shell->program_step, &subject))
		return;
	if (subject.step != PROGRAM_NONE) {
		put_step_name(&name, program, subject.step);
		tree_put(call, name.text, step_tree(program, subject.step, way), way);
	} else {
		const struct program_node *node = &program->nodes.at[subject.node];

		tree_put(call, node->name,
		         op_tree(program, subject.node, call->shell->program_step, way), way);
		put_inner(call->out, program, node->graph);
	}
	subject_put_words(program, &subject, &words);
	menu_put_words(call->out, words.text, off);
	str_release(&name);
	str_release(&words);
}

static void li_exec(struct call *call)
{
	exec(call, &tree_inputs, MENU_LIST_INPUTS);
}

static void lo_exec(struct call *call)
{
	exec(call, &tree_recipients, MENU_LIST_OUTPUTS);
}

const struct cmd cmd_li_program = {
	.name = "list_inputs", .alias = "li", .summary = "What feeds an op or a step, as a tree",
	OPTS(options), POSITIONALS(positionals), .of_program = true, .names = LINK_NODE,
	.exec = li_exec,
};

const struct cmd cmd_lo_program = {
	.name = "list_outputs", .alias = "lo", .summary = "What an op or a step feeds, as a tree",
	OPTS(options), POSITIONALS(positionals), .of_program = true, .names = LINK_NODE,
	.exec = lo_exec,
};
