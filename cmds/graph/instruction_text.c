#include "cmds/graph/instruction_text.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/graph/instruction_list.h"
#include "cmds/lang/words.h"

enum { NAMED_MAX = 12 /* opcodes, and names of ops */ };

/* Texts, each once, in the order in which they came; more than NAMED_MAX are only counted. */
struct named {
	const char *at[NAMED_MAX];
	size_t n, more;
};

static void add_name(struct named *named, const char *name)
{
	for (size_t i = 0; i < named->n; i++)
		if (!strcmp(named->at[i], name))
			return;
	if (named->n < NAMED_MAX)
		named->at[named->n++] = name;
	else
		named->more++;
}

static void put_named(struct str *out, const char *before, const struct named *named)
{
	for (size_t i = 0; i < named->n; i++)
		str_fmt(out, "%s%s", i ? ", " : before, named->at[i]);
	if (named->more)
		str_puts(out, " ...");
}

void computation_put_inside(const struct module *module, uint32_t computation, struct str *out)
{
	const struct computation *c = &module->computations.at[computation];
	struct named opcodes = {0}, ops = {0};

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct instruction *at = &module->instructions.at[i];

		if (strcmp(at->opcode, "parameter") != 0)
			add_name(&opcodes, at->opcode);
		if (at->op_name)
			add_name(&ops, at->op_name);
	}
	str_fmt(out, "%" PRIu32 " instruction%s", c->n, plural(c->n));
	put_named(out, ": ", &opcodes);
	put_named(out, "; ops ", &ops);
}

static void put_text(struct doc *doc, const char *what, const char *text)
{
	if (text)
		doc_line_put(doc, ROLE_PLAIN, "  %s: %s", what, text);
}

/* A line for each: Enter goes into the computation. */
static void put_called(struct doc *doc, const struct module *module, uint32_t node)
{
	struct str word = {0}, inside = {0};
	size_t n;
	const struct called *called = module_called(module, node, &n);

	for (size_t i = 0; i < n; i++) {
		doc_put(doc, ROLE_PLAIN, "  Calls: ");
		str_reset(&word);
		words_put(&word, called[i].name);
		if (called[i].computation == MODULE_NONE) {
			doc_line_put(doc, ROLE_PLAIN, "%s (missing)", called[i].name);
			continue;
		}
		doc_link(doc, ROLE_PLAIN, called[i].name, "lg --ops -g %s", word.text);
		str_reset(&inside);
		computation_put_inside(module, called[i].computation, &inside);
		doc_line_put(doc, ROLE_PLAIN, ": %s", inside.text);
	}
	str_release(&word);
	str_release(&inside);
}

void instruction_put(struct doc *doc, const struct graph *graph, uint32_t node)
{
	const struct module *module = graph_module(graph);
	const struct instruction *at = &module->instructions.at[node];
	const char *computation = module->computations.at[at->computation].name;
	struct str word = {0};

	words_put(&word, computation);
	doc_put(doc, ROLE_PLAIN, "  Computation: ");
	doc_link(doc, ROLE_PLAIN, computation, "lg --ops -g %s", word.text);
	doc_newline(doc);
	put_text(doc, "Shape", at->shape);
	if (strcmp(at->opcode, graph_op(graph, node)) != 0)
		put_text(doc, "Opcode", at->opcode);
	put_text(doc, "Op name", at->op_name);
	put_text(doc, "Op type", at->op_type);
	if (at->file)
		doc_line_put(doc, ROLE_PLAIN, "  Source: %s:%" PRIu32, at->file, at->line);
	put_called(doc, module, node);
	str_release(&word);
}

void instruction_put_data(const struct graph *graph, uint32_t node, struct data *data)
{
	const struct module *module = graph_module(graph);
	const struct instruction *at = &module->instructions.at[node];

	key_str(data, "graph", module->computations.at[at->computation].name);
	key_str(data, "opcode", at->opcode);
	key_str(data, "shape", at->shape);
	data_key(data, "called");
	module_put_called(module, node, data);
	key_str(data, "op_type", at->op_type);
	key_str(data, "op_name", at->op_name);
	key_str(data, "file", at->file);
	data_key(data, "line");
	data_int_or_null(data, at->file ? (int64_t)at->line : -1);
}
