/*
 * A source file, with the names of what each line made. The names are dealt out to the lines in
 * their own order, so no line has to be sorted: count the names of each line, then lay all names
 * end to end, line by line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/menu.h"
#include "cmds/graph/source.h"
#include "cmds/lang/words.h"
#include "cmds/session/suggest.h"
#include "dump/base/path.h"
#include "dump/base/str.h"

enum { TENSORS, MAX_ELEMENTS, LINE_BEGIN };

static const struct opt options[] = {
	[TENSORS] = { OPT_FLAG, "t", "tensors", "name dumped tensors instead of ops" },
	[MAX_ELEMENTS] = { OPT_INT, "m", "max_elements_per_line",
	                   "at most this many names for a line (10)" },
	[LINE_BEGIN] = { OPT_INT, "b", "line_begin", "the first line to show (1)" },
};

static const struct pos positionals[] = {
	{ "source_file_path",
	  "the source file; the end of its path is enough if it fits one file only", false },
};

/* Something that lines may have made. */
struct element {
	const char *text;        /* of the op or tensor */
	const struct stack_node *node;
};

struct annotation {
	VEC(struct element) elements;    /* sorted by text */
	size_t n_lines;
	size_t *start;           /* of line i, from 0: [start[i], start[i + 1]) in at */
	uint32_t *at;            /* positions in elements */
};

/* The text, cut into lines. */
struct source_lines {
	const char *text;
	size_t len, n;
};

static void add_ops(const struct stacks *stacks, struct annotation *out)
{
	vec_reserve(&out->elements, stacks->nodes.len);
	for (size_t i = 0; i < stacks->nodes.len; i++)
		vec_push(&out->elements,
		         ((struct element){ stacks->nodes.at[i].name, &stacks->nodes.at[i] }));
}

/* Each tensor of a node once, however often it was dumped. */
static void add_tensors(struct call *call, struct annotation *out)
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
			vec_push(&out->elements, ((struct element){ seen.key[id], node }));
	}
	if (out->elements.len)
		qsort(out->elements.at, out->elements.len, sizeof *out->elements.at, texts_order);
	map_release(&seen);
	str_release(&text);
}

/* Counts what each line gets, or (place not NULL) puts it there. */
static void go_over_frames(const struct stacks *stacks, const struct source_paths *paths,
                           uint32_t path, struct annotation *out, size_t *count, size_t *place)
{
	for (size_t i = 0; i < out->elements.len; i++) {
		const struct stack_node *node = out->elements.at[i].node;

		for (uint32_t k = 0; k < node->n_frames; k++) {
			const struct stack_frame *frame = stacks_frame(stacks, node, k);

			if (paths->of_file[frame->file] != path || frame->line < 1 ||
			    frame->line > out->n_lines)
				continue;
			if (place)
				out->at[place[frame->line - 1]++] = (uint32_t)i;
			else
				count[frame->line - 1]++;
		}
	}
}

static void annotate(struct call *call, const struct source_paths *paths, uint32_t path,
                     size_t n_lines, struct annotation *out)
{
	const struct stacks *stacks = call->shell->stacks;
	size_t *count = mem_alloc((n_lines + 1) * sizeof *count), total = 0;

	*out = (struct annotation){ .n_lines = n_lines,
	                            .start = mem_alloc((n_lines + 1) * sizeof *out->start) };
	if (call->args.opt[TENSORS].given)
		add_tensors(call, out);
	else
		add_ops(stacks, out);
	go_over_frames(stacks, paths, path, out, count, NULL);
	for (size_t i = 0; i <= n_lines; i++) {
		out->start[i] = total;
		total += count[i];
	}
	out->at = mem_alloc(total * sizeof *out->at);
	memcpy(count, out->start, (n_lines + 1) * sizeof *count);
	go_over_frames(stacks, paths, path, out, NULL, count);
	free(count);
}

static void annotation_release(struct annotation *a)
{
	vec_release(&a->elements);
	free(a->start);
	free(a->at);
}

/* "    (... Omitted 2 of 3 op(s) ...) +5" */
static void put_omitted(struct call *call, size_t line, size_t n, size_t shown, int64_t max)
{
	bool tensors = call->args.opt[TENSORS].given;
	struct str path = {0};

	words_put(&path, call->args.pos[0]);
	doc_put(call->out, ROLE_PLAIN, "    (... Omitted %zu of %zu %s ...) ", n - shown, n,
	        tensors ? "tensor(s)" : "op(s)");
	doc_link(call->out, ROLE_PLAIN, "+5", "ps %s %s -b %zu -m %" PRId64, path.text,
	         tensors ? "-t" : "", line, max > INT64_MAX - 5 ? INT64_MAX : max + 5);
	doc_newline(call->out);
	str_release(&path);
}

/* Puts what a line (from 1) made. Returns the number of rows. */
static size_t put_elements(struct call *call, const struct annotation *a, size_t line)
{
	const struct opt_value *opt = &call->args.opt[MAX_ELEMENTS];
	int64_t max = opt->given ? opt->number : 10;
	size_t begin = a->start[line - 1], n = a->start[line] - begin;
	size_t shown = max < 0 ? 0 : (uint64_t)max < n ? (size_t)max : n;

	for (size_t i = 0; i < shown; i++) {
		const struct element *e = &a->elements.at[a->at[begin + i]];
		bool dumped = map_find(&call->shell->run->nodes, e->node->name,
		                       strlen(e->node->name)) != MAP_NONE;
		struct str word = {0};

		words_put(&word, e->text);
		doc_put(call->out, ROLE_PLAIN, "    ");
		if (dumped)
			doc_link(call->out, ROLE_PLAIN, e->text, "pt %s", word.text);
		else
			doc_put(call->out, ROLE_OP, "%s", e->text);
		doc_newline(call->out);
		str_release(&word);
	}
	if (shown < n)
		put_omitted(call, line, n, shown, max);
	return shown + (shown < n);
}

static void put_lines(struct call *call, const struct source_lines *source,
                      const struct annotation *a)
{
	const struct opt_value *begin = &call->args.opt[LINE_BEGIN];
	const char *at = source->text, *end = at + source->len;
	int width = source_number_width(source->n);
	uint64_t row = 0, start_row = 0;

	for (size_t i = 1; i <= source->n; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline ? newline : end) - at);
		char number[24];

		if (begin->given && begin->number == (int64_t)i)
			start_row = row;
		snprintf(number, sizeof number, "L%zu", i);
		doc_put(call->out, ROLE_LINE_NUMBER, "%s", number);
		doc_put(call->out, ROLE_PLAIN, "%*s", width - (int)strlen(number), "");
		source_put_text(call, at, len);
		doc_newline(call->out);
		row += 1 + put_elements(call, a, i);
		at = newline ? newline + 1 : end;
	}
	doc_scroll_to(call->out, start_row);
}

/* What a typed answer is made of. It lives as long as the document, and so does the text. */
struct page {
	struct source_lines source;
	struct annotation annotation;
};

static void release_page(void *page)
{
	annotation_release(&((struct page *)page)->annotation);
}

static void put_row_data(const struct annotation *a, size_t line, const char *text, size_t len,
                         struct data *data)
{
	data_object(data);
	data_key(data, "line");
	data_uint(data, line);
	data_key(data, "text");
	data_text(data, text, len - (len && text[len - 1] == '\r'));
	data_key(data, "names");
	data_list(data);
	for (size_t i = a->start[line - 1]; i < a->start[line]; i++)
		data_str(data, a->elements.at[a->at[i]].text);
	data_end(data);
	data_end(data);
}

static bool page_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct page *page = context;
	const char *at = page->source.text, *end = at + page->source.len;

	(void)progress, (void)err;
	data_list(data);
	for (size_t line = 1; line <= page->source.n; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;

		put_row_data(&page->annotation, line, at, (size_t)(line_end - at), data);
		at = newline ? newline + 1 : end;
	}
	data_end(data);
	return true;
}

static void put_source(struct call *call, const struct source_paths *paths, uint32_t path,
                       const char *text, size_t len)
{
	struct page *page = arena_alloc(doc_mem(call->out), sizeof *page);

	page->source = (struct source_lines){ text, len, source_count_lines(text, len) };
	annotate(call, paths, path, page->source.n, &page->annotation);
	put_lines(call, &page->source, &page->annotation);
	doc_keep(call->out, release_page, page);
	doc_typed(call->out, DATA_ROWS, page_put_data, page);
	menu_put(call->out, NULL, MENU_NONE);
}

/* "ERROR: "ops.py" is the end of 2 paths. Choose one:" and a linked line for each. */
static void put_choice(struct call *call, const struct source_paths *paths, const char *typed,
                       size_t n)
{
	struct str end = {0}, command = {0};

	path_normal(&end, "", typed);
	call_error(call, "ERROR: \"%s\" is the end of %zu paths. Choose one:", typed, n);
	for (uint32_t i = 0; i < paths->paths.len; i++) {
		if (!text_ends(paths->paths.key[i], end.text))
			continue;
		str_reset(&command);
		words_put_with(&command, "ps", paths->paths.key[i]);
		doc_put(call->out, ROLE_PLAIN, "  ");
		doc_link(call->out, ROLE_PLAIN, command.text, "%s", command.text);
		doc_newline(call->out);
	}
	str_release(&end);
	str_release(&command);
}

static void put_no_text(struct call *call, const char *path, const char *recorded)
{
	struct str advice = {0};

	source_put_advice(path, recorded, &advice);
	call_error(call, "ERROR: No text of %s: add %s", path, advice.text);
	menu_put(call->out, NULL, MENU_NONE);
	str_release(&advice);
}

/* Suggests files whose path, or whose last part, is close to what was typed. */
static void suggest_path(struct call *call, const struct source_paths *paths, const char *typed)
{
	struct suggest whole = { .word = typed }, names = { .word = path_name(typed) };

	for (uint32_t i = 0; i < paths->paths.len; i++) {
		suggest_try(&whole, paths->paths.key[i]);
		suggest_try(&names, path_name(paths->paths.key[i]));
	}
	suggest_say(call, whole.n ? &whole : &names);
}

static void print(struct call *call, const struct source_paths *paths)
{
	const struct shell *shell = call->shell;
	struct arena *mem = doc_mem(call->out);  /* the document goes on using the text */
	const char *typed = call->args.pos[0], *path, *text;
	uint32_t id;
	size_t len, fits = source_paths_find(paths, shell->stacks, typed, call->mem, &id, &path);
	const char *recorded = fits ? source_paths_recorded(paths, shell->stacks, id) : NULL;

	if (fits > 1) {
		put_choice(call, paths, typed, fits);
	} else if (source_text(shell, path, recorded, mem, &text, &len) ||
	           (!fits && source_text(shell, typed, NULL, mem, &text, &len))) {
		put_source(call, paths, id, text, len);
	} else if (fits) {
		put_no_text(call, path, recorded);
	} else {
		suggest_path(call, paths, typed);
		err_fill(&call->err, ERR_PATH, "command", 0,
		         "Source path neither exists nor can be loaded as a .par file: %s", typed);
		if (call->on_screen)
			call->advice = SOURCE_ADVICE;
	}
}

static void ps_exec(struct call *call)
{
	struct source_paths paths;

	if (!need_stacks(call, "perform source annotation"))
		return;
	source_paths_init(&paths, call->shell->stacks, call->mem);
	print(call, &paths);
	source_paths_release(&paths);
}

const struct cmd cmd_ps = {
	.name = "print_source", .alias = "ps",
	.summary = "A source file, with the ops that its lines made", OPTS(options),
	POSITIONALS(positionals), .names = LINK_SOURCE, .exec = ps_exec,
};
