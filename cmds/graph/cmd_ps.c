/* A source file, with the names of what each line made. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/graph/source_page.h"
#include "cmds/lang/words.h"
#include "cmds/session/position.h"
#include "dump/base/str.h"

static const struct opt options[] = { SOURCE_PAGE_OPTS };
static const struct pos positionals[] = { SOURCE_PATH_POS };

static void add_element(struct source_page *page, const struct stacks *stacks,
                        const struct stack_node *node, const char *text)
{
	vec_push(&page->elements,
	         ((struct source_element){ text, stacks->stack.at + node->first, node->n_frames, 0,
	                                   (uint32_t)(node - stacks->nodes.at), 0 }));
}

static void add_ops(const struct stacks *stacks, struct source_page *page)
{
	vec_reserve(&page->elements, stacks->nodes.len);
	for (size_t i = 0; i < stacks->nodes.len; i++)
		add_element(page, stacks, &stacks->nodes.at[i], stacks->nodes.at[i].name);
}

/* Each tensor of a node once, however often it was dumped. */
static void add_tensors(struct call *call, struct source_page *page)
{
	const struct run *run = call->shell->run;
	struct map seen = {0};
	struct str text = {0};

	for (size_t i = 0; i < run->tensors.len; i++) {
		const struct tensor *t = &run->tensors.at[i];
		const struct stack_node *node = stacks_find(call->shell->stacks, t->node);
		size_t known = seen.len;
		uint32_t id;

		if (!node)
			continue;
		str_reset(&text);
		str_fmt(&text, "%s:%" PRIu32, t->node, t->slot);
		id = map_add(&seen, doc_mem(call->out), text.text, text.len);
		if (seen.len > known)
			add_element(page, call->shell->stacks, node, seen.key[id]);
	}
	if (page->elements.len)
		qsort(page->elements.at, page->elements.len, sizeof *page->elements.at,
		      texts_order);
	map_release(&seen);
	str_release(&text);
}

static void put_element(struct call *call, const struct source_page *page,
                        const struct source_element *e)
{
	const char *node = call->shell->stacks->nodes.at[e->what].name;
	bool dumped = map_find(&call->shell->run->nodes, node, strlen(node)) != MAP_NONE;
	struct str word = {0};

	(void)page;
	words_put(&word, e->text);
	if (dumped)
		doc_link(call->out, ROLE_PLAIN, e->text, "pt %s", word.text);
	else
		doc_put(call->out, ROLE_OP, "%s", e->text);
	str_release(&word);
}

static void put_keys(const struct source_page *page, size_t line, struct data *data)
{
	const struct source_line *l = &page->lines.at[line - 1];
	const uint32_t *at;
	size_t n;

	at = source_page_made(page, line, &n);
	data_key(data, "line");
	data_uint(data, line);
	data_key(data, "text");
	data_text(data, l->text, l->len - (l->len && l->text[l->len - 1] == '\r'));
	data_key(data, "names");
	data_list(data);
	for (size_t i = 0; i < n; i++)
		data_str(data, page->elements.at[at[i]].text);
	data_end(data);
}

static void put_source(struct call *call, const struct source_paths *paths, uint32_t path,
                       const char *text, size_t len)
{
	static const char *const ops[] = { "op(s)" }, *const tensors[] = { "tensor(s)" };
	const struct stacks *stacks = call->shell->stacks;
	struct source_place *places = source_paths_places(paths, stacks);
	struct source_page *page = source_page_new(call->out);

	page->of_tensors = call->args.opt[PAGE_TENSORS].given;
	page->kinds = page->of_tensors ? tensors : ops;
	page->put = put_element;
	page->put_keys = put_keys;
	source_page_cut(page, text, len);
	if (page->of_tensors)
		add_tensors(call, page);
	else
		add_ops(stacks, page);
	source_page_put(call, page, places, path);
	free(places);
}

static void print(struct call *call, const struct source_paths *paths)
{
	const struct shell *shell = call->shell;
	struct arena *mem = doc_mem(call->out);  /* the document goes on using the text */
	const char *typed = call->args.pos[0], *path, *text;
	uint32_t id;
	size_t len, fits = source_paths_find(paths, shell->stacks->cwd, typed, call->mem, &id,
	                                     &path);
	const char *recorded = fits ? source_paths_recorded(paths, shell->stacks, id) : NULL;

	if (fits > 1) {
		source_put_choice(call, paths, typed, fits);
	} else if (source_text(shell, path, recorded, mem, &text, &len) ||
	           (!fits && source_text(shell, typed, NULL, mem, &text, &len))) {
		put_source(call, paths, id, text, len);
	} else if (fits) {
		source_put_missing(call, path, recorded);
	} else {
		source_put_unknown(call, paths, typed);
	}
}

static void ps_exec(struct call *call)
{
	const struct stacks *stacks;
	struct source_paths paths;

	if (!need_stacks(call, "perform source annotation"))
		return;
	stacks = call->shell->stacks;
	source_paths_init(&paths, stacks->cwd, stacks->files.at, stacks->files.len, call->mem);
	print(call, &paths);
	source_paths_release(&paths);
	call_note_unread(call);
}

const struct cmd cmd_ps = {
	.name = "print_source", .alias = "ps",
	.summary = "A source file, with the ops that its lines made", OPTS(options),
	POSITIONALS(positionals), .names = LINK_SOURCE, .exec = ps_exec,
};
