/*
 * Each kind of tree is first a list of things with their parents, then put in preorder without
 * recursion, as a file may nest names, graphs and tracebacks to any depth.
 */
#include "cmds/profile/tfprof/tfprof_tree.h"

#include <stdlib.h>
#include <string.h>

#include "dump/base/mem.h"
#include "dump/base/path.h"

#define ROOT UINT32_MAX          /* a thing's parent: the root */

/*
 * Things before they are rows. Children of thing t: child[start[t + 1] .. start[t + 2]); of the
 * root: child[0 .. start[1]).
 */
struct children {
	uint32_t *start, *child;
};

static void children_make(struct children *c, const uint32_t *parent, size_t n)
{
	c->start = mem_alloc((n + 2) * sizeof *c->start);
	c->child = mem_alloc((n + 1) * sizeof *c->child);
	for (size_t t = 0; t < n; t++)
		c->start[(size_t)(uint32_t)(parent[t] + 1) + 1]++;
	for (size_t t = 0; t <= n; t++)
		c->start[t + 1] += c->start[t];
	for (size_t t = n; t-- > 0; )
		c->child[--c->start[(size_t)(uint32_t)(parent[t] + 1) + 1]] = (uint32_t)t;
	for (size_t t = 0; t < n + 1; t++)
		c->start[t] = c->start[t + 1];
	c->start[n + 1] = (uint32_t)n;
}

static void children_release(struct children *c)
{
	free(c->start);
	free(c->child);
}

static void rows_alloc(struct tfprof_tree *tree, size_t n_things)
{
	tree->parent = mem_alloc((n_things + 1) * sizeof *tree->parent);
	tree->thing = mem_alloc((n_things + 1) * sizeof *tree->thing);
	tree->thing[0] = ROOT;
	tree->n = 1;
}

static uint32_t add_row(struct tfprof_tree *tree, uint32_t parent, uint32_t thing)
{
	tree->parent[tree->n] = parent;
	tree->thing[tree->n] = thing;
	return (uint32_t)tree->n++;
}

/* A place in a list of children. */
struct walk {
	size_t at, end;
	uint32_t row;            /* whose children */
};
typedef VEC(struct walk) walk_list;

static void put_in_preorder(struct tfprof_tree *tree, const struct children *c, size_t n_things)
{
	walk_list walks = {0};

	rows_alloc(tree, n_things);
	vec_push(&walks, ((struct walk){ c->start[0], c->start[1], 0 }));
	while (walks.len) {
		struct walk *walk = vec_last(&walks);
		uint32_t thing, row;

		if (walk->at == walk->end) {
			walks.len--;
			continue;
		}
		thing = c->child[walk->at++];
		row = add_row(tree, walk->row, thing);
		vec_push(&walks, ((struct walk){ c->start[thing + 1], c->start[thing + 2], row }));
	}
	vec_release(&walks);
}

/* Scopes. */

static const char *thing_name(const struct tfprof_tree *tree, uint32_t thing)
{
	size_t n = tree->tfprof->nodes.len;

	return thing < n ? tfprof_name(tree->tfprof, thing) : tree->texts.key[thing - n];
}

/* The thing of a scope, made up if no node has that name. */
static uint32_t scope_of(struct tfprof_tree *tree, const char *name, size_t len)
{
	uint32_t thing = map_find(&tree->tfprof->names, name, len);

	if (thing != MAP_NONE)
		return thing;
	return (uint32_t)tree->tfprof->nodes.len + map_add(&tree->texts, &tree->mem, name, len);
}

static int by_name(const void *a, const void *b, void *context)
{
	const struct tfprof_tree *tree = context;

	return strcmp(thing_name(tree, *(const uint32_t *)a),
	              thing_name(tree, *(const uint32_t *)b));
}

static void sort_siblings(struct tfprof_tree *tree, struct children *c, size_t n)
{
	for (size_t t = 0; t <= n; t++)
		if (c->start[t + 1] - c->start[t] > 1)
			qsort_r(c->child + c->start[t], c->start[t + 1] - c->start[t],
			        sizeof *c->child, by_name, tree);
}

static void make_scopes(struct tfprof_tree *tree)
{
	size_t n_nodes = tree->tfprof->nodes.len;
	VEC(uint32_t) parent = {0};
	struct children c;

	vec_reserve(&parent, n_nodes + 1);
	/* Names made up here are appended and get their own parents later in this loop. */
	for (uint32_t t = 0; t < n_nodes + tree->texts.len; t++) {
		const char *name = thing_name(tree, t), *slash = strrchr(name, '/');

		vec_push(&parent, slash ? scope_of(tree, name, (size_t)(slash - name)) : ROOT);
	}
	children_make(&c, parent.at, parent.len);
	sort_siblings(tree, &c, parent.len);
	put_in_preorder(tree, &c, parent.len);
	children_release(&c);
	vec_release(&parent);
}

/* Graphs. */

static void walk_inputs(struct tfprof_tree *tree, bool *seen, uint32_t root)
{
	const struct tfprof *t = tree->tfprof;
	walk_list walks = {0};
	uint32_t node = root, row = 0;

	for (;;) {
		struct walk *walk;

		if (node != TFPROF_NONE && !seen[node]) {
			const struct tfprof_node *n = &t->nodes.at[node];

			seen[node] = true;
			row = add_row(tree, row, node);
			vec_push(&walks,
			         ((struct walk){ n->first_input,
			                         (size_t)n->first_input + n->n_inputs, row }));
		}
		while (walks.len && vec_last(&walks)->at == vec_last(&walks)->end)
			walks.len--;
		if (!walks.len)
			break;
		walk = vec_last(&walks);
		row = walk->row;
		node = t->inputs.at[walk->at++].node;
	}
	vec_release(&walks);
}

static void make_graph(struct tfprof_tree *tree)
{
	const struct tfprof *t = tree->tfprof;
	bool *is_input = mem_alloc(t->nodes.len + 1), *seen = mem_alloc(t->nodes.len + 1);
	VEC(uint32_t) roots = {0};

	for (size_t i = 0; i < t->inputs.len; i++)
		if (t->inputs.at[i].node != TFPROF_NONE)
			is_input[t->inputs.at[i].node] = true;
	for (uint32_t n = 0; n < t->nodes.len; n++)
		if (!is_input[n])
			vec_push(&roots, n);
	if (roots.len)
		qsort_r(roots.at, roots.len, sizeof *roots.at, by_name, tree);
	rows_alloc(tree, t->nodes.len);
	for (size_t i = 0; i < roots.len; i++)
		walk_inputs(tree, seen, roots.at[i]);
	vec_release(&roots);
	free(is_input);
	free(seen);
}

/* Lines of code. */

/* A node, on a line. */
struct placed {
	uint32_t line, node;
};

/* A gradient, and the node it belongs to: a part of its name. */
struct gradient {
	const char *of;
	size_t len;
	uint32_t node;
};

struct code_making {
	struct tfprof_tree *tree;
	struct arena mem;
	struct map line_keys;            /* parent and text of a line -> line */
	struct str key;
	VEC(uint32_t) parent;            /* of a line */
	VEC(struct placed) placed;
	VEC(struct gradient) gradients;
	VEC(uint32_t) forward;           /* nodes, by name */
};

enum { FUNCTION_MAX = 20, FUNCTION_KEPT = 17 };

/* "train.py:88:main" */
static uint32_t frame_text(struct code_making *c, const struct tfprof_frame *frame, bool gradient)
{
	const struct tfprof *t = c->tree->tfprof;
	const char *file = tfprof_text(t, frame->file), *function = tfprof_text(t, frame->function);
	bool is_long = strlen(function) >= FUNCTION_MAX;

	str_reset(&c->key);
	str_fmt(&c->key, "%s:%d:%.*s%s%s", path_name(file), (int)frame->line,
	        is_long ? FUNCTION_KEPT : FUNCTION_MAX, function, is_long ? "..." : "",
	        gradient ? " (gradient)" : "");
	return map_add(&c->tree->texts, &c->tree->mem, c->key.text, c->key.len);
}

static uint32_t line_below(struct code_making *c, uint32_t parent, uint32_t frame, bool gradient)
{
	struct tfprof_line line = { .frame = frame, .gradient = gradient };
	uint32_t id;

	line.text = frame_text(c, &c->tree->tfprof->frames.at[frame], gradient);
	str_reset(&c->key);
	str_fmt(&c->key, "%x %x", parent, line.text);
	id = map_add(&c->line_keys, &c->mem, c->key.text, c->key.len);
	if (id == c->tree->lines.len) {
		vec_push(&c->tree->lines, line);
		vec_push(&c->parent, parent);
	}
	return id;
}

/* Puts a node on the line that the stack of another (or itself) leads to. */
static uint32_t find_line(struct code_making *c, uint32_t stack_of, bool gradient)
{
	const struct tfprof *t = c->tree->tfprof;
	const struct tfprof_node *node = &t->nodes.at[stack_of];
	uint32_t line = ROOT;

	for (uint32_t i = 0; i < node->n_frames; i++)
		line = line_below(c, line, t->stacks.at[node->first_frame + i], gradient);
	return line;
}

/* "gradients/NAME_grad/": the node that a gradient belongs to. */
static bool is_gradient(const char *name, struct gradient *gradient)
{
	const char *prefix = strstr(name, "gradients/"), *suffix = strstr(name, "_grad/");
	size_t skip = strlen("gradients/");

	if (!prefix || !suffix || suffix == prefix + skip)
		return false;
	gradient->of = prefix + skip;
	gradient->len = suffix > gradient->of ? (size_t)(suffix - gradient->of)
	                                      : strlen(gradient->of);
	return true;
}

static int by_what_it_is_of(const void *a, const void *b, void *context)
{
	const struct gradient *x = a, *y = b;
	int order = memcmp(x->of, y->of, x->len < y->len ? x->len : y->len);

	if (!order)
		order = (x->len > y->len) - (x->len < y->len);
	return order ? order : by_name(&x->node, &y->node, context);
}

static void place_gradients(struct code_making *c)
{
	const struct tfprof *t = c->tree->tfprof;
	const struct gradient *last = NULL;
	uint32_t line = ROOT;

	if (c->gradients.len)
		qsort_r(c->gradients.at, c->gradients.len, sizeof *c->gradients.at,
		        by_what_it_is_of, c->tree);
	for (size_t i = 0; i < c->gradients.len; i++) {
		const struct gradient *g = &c->gradients.at[i];
		uint32_t of;
		struct gradient other;

		if (!last || last->len != g->len || memcmp(last->of, g->of, g->len)) {
			of = map_find(&t->names, g->of, g->len);
			line = ROOT;
			if (of != MAP_NONE && t->nodes.at[of].n_frames &&
			    !is_gradient(tfprof_name(t, of), &other))
				line = find_line(c, of, true);
			else
				c->tree->n_orphans++;
		}
		if (line != ROOT)
			vec_push(&c->placed, ((struct placed){ line, g->node }));
		last = g;
	}
}

static int by_line(const void *a, const void *b, void *context)
{
	const struct placed *x = a, *y = b;

	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
	                          : by_name(&x->node, &y->node, context);
}

static void list_nodes(struct code_making *c)
{
	struct tfprof_tree *tree = c->tree;

	if (c->placed.len)
		qsort_r(c->placed.at, c->placed.len, sizeof *c->placed.at, by_line, tree);
	for (size_t i = 0; i < c->placed.len; i++) {
		struct tfprof_line *line = &tree->lines.at[c->placed.at[i].line];

		if (!line->n_nodes++)
			line->first_node = (uint32_t)i;
		vec_push(&tree->nodes, c->placed.at[i].node);
	}
}

static void make_code(struct tfprof_tree *tree)
{
	const struct tfprof *t = tree->tfprof;
	struct code_making c = { .tree = tree };
	struct children children;

	for (uint32_t n = 0; n < t->nodes.len; n++) {
		struct gradient gradient = { .node = n };

		if (!t->nodes.at[n].n_frames)
			continue;
		if (is_gradient(tfprof_name(t, n), &gradient))
			vec_push(&c.gradients, gradient);
		else
			vec_push(&c.forward, n);
	}
	if (c.forward.len)
		qsort_r(c.forward.at, c.forward.len, sizeof *c.forward.at, by_name, tree);
	for (size_t i = 0; i < c.forward.len; i++)
		vec_push(&c.placed, ((struct placed){ find_line(&c, c.forward.at[i], false),
		                                      c.forward.at[i] }));
	place_gradients(&c);
	list_nodes(&c);
	children_make(&children, c.parent.at, c.parent.len);
	put_in_preorder(tree, &children, c.parent.len);
	children_release(&children);
	vec_release(&c.parent);
	vec_release(&c.placed);
	vec_release(&c.gradients);
	vec_release(&c.forward);
	map_release(&c.line_keys);
	str_release(&c.key);
	arena_release(&c.mem);
}

struct tfprof_tree *tfprof_tree_new(const struct tfprof *tfprof, enum tfprof_kind kind)
{
	struct tfprof_tree *tree = mem_alloc(sizeof *tree);

	tree->tfprof = tfprof;
	tree->kind = kind;
	if (kind == TFPROF_SCOPE)
		make_scopes(tree);
	else if (kind == TFPROF_GRAPH)
		make_graph(tree);
	else
		make_code(tree);
	return tree;
}

void tfprof_tree_free(struct tfprof_tree *tree)
{
	if (!tree)
		return;
	free(tree->parent);
	free(tree->thing);
	vec_release(&tree->lines);
	vec_release(&tree->nodes);
	map_release(&tree->texts);
	arena_release(&tree->mem);
	free(tree);
}

const char *tfprof_row_name(const struct tfprof_tree *tree, uint32_t row)
{
	if (!row)
		return TFPROF_ROOT_NAME;
	if (tree->kind == TFPROF_CODE)
		return tree->texts.key[tree->lines.at[tree->thing[row]].text];
	return thing_name(tree, tree->thing[row]);
}

uint32_t tfprof_row_node(const struct tfprof_tree *tree, uint32_t row)
{
	if (!row || tree->kind == TFPROF_CODE || tree->thing[row] >= tree->tfprof->nodes.len)
		return TFPROF_NONE;
	return tree->thing[row];
}

const struct tfprof_line *tfprof_row_line(const struct tfprof_tree *tree, uint32_t row)
{
	return row && tree->kind == TFPROF_CODE ? &tree->lines.at[tree->thing[row]] : NULL;
}
