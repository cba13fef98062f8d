/*
 * The walk is a stack of nodes whose children are being listed; each step makes one row. A row
 * knows its parent and whether it is the last of its siblings: its prefix is made from that.
 */
#include "cmds/graph/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/session/session.h"
#include "dump/base/mem.h"
#include "dump/base/utf8.h"

const struct tree_way tree_inputs = { false, "Inputs to", "inputs", "li -c -r" };
const struct tree_way tree_recipients = { true, "Recipients of", "recipients", "lo -c -r" };

struct tree_style {
	const struct tree_way *way;
	bool with_control, with_ops;
	int64_t max_depth;
	bool held, fine;         /* at the right what rows hold; in more than ASCII */
};

enum row_kind {
	ROW_CHILD,
	ROW_MORE,        /* cut by the depth limit */
	ROW_NOTHING,
	ROW_CUT,
	ROW_ERROR,
};

struct tree_row {
	uint32_t parent;         /* row, or NO_ROW */
	uint32_t depth;
	uint32_t child;          /* of ROW_CHILD: its place in tree->shown */
	enum row_kind kind;
	bool last;
};
#define NO_ROW UINT32_MAX

struct branch {
	struct tree_children children;
	size_t next;
	uint32_t row;            /* of the node whose children these are */
};

struct tree {
	struct body body;
	struct tree_source *source;
	const struct tree_kind *kind;    /* of the source */
	struct tree_style style;
	VEC(struct tree_row) rows;
	struct tree_children shown;      /* one for each row that has a child */
	VEC(struct branch) stack;
	uint64_t bytes;                  /* of the rows' text */
	size_t held_column;              /* where what rows hold begins, if there is room */
	struct str name;                 /* scratch */
	struct err err;
};

void *tree_children_add(struct tree_children *c)
{
	char *at;

	if (c->len == c->cap) {
		c->cap = vec_room(c->cap, c->len + 1);
		c->at = mem_realloc(c->at, c->cap * c->child_size);
	}
	at = c->at + c->len++ * c->child_size;
	memset(at, 0, c->child_size);
	return at;
}

static void *child_at(const struct tree_children *c, size_t i)
{
	return c->at + i * c->child_size;
}

static const void *child_of(const struct tree *tree, const struct tree_row *row)
{
	return child_at(&tree->shown, row->child);
}

static struct tree_row *add_row(struct tree *tree, enum row_kind kind, uint32_t parent,
                                uint32_t depth)
{
	struct tree_row *row = vec_add(&tree->rows);

	row->kind = kind;
	row->parent = parent;
	row->depth = depth;
	tree->bytes += (uint64_t)depth * 3 + sizeof "(1) ";
	return row;
}

/* Goes down into a node: its children are listed next, or a row says why they aren't. */
static void visit(struct tree *tree, const void *child, uint32_t row, uint32_t depth)
{
	struct branch branch = { { .child_size = tree->kind->child_size }, .row = row };

	if (!tree->kind->children(tree->source, child, tree->style.with_control, &branch.children,
	                          &tree->err)) {
		add_row(tree, ROW_ERROR, row, depth);
	} else if (!branch.children.len) {
		if (depth == 1)
			add_row(tree, ROW_NOTHING, NO_ROW, depth);
	} else if (depth > tree->style.max_depth || depth > TREE_MAX_DEPTH) {
		add_row(tree, ROW_MORE, row, depth);
	} else {
		vec_push(&tree->stack, branch);
		return;
	}
	free(branch.children.at);
}

/* " (NOTE)", or nothing. */
static void put_note(const struct tree *tree, const void *child, struct str *out)
{
	struct str note = {0};

	if (tree->kind->put_note)
		tree->kind->put_note(tree->source, child, &note);
	if (note.len)
		str_fmt(out, " (%s)", note.text);
	str_release(&note);
}

/* Bytes of a child's name; add_row has counted its depth. */
static size_t name_bytes(struct tree *tree, const void *child)
{
	str_reset(&tree->name);
	tree->kind->put_name(tree->source, child, &tree->name);
	put_note(tree, child, &tree->name);
	return tree->name.len +
	       (tree->style.with_ops ? strlen(tree->kind->op(tree->source, child)) + sizeof "[]"
	                             : 0);
}

static void step(struct tree *tree)
{
	struct branch *branch = vec_last(&tree->stack);
	uint32_t depth = (uint32_t)tree->stack.len, made = (uint32_t)tree->rows.len;
	struct tree_row *row;
	void *child;

	if (branch->next == branch->children.len) {
		free(branch->children.at);
		tree->stack.len--;
		return;
	}
	row = add_row(tree, ROW_CHILD, branch->row, depth);
	row->child = (uint32_t)tree->shown.len;
	child = tree_children_add(&tree->shown);
	memcpy(child, child_at(&branch->children, branch->next++), tree->kind->child_size);
	row->last = branch->next == branch->children.len;
	tree->bytes += name_bytes(tree, child);
	visit(tree, child, made, depth + 1);
}

static bool is_full(const struct tree *tree)
{
	return tree->rows.len >= TREE_MAX_ROWS || tree->bytes >= TREE_MAX_MB * UINT64_C(1000000);
}

static bool was_cut(const struct tree *tree)
{
	return tree->rows.len && vec_last(&tree->rows)->kind == ROW_CUT;
}

static void put_cut(const struct tree *tree, struct str *out)
{
	if (tree->rows.len > TREE_MAX_ROWS)
		str_fmt(out, "Output cut off at %d lines!", TREE_MAX_ROWS);
	else
		str_fmt(out, "Output cut off at %d MB of text!", TREE_MAX_MB);
}

static void cut(struct tree *tree)
{
	add_row(tree, ROW_CUT, NO_ROW, 0);
	while (tree->stack.len)
		free(tree->stack.at[--tree->stack.len].children.at);
}

#define STEPS_AT_ONCE 4096

static enum body_state tree_work(struct body *body, struct progress *progress)
{
	struct tree *tree = (struct tree *)body;

	for (int i = 0; i < STEPS_AT_ONCE && tree->stack.len; i++) {
		step(tree);
		if (is_full(tree) && tree->stack.len)
			cut(tree);
	}
	if (!progress_step(progress, tree->rows.len, 0))
		return BODY_DONE;
	return tree->stack.len ? BODY_WORKING : BODY_DONE;
}

static uint64_t tree_rows(struct body *body)
{
	return ((struct tree *)body)->rows.len;
}

/* "|  " under a node that has more siblings to come, blanks under the last one. */
static void put_prefix(const struct tree *tree, const struct tree_row *row, struct line *line)
{
	size_t columns = ((size_t)row->depth - 1) * 3;
	char *at;

	str_fill(&line->text, ' ', columns);
	at = line->text.text + columns;
	for (uint32_t up = row->parent; up != NO_ROW; up = tree->rows.at[up].parent) {
		at -= 3;
		if (!tree->rows.at[up].last)
			*at = '|';
	}
	str_puts(&line->text, "|- ");
}

static void put_child(const struct tree *tree, const struct tree_row *row, struct line *line)
{
	const struct tree_child *child = child_of(tree, row);
	struct str name = {0}, words = {0};

	str_fmt(&line->text, "(%" PRIu32 ") ", row->depth);
	if (child->control)
		str_puts(&line->text, "(Ctrl) ");
	if (tree->style.with_ops)
		str_fmt(&line->text, "[%s] ", tree->kind->op(tree->source, child));
	tree->kind->put_name(tree->source, child, &name);
	tree->kind->put_link(tree->source, child, &words);
	if (words.len)
		line_link(line, ROLE_PLAIN, str_text(&name), "%s %s", tree->style.way->command,
		          words.text);
	else
		str_puts(&line->text, str_text(&name));
	put_note(tree, child, &line->text);
	str_release(&name);
	str_release(&words);
}

enum { HELD_GAP = 2, HELD_ROOM = 30 };

/*
 * What the row's node holds: in a column behind the tree, or at the right end where that is too
 * narrow. Where there is no room between it is left out.
 */
static void put_held(const struct tree *tree, const struct tree_row *row, int width,
                     struct line *line)
{
	size_t used = utf8_columns(str_text(&line->text), line->text.len), size;
	struct str held = {0};
	enum role role;

	role = tree->kind->put_held(tree->source, child_of(tree, row), tree->style.fine, &held);
	size = utf8_columns(str_text(&held), held.len);
	if (size && used + HELD_GAP + size <= (size_t)width) {
		size_t begin, last = (size_t)width - size, column = tree->held_column;

		if (column + HELD_ROOM > (size_t)width || column < used + HELD_GAP)
			column = last;
		str_fill(&line->text, ' ', (column < last ? column : last) - used);
		begin = line->text.len;
		str_puts(&line->text, held.text);
		line_mark(line, role, begin, line->text.len);
	}
	str_release(&held);
}

/* Without what the row holds. */
static bool put_row(const struct tree *tree, const struct tree_row *row, struct line *line,
                    struct err *err)
{
	switch (row->kind) {
	case ROW_NOTHING:
		line_fmt(line, ROLE_PLAIN, "  [None]");
		return true;
	case ROW_CUT:
		put_cut(tree, &line->text);
		line_mark(line, ROLE_CUT, 0, line->text.len);
		return true;
	case ROW_ERROR:
		*err = tree->err;
		return false;
	case ROW_MORE:
	case ROW_CHILD:
		break;
	}
	put_prefix(tree, row, line);
	if (row->kind == ROW_MORE)
		str_puts(&line->text, "...");
	else
		put_child(tree, row, line);
	return true;
}

static bool shows_held(const struct tree *tree)
{
	return tree->style.held && tree->kind->put_held;
}

static bool tree_line(struct body *body, uint64_t at, int width, struct line *line, struct err *err)
{
	const struct tree *tree = (const struct tree *)body;
	const struct tree_row *row = &tree->rows.at[at];

	if (!put_row(tree, row, line, err))
		return false;
	if (row->kind == ROW_CHILD && shows_held(tree) && width > 0)
		put_held(tree, row, width, line);
	return true;
}

/* Behind the longest of the rows that are known at first: later ones don't move it. */
static void place_held(struct tree *tree)
{
	struct line line = {0};
	struct err err = {0};

	for (size_t i = 0; i < tree->rows.len; i++) {
		size_t end;

		line_reset(&line);
		if (!put_row(tree, &tree->rows.at[i], &line, &err))
			continue;
		end = utf8_columns(str_text(&line.text), line.text.len) + HELD_GAP;
		if (end > tree->held_column)
			tree->held_column = end;
	}
	line_release(&line);
}

static uint32_t tree_depth(struct body *body, uint64_t row)
{
	return ((struct tree *)body)->rows.at[row].depth;
}

static void tree_free(struct body *body)
{
	struct tree *tree = (struct tree *)body;

	for (size_t i = 0; i < tree->stack.len; i++)
		free(tree->stack.at[i].children.at);
	vec_release(&tree->stack);
	vec_release(&tree->rows);
	free(tree->shown.at);
	tree->kind->free(tree->source);
	str_release(&tree->name);
	free(tree);
}

static enum row_sign sign_of(void *context, uint64_t at, bool look)
{
	const struct tree *tree = context;
	const struct tree_row *row = &tree->rows.at[at];

	return row->kind == ROW_CHILD ? tree->kind->sign(tree->source, child_of(tree, row), look)
	                              : SIGN_NONE;
}

static bool signs_go_on(void *context, uint64_t *told)
{
	const struct tree *tree = context;

	return tree->kind->signs_go_on && tree->kind->signs_go_on(tree->source, told);
}

static const struct doc_signs tree_signs = { .of = sign_of, .go_on = signs_go_on };

static const struct body_kind tree_kind = {
	.name = "tree", .rows = tree_rows, .line = tree_line, .work = tree_work, .free = tree_free,
	.depth = tree_depth,
};

static struct body *tree_body(struct tree_source *source, const struct tree_style *style)
{
	struct tree *tree = mem_alloc(sizeof *tree);

	tree->body.kind = &tree_kind;
	tree->source = source;
	tree->kind = source->kind;
	tree->shown.child_size = tree->kind->child_size;
	tree->style = *style;
	visit(tree, NULL, NO_ROW, 1);
	tree_work(&tree->body, NULL);
	if (shows_held(tree))
		place_held(tree);
	return &tree->body;
}

/* Rows: id, parent (a row's id), depth, the source's keys, control, cut (by the depth limit). */
static void put_row_data(const struct tree *tree, const struct tree_row *row, bool is_cut,
                         struct data *data)
{
	const struct tree_child *child = child_of(tree, row);

	data_key(data, "parent");
	if (row->parent == NO_ROW)
		data_null(data);
	else
		data_uint(data, row->parent);
	data_key(data, "depth");
	data_uint(data, row->depth);
	tree->kind->put_keys(tree->source, child, data);
	data_key(data, "control");
	data_bool(data, child->control);
	data_key(data, "cut");
	data_bool(data, is_cut);
}

static bool tree_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	struct tree *tree = context;
	struct str keys = {0};

	while (tree_work(&tree->body, progress) == BODY_WORKING)
		;
	str_fmt(&keys, "id,parent,depth,%s,control,cut", tree->kind->keys);
	data_rows(data, keys.text);
	str_release(&keys);
	for (size_t i = 0; i < tree->rows.len; i++) {
		const struct tree_row *row = &tree->rows.at[i];

		if (row->kind == ROW_ERROR) {
			*err = tree->err;
			return false;
		}
		if (row->kind != ROW_CHILD)
			continue;
		data_object(data);
		data_key(data, "id");
		data_uint(data, i);
		put_row_data(tree, row, i + 1 < tree->rows.len && row[1].kind == ROW_MORE, data);
		data_end(data);
	}
	data_end(data);
	return true;
}

static void put_legend(struct doc *doc, const struct tree_kind *kind,
                       const struct tree_style *style)
{
	doc_newline(doc);
	doc_line_put(doc, ROLE_PLAIN, "Legend:");
	doc_line_put(doc, ROLE_PLAIN, "  (d): recursion depth = d.");
	if (style->with_control && !kind->no_control)
		doc_line_put(doc, ROLE_PLAIN, "  (Ctrl): Control input.");
	if (style->with_ops)
		doc_line_put(doc, ROLE_PLAIN, "  [Op]: Input node has op type Op.");
	if (style->with_control && kind->no_control)
		doc_line_put(doc, ROLE_PLAIN, "%s", kind->no_control);
}

/* The rows of a typed answer can't say that the tree was cut. */
static void warn_of_cut(struct call *call, struct body *body)
{
	struct tree *tree = (struct tree *)body;
	struct str text = {0};

	while (tree_work(body, call->progress) == BODY_WORKING)
		;
	if (was_cut(tree)) {
		put_cut(tree, &text);
		doc_warn(call->out, "%s", text.text);
		str_puts(call->complaint, text.text);
	}
	str_release(&text);
}

static struct tree_style style_of(const struct call *call, const struct tree_way *way)
{
	const struct opt_value *opt = call->args.opt;
	struct tree_style style = {
		.way = way, .with_control = opt[TREE_CONTROL].given,
		.with_ops = opt[TREE_OP_TYPE].given, .max_depth = 1,
		.held = call->on_screen && call->canvas.modern,
		.fine = canvas_is_fine(&call->canvas),
	};

	if (opt[TREE_RECURSIVE].given)
		style.max_depth = opt[TREE_DEPTH].given ? opt[TREE_DEPTH].number :
		                  call->shell->config.value[SETTING_GRAPH_RECURSION_DEPTH];
	return style;
}

void tree_put(struct call *call, const char *root, struct tree_source *source,
              const struct tree_way *way)
{
	struct tree_style style = style_of(call, way);
	struct body *body;

	doc_put(call->out, ROLE_PLAIN, "%s node \"", way->heading);
	doc_put(call->out, ROLE_STRONG, "%s", root);
	doc_put(call->out, ROLE_PLAIN, "\" (Depth limit = %" PRId64, style.max_depth);
	if (style.with_control && !source->kind->no_control)
		doc_put(call->out, ROLE_PLAIN, ", control %s included", way->noun);
	doc_line_put(call->out, ROLE_PLAIN, "):");
	body = tree_body(source, &style);
	doc_body(call->out, body);
	doc_typed(call->out, DATA_ROWS, tree_put_data, body);
	if (source->kind->sign)
		doc_bring_signs(call->out, &tree_signs, body);
	if (!call->on_screen)
		warn_of_cut(call, body);
	put_legend(call->out, source->kind, &style);
}
