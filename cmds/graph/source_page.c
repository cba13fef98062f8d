/*
 * The elements are dealt out to the lines in their own order, so no line has to be sorted: count
 * those of each line, then lay them all end to end, line by line.
 */
#include "cmds/graph/source_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/doc/menu.h"
#include "cmds/lang/words.h"
#include "cmds/session/suggest.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"
#include "dump/base/str.h"

static void page_free(void *what)
{
	struct source_page *page = what;

	vec_release(&page->lines);
	vec_release(&page->elements);
	free(page->start);
	free(page->at);
	free(page);
}

struct source_page *source_page_new(struct doc *doc)
{
	struct source_page *page = mem_alloc(sizeof *page);

	doc_keep(doc, page_free, page);
	return page;
}

void source_page_cut(struct source_page *page, const char *text, size_t len)
{
	const char *end = text + len;

	vec_reserve(&page->lines, source_count_lines(text, len));
	for (const char *newline; (newline = memchr(text, '\n', (size_t)(end - text)));
	     text = newline + 1)
		vec_push(&page->lines,
		         ((struct source_line){ text, (size_t)(newline - text) }));
	vec_push(&page->lines, ((struct source_line){ text, (size_t)(end - text) }));
}

/* Dealing out. */

static bool is_at(const struct source_place *a, const struct source_place *b)
{
	return a->file == b->file && a->line == b->line;
}

/* Did an earlier call come through the same line? */
static bool is_again(const struct source_place *places, const struct source_element *e, uint32_t k)
{
	for (uint32_t i = 0; i < k; i++)
		if (is_at(&places[e->calls[i]], &places[e->calls[k]]))
			return true;
	return false;
}

/* Counts what each line gets, or (place not NULL) puts it there. */
static void go_over_calls(struct source_page *page, const struct source_place *places,
                          uint32_t file, size_t *count, size_t *place)
{
	for (size_t i = 0; i < page->elements.len; i++) {
		const struct source_element *e = &page->elements.at[i];

		for (uint32_t k = 0; k < e->n; k++) {
			const struct source_place *at = &places[e->calls[k]];

			if (at->file != file || at->line < 1 || at->line > page->lines.len ||
			    (page->once && is_again(places, e, k)))
				continue;
			if (place)
				page->at[place[at->line - 1]++] = (uint32_t)i;
			else
				count[at->line - 1]++;
		}
	}
}

static void deal_out(struct source_page *page, const struct source_place *places, uint32_t file)
{
	size_t n = page->lines.len, total = 0;
	size_t *count = mem_alloc((n + 1) * sizeof *count);

	page->start = mem_alloc((n + 1) * sizeof *page->start);
	go_over_calls(page, places, file, count, NULL);
	for (size_t i = 0; i <= n; i++) {
		page->start[i] = total;
		total += count[i];
	}
	page->at = mem_alloc((total + 1) * sizeof *page->at);
	memcpy(count, page->start, (n + 1) * sizeof *count);
	go_over_calls(page, places, file, NULL, count);
	free(count);
}

const uint32_t *source_page_made(const struct source_page *page, size_t line, size_t *n)
{
	*n = page->start[line] - page->start[line - 1];
	return page->at + page->start[line - 1];
}

/* Its text. */

/* What stands behind an element, or behind those left out, if they count something. */
void source_put_count(struct call *call, uint64_t count)
{
	if (!count)
		return;
	doc_put(call->out, ROLE_PLAIN, "  ");
	doc_put(call->out, ROLE_BAD, "!%" PRIu64, count);
}

/* "    (... Omitted 2 of 3 op(s) ...) +5" */
static void put_omitted(struct call *call, const struct source_page *page, size_t line,
                        const uint32_t *at, size_t n, size_t shown, int64_t max)
{
	const char *kind = page->kinds[page->elements.at[*at].kind];
	struct str path = {0};
	uint64_t count = 0;

	words_put(&path, call->args.pos[0]);
	if (page->host)
		words_put_with(&path, " --host", page->host);
	doc_put(call->out, ROLE_PLAIN, "    (... Omitted %zu of %zu %s ...) ", n - shown, n, kind);
	doc_link(call->out, ROLE_PLAIN, "+5", "ps %s %s -b %zu -m %" PRId64, path.text,
	         page->of_tensors ? "-t" : "", line, max > INT64_MAX - 5 ? INT64_MAX : max + 5);
	for (size_t i = shown; i < n; i++)
		count += page->elements.at[at[i]].count;
	source_put_count(call, count);
	doc_newline(call->out);
	str_release(&path);
}

/* Puts n elements of one kind of a line. Returns the number of rows. */
static size_t put_kind(struct call *call, const struct source_page *page, size_t line,
                       const uint32_t *at, size_t n)
{
	const struct opt_value *opt = &call->args.opt[PAGE_MAX];
	int64_t max = opt->given ? opt->number : 10;
	size_t shown = max < 0 ? 0 : (uint64_t)max < n ? (size_t)max : n;

	for (size_t i = 0; i < shown; i++) {
		doc_put(call->out, ROLE_PLAIN, "    ");
		page->put(call, page, &page->elements.at[at[i]]);
		doc_newline(call->out);
	}
	if (shown < n)
		put_omitted(call, page, line, at, n, shown, max);
	return shown + (shown < n);
}

/* Puts what a line (from 1) made. Returns the number of rows. */
static size_t put_elements(struct call *call, const struct source_page *page, size_t line)
{
	size_t n, rows = 0, end;
	const uint32_t *at = source_page_made(page, line, &n);

	for (size_t i = 0; i < n; i = end) {
		uint32_t kind = page->elements.at[at[i]].kind;

		for (end = i; end < n && page->elements.at[at[end]].kind == kind; end++)
			;
		if (page->kinds[kind])
			rows += put_kind(call, page, line, at + i, end - i);
	}
	return rows;
}

static uint64_t count_of_line(const struct source_page *page, size_t line)
{
	uint64_t count = 0;
	size_t n;
	const uint32_t *at = source_page_made(page, line, &n);

	for (size_t i = 0; i < n && page->adds_up; i++) {
		const struct source_element *e = &page->elements.at[at[i]];

		count += page->kinds[e->kind] ? e->count : 0;
	}
	return count;
}

static void put_lines(struct call *call, const struct source_page *page)
{
	const struct opt_value *begin = &call->args.opt[PAGE_BEGIN];
	int width = source_number_width(page->lines.len);
	uint64_t row = 0, start_row = 0;

	for (size_t i = 1; i <= page->lines.len; i++) {
		const struct source_line *line = &page->lines.at[i - 1];
		char number[24];

		if (begin->given && begin->number == (int64_t)i)
			start_row = row;
		snprintf(number, sizeof number, "L%zu", i);
		doc_put(call->out, ROLE_LINE_NUMBER, "%s", number);
		doc_put(call->out, ROLE_PLAIN, "%*s", width - (int)strlen(number), "");
		source_put_text(call, line->text, line->len);
		source_put_count(call, count_of_line(page, i));
		doc_newline(call->out);
		row += 1 + put_elements(call, page, i);
	}
	doc_scroll_to(call->out, start_row);
}

static bool put_data(void *context, struct data *data, struct progress *progress, struct err *err)
{
	const struct source_page *page = context;

	(void)progress, (void)err;
	data_list(data);
	for (size_t line = 1; line <= page->lines.len; line++) {
		data_object(data);
		page->put_keys(page, line, data);
		data_end(data);
	}
	data_end(data);
	return true;
}

void source_page_put(struct call *call, struct source_page *page,
                     const struct source_place *places, uint32_t file)
{
	deal_out(page, places, file);
	put_lines(call, page);
	doc_typed(call->out, DATA_ROWS, put_data, page);
	menu_put(call->out, NULL, MENU_NONE);
}

void source_put_missing(struct call *call, const char *path, const char *recorded)
{
	struct str advice = {0};

	source_put_advice(path, recorded, &advice);
	call_error(call, "ERROR: No text of %s: add %s", path, advice.text);
	menu_put(call->out, NULL, MENU_NONE);
	str_release(&advice);
}

void source_put_choice(struct call *call, const struct source_paths *paths, const char *typed,
                       size_t fits)
{
	struct str end = {0}, command = {0};

	path_normal(&end, "", typed);
	call_error(call, "ERROR: \"%s\" is the end of %zu paths. Choose one:", typed, fits);
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

/* Suggests files whose path, or whose last part, is close to what was typed. */
void source_put_unknown(struct call *call, const struct source_paths *paths, const char *typed)
{
	struct suggest whole = { .word = typed }, names = { .word = path_name(typed) };

	for (uint32_t i = 0; i < paths->paths.len; i++) {
		suggest_try(&whole, paths->paths.key[i]);
		suggest_try(&names, path_name(paths->paths.key[i]));
	}
	suggest_say(call, whole.n ? &whole : &names);
	err_fill(&call->err, ERR_PATH, "command", 0,
	         "Source path neither exists nor can be loaded as a .par file: %s", typed);
	if (call->on_screen)
		call->advice = SOURCE_ADVICE;
}
