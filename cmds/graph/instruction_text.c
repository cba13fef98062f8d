#include "cmds/graph/instruction_text.h"

#include <inttypes.h>
#include <string.h>

#include "cmds/doc/figure.h"
#include "cmds/graph/instruction_list.h"
#include "cmds/lang/words.h"
#include "dump/profile/profile.h"

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

static void name_inside(const struct module *module, uint32_t computation, struct named *opcodes,
                        struct named *ops)
{
	const struct computation *c = &module->computations.at[computation];

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct instruction *at = &module->instructions.at[i];

		if (strcmp(at->opcode, "parameter") && strcmp(at->opcode, "constant"))
			add_name(opcodes, at->opcode);
		if (at->op_name)
			add_name(ops, at->op_name);
	}
}

/* "(f32[2]{0}, s32[])" as "(f32[2], s32[])" */
static void put_without_layouts(struct str *out, const char *shape)
{
	size_t depth = 0;

	for (; *shape; shape++) {
		depth += *shape == '{';
		if (!depth)
			str_putc(out, *shape);
		depth -= *shape == '}' && depth;
	}
}

void computation_put_inside(const struct module *module, uint32_t computation, struct str *out)
{
	const struct computation *c = &module->computations.at[computation];
	struct named opcodes = {0}, ops = {0};

	name_inside(module, computation, &opcodes, &ops);
	str_fmt(out, "%" PRIu32 " instruction%s", c->n, plural(c->n));
	put_named(out, ": ", &opcodes);
	put_named(out, "; ops ", &ops);
}

/* What a name stands for, if that is a fusion and what is in it is known. */
struct fusion {
	const struct graph *graph;
	uint32_t node, computation;
};

static bool find_fusion(const struct profile *profile, const char *name, struct fusion *out)
{
	const struct module *module;
	const struct called *called;
	size_t n;

	if (!profile || !module_set_find(profile->modules, name, &out->graph, &out->node))
		return false;
	module = graph_module(out->graph);
	called = module_called(module, out->node, &n);
	if (strcmp(module->instructions.at[out->node].opcode, "fusion") != 0 || !n)
		return false;
	out->computation = called->computation;
	return out->computation != MODULE_NONE;
}

bool fusion_put(const struct profile *profile, const char *name, struct str *out)
{
	struct fusion fusion;
	const char *shape;

	if (!find_fusion(profile, name, &fusion))
		return false;
	shape = graph_module(fusion.graph)->instructions.at[fusion.node].shape;
	str_fmt(out, "%s = ", graph_name(fusion.graph, fusion.node));
	put_without_layouts(out, shape);
	str_puts(out, " from ");
	computation_put_inside(graph_module(fusion.graph), fusion.computation, out);
	return true;
}

bool fusion_put_opcodes(const struct profile *profile, const char *name, struct str *out)
{
	struct named opcodes = {0}, ops = {0};
	struct fusion fusion;

	if (!find_fusion(profile, name, &fusion))
		return false;
	name_inside(graph_module(fusion.graph), fusion.computation, &opcodes, &ops);
	put_named(out, "", &opcodes);
	return opcodes.n > 0;
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
