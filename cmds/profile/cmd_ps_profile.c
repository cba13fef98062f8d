/*
 * The print_source of a profile: a source file with what its lines cost in the current step. As in
 * tfdbg every record of every lane counts, so a kernel in two lanes counts twice; the sums differ
 * from those of kernel_table.h, which counts activities once.
 * Source: tfdbg's profile_analyzer_cli.py.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/graph/source.h"
#include "cmds/lang/words.h"
#include "cmds/profile/profile_rows.h"
#include "cmds/profile/profile_time.h"
#include "cmds/session/steps.h"
#include "dump/base/mem.h"
#include "dump/base/path.h"

enum { COST_TYPE, UNIT, DEVICE, NODE, OP_TYPE, INIT_LINE, STEP };

static const struct opt options[] = {
	[COST_TYPE] = { OPT_WORD, NULL, "cost_type", "exec_time (default) or op_time" },
	[UNIT] = { OPT_WORD, NULL, "time_unit", "us (default), ms or s" },
	[DEVICE] = { OPT_WORD, "d", "device_name_filter",
	             "keep devices whose name matches from its start" },
	[NODE] = { OPT_WORD, "n", "node_name_filter",
	           "keep nodes whose name matches from its start" },
	[OP_TYPE] = { OPT_WORD, "t", "op_type_filter",
	              "keep op types that match from their start" },
	[INIT_LINE] = { OPT_INT, NULL, "init_line", "the first line to print" },
	[STEP] = { OPT_WORD, NULL, "step", "the step, if not the current one" },
};

static const struct pos positionals[] = {
	{ "source_file_path",
	  "the source file; the end of its path is enough if only one file has it", false },
};

enum { BAR_TICKS = 10, BAR_WIDTH = 13, COUNT_WIDTH = 9, HEAD_ROWS = 2 };

/* A record that a line of the file made. */
struct line_record {
	uint32_t line;
	uint32_t lane_device;    /* id of the device's name */
	uint32_t name;
	int64_t op_us, exec_us;
};

/* What a line cost. */
struct line_cost {
	uint32_t line;
	int64_t op_us, exec_us;
	size_t nodes, execs;
};

struct page {
	const char *typed;               /* the path as typed: links repeat it */
	const char *path;                /* normalised; the recorded one, if that is absolute */
	const char *recorded;            /* as in the profile; NULL: it has no such file */
	const char *text;
	size_t len, n_lines;
	bool by_op;                      /* the cost is op time */
	enum time_unit unit;
	struct profile_filter *filter;   /* only while the page is put */
	VEC(struct line_cost) costs;     /* by line */
	int64_t max;                     /* of the costs */
};

static int64_t cost_of(const struct page *page, const struct line_cost *cost)
{
	return page->by_op ? cost->op_us : cost->exec_us;
}

/* Finding what the lines cost. */

static int by_line(const void *a, const void *b)
{
	const struct line_record *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->lane_device != y->lane_device)
		return x->lane_device < y->lane_device ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

static void add_up(const struct line_record *hits, size_t n, struct page *page)
{
	for (size_t i = 0; i < n; i++) {
		bool new_line = !i || hits[i].line != hits[i - 1].line;
		struct line_cost *cost;

		if (new_line)
			vec_push(&page->costs, ((struct line_cost){ .line = hits[i].line }));
		cost = vec_last(&page->costs);
		cost->op_us = saturated_sum(cost->op_us, hits[i].op_us);
		cost->exec_us = saturated_sum(cost->exec_us, hits[i].exec_us);
		cost->execs++;
		cost->nodes += new_line || by_line(&hits[i - 1], &hits[i]) != 0;
	}
	for (size_t i = 0; i < page->costs.len; i++)
		if (!i || cost_of(page, &page->costs.at[i]) > page->max)
			page->max = cost_of(page, &page->costs.at[i]);
}

/*
 * Is a recorded file the one at a normalised path? If it is relative, its directory is not known,
 * and it has to be the end of the path.
 */
static bool is_at(const char *file, const char *path, struct str *normal)
{
	path_normal(normal, "", file);
	return *file == '/' ? !strcmp(normal->text, path) : text_ends(path, normal->text);
}

/* Which of the sources are in the file. */
static bool *sources_in(const struct name_infos *infos, const char *path)
{
	bool *in = mem_alloc((infos->sources.len + 1) * sizeof *in);
	struct str normal = {0};

	for (size_t i = 0; i < infos->sources.len; i++)
		in[i] = *infos->sources.at[i].file &&
		        is_at(infos->sources.at[i].file, path, &normal);
	str_release(&normal);
	return in;
}

/* False when call->err is set. */
static bool find_costs(struct call *call, const struct step *step, const struct name_infos *infos,
                       struct page *page)
{
	bool *in = sources_in(infos, page->path);
	VEC(struct line_record) hits = {0};
	struct map devices = {0};

	for (size_t l = 0; l < step->lanes.len && !call->err.code; l++) {
		const struct lane *lane = &step->lanes.at[l];
		uint32_t device = map_add(&devices, call->mem, lane->device, strlen(lane->device));

		if (!profile_filter_device(call, page->filter, lane))
			continue;
		for (size_t i = lane->first; i < lane->first + lane->n && !call->err.code; i++) {
			const struct record *record = &step->records.at[i];
			struct record_times t;

			if (!in[infos->of_name.at[record->name].source]
			    || !profile_filter_record(call, page->filter, step, infos, record))
				continue;
			t = step_times(step, record);
			vec_push(&hits,
			         ((struct line_record){ name_info_source(infos, record->name)->line,
			                                device, record->name, record_op_us(&t),
			                                record_exec_us(&t) }));
		}
	}
	if (hits.len)
		qsort(hits.at, hits.len, sizeof *hits.at, by_line);
	add_up(hits.at, hits.len, page);
	vec_release(&hits);
	map_release(&devices);
	free(in);
	return !call->err.code;
}

/* The file. */

/* Finds the source that was typed, as a normalised path, for page; returns how many fit. */
static size_t find_path(const struct name_infos *infos, const char *typed, struct arena *mem,
                        struct page *page)
{
	struct str normal = {0}, end = {0};
	size_t fits = 0;

	path_normal(&end, "", typed);
	for (size_t i = 0; i < infos->sources.len; i++) {
		const char *file = infos->sources.at[i].file;

		if (!*file)
			continue;
		if (is_at(file, end.text, &normal)) {
			page->path = arena_copy(mem, end.text, end.len);
			page->recorded = file;
			fits = 1;
			break;
		}
		if (*typed == '/' || !text_ends(normal.text, end.text)
		    || (page->path && !strcmp(page->path, normal.text)))
			continue;
		page->path = arena_copy(mem, normal.text, normal.len);
		page->recorded = file;
		fits++;
	}
	if (!fits)
		page->path = arena_copy(mem, end.text, end.len);
	str_release(&normal);
	str_release(&end);
	return fits;
}

/* Lines. */

static const char *word_or_empty(const char *word)
{
	return word ? word : "";
}

static void put_nothing(struct call *call, const struct page *page)
{
	const struct profile_filter *f = page->filter;

	doc_line_put(call->out, ROLE_PLAIN,
	             "The source file %s does not contain any profile information for the "
	             "previous Session run under the following filters:",
	             call->args.pos[0]);
	doc_line_put(call->out, ROLE_PLAIN, "  --device_name_filter: %s", word_or_empty(f->device));
	doc_line_put(call->out, ROLE_PLAIN, "  --node_name_filter: %s", word_or_empty(f->node));
	doc_line_put(call->out, ROLE_PLAIN, "  --op_type_filter: %s", word_or_empty(f->op));
}

static int cost_width(const struct page *page)
{
	return (int)strlen(page->by_op ? "op_time" : "exec_time") + 3;
}

static void put_head(struct doc *doc, const struct page *page)
{
	int width = cost_width(page);

	doc_put(doc, ROLE_COST, "%*s%-*s%-*s", BAR_WIDTH, "", width,
	        page->by_op ? "op_time" : "exec_time", COUNT_WIDTH, "#nodes");
	doc_put(doc, ROLE_LINE_NUMBER, "lineno");
	doc_newline(doc);
	doc_put(doc, ROLE_COST, "%*s%-*s%*s", BAR_WIDTH + width, "", COUNT_WIDTH, "(#execs)",
	        source_number_width(page->n_lines), "");
	doc_put(doc, ROLE_STRONG, "source");
	doc_newline(doc);
}

static void put_bar(struct doc *doc, const struct page *page, int64_t cost)
{
	double part = ceil((double)cost / (double)page->max * BAR_TICKS);
	int ticks = part < 1 ? 1 : part > BAR_TICKS ? BAR_TICKS : (int)part;
	char bar[BAR_TICKS + 1];

	memset(bar, ' ', BAR_TICKS);
	memset(bar, '|', (size_t)ticks);
	bar[BAR_TICKS] = '\0';
	doc_put(doc, ROLE_COST, "[");
	doc_put(doc, ROLE_COST_BAR, "%s", bar);
	doc_put(doc, ROLE_COST, "]");
	doc_put(doc, ROLE_PLAIN, "%*s", BAR_WIDTH - BAR_TICKS - 2, "");
}

/* As Python's re.escape writes it since 3.7. */
static void put_escaped(struct str *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", *text))
			str_putc(out, '\\');
		str_putc(out, *text);
	}
}

static void put_counts(struct doc *doc, const struct page *page, const struct line_cost *cost)
{
	struct str text = {0}, regex = {0}, command = {0};

	str_fmt(&text, "%zu(%zu)", cost->nodes, cost->execs);
	put_escaped(&regex, page->typed);
	str_putc(&regex, '$');
	words_put_with(&command, "lp --file_path_filter", regex.text);
	str_release(&regex);
	str_fmt(&command, " --min_lineno %" PRIu32 " --max_lineno %" PRIu32, cost->line,
	        cost->line + 1);
	profile_filter_put(page->filter, &command);
	doc_link(doc, ROLE_COST, text.text, "%s", command.text);
	doc_put(doc, ROLE_PLAIN, "%*s",
	        COUNT_WIDTH > (int)text.len ? COUNT_WIDTH - (int)text.len : 0, "");
	str_release(&text);
	str_release(&command);
}

static void put_cost(struct doc *doc, const struct page *page, const struct line_cost *cost)
{
	struct str text = {0};
	int width = cost_width(page);

	put_bar(doc, page, cost_of(page, cost));
	put_unit_time(&text, cost_of(page, cost), page->unit);
	doc_put(doc, ROLE_COST, "%s", text.text);
	doc_put(doc, ROLE_PLAIN, "%*s", width > (int)text.len ? width - (int)text.len : 0, "");
	put_counts(doc, page, cost);
	str_release(&text);
}

static void put_lines(struct call *call, const struct page *page)
{
	struct doc *doc = call->out;
	const char *at = page->text, *end = at + page->len;
	int width = source_number_width(page->n_lines);
	size_t next = 0;

	put_head(doc, page);
	for (size_t i = 1; i <= page->n_lines; i++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;
		char number[24];

		while (next < page->costs.len && page->costs.at[next].line < i)
			next++;
		if (next < page->costs.len && page->costs.at[next].line == i)
			put_cost(doc, page, &page->costs.at[next]);
		else
			doc_put(doc, ROLE_PLAIN, "%*s", BAR_WIDTH + cost_width(page) + COUNT_WIDTH,
			        "");
		snprintf(number, sizeof number, " L%zu", i);
		doc_put(doc, ROLE_LINE_NUMBER, "%s", number);
		doc_put(doc, ROLE_PLAIN, "%*s",
		        width > (int)strlen(number) ? width - (int)strlen(number) : 0, "");
		source_put_text(call, at, (size_t)(line_end - at));
		doc_newline(doc);
		at = newline ? newline + 1 : end;
	}
}

/* Typed: line, text, and null or op_us, exec_us, nodes, execs. */

static void put_cost_data(const struct line_cost *cost, struct data *data)
{
	static const char *const keys[] = { "op_us", "exec_us", "nodes", "execs" };
	int64_t values[4] = {0};

	if (cost) {
		values[0] = cost->op_us;
		values[1] = cost->exec_us;
		values[2] = (int64_t)cost->nodes;
		values[3] = (int64_t)cost->execs;
	}
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		data_key(data, keys[i]);
		if (cost)
			data_int(data, values[i]);
		else
			data_null(data);
	}
}

static bool page_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct page *page = context;
	const char *at = page->text, *end = at + page->len;
	size_t next = 0;

	(void)progress, (void)err;
	data_list(data);
	for (size_t line = 1; line <= page->n_lines; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *line_end = newline ? newline : end;
		bool has_cost;

		while (next < page->costs.len && page->costs.at[next].line < line)
			next++;
		data_object(data);
		data_key(data, "line");
		data_uint(data, line);
		data_key(data, "text");
		data_text(data, at,
		          (size_t)(line_end - at) - (line_end > at && line_end[-1] == '\r'));
		has_cost = next < page->costs.len && page->costs.at[next].line == line;
		put_cost_data(has_cost ? &page->costs.at[next] : NULL, data);
		data_end(data);
		at = newline ? newline + 1 : end;
	}
	data_end(data);
	return true;
}

static bool no_rows(void *context, struct data *data, struct progress *progress, struct err *err)
{
	(void)context, (void)progress, (void)err;
	data_list(data);
	data_end(data);
	return true;
}

static void release_page(void *page)
{
	vec_release(&((struct page *)page)->costs);
}

/* Checks the options that can rule out an answer at once. */
static bool words_fit(struct call *call, struct page *page)
{
	const struct opt_value *cost = &call->args.opt[COST_TYPE], *unit = &call->args.opt[UNIT];

	page->by_op = cost->given && !strcmp(cost->word, "op_time");
	if (cost->given && !page->by_op && strcmp(cost->word, "exec_time") != 0) {
		call_syntax_error(call);
		return false;
	}
	return !unit->given || time_unit_parse(unit->word, &page->unit)
	       || err_at(&call->err, ERR_VALUE, "command", 0, "Invalid time unit: %s", unit->word);
}

static void put_advice(struct call *call, const struct page *page)
{
	struct str advice = {0};

	str_puts(&advice, "Add ");
	source_put_advice(page->path, page->recorded, &advice);
	call->advice = arena_copy(call->mem, advice.text, advice.len);
	str_release(&advice);
}

static void put_page(struct call *call, struct page *page)
{
	const struct opt_value *init = &call->args.opt[INIT_LINE];

	if (!source_text(call->shell, page->path, page->recorded, doc_mem(call->out), &page->text,
	                 &page->len)) {
		err_fill(&call->err, ERR_PATH, "command", 0,
		         "Source path neither exists nor can be loaded as a .par file: %s",
		         call->args.pos[0]);
		put_advice(call, page);
		return;
	}
	if (!page->max) {
		err_fill(&call->err, ERR_ZERO_DIVISION, "command", 0, "float division by zero");
		return;
	}
	page->n_lines = source_count_lines(page->text, page->len);
	put_lines(call, page);
	doc_typed(call->out, DATA_ROWS, page_put_data, page);
	if (init->given && init->number > 0 && (uint64_t)init->number <= page->n_lines)
		doc_scroll_to(call->out, (uint64_t)init->number + HEAD_ROWS - 1);
}

static void print(struct call *call, const struct step *step, const struct name_infos *infos,
                  struct page *page)
{
	size_t fits = find_path(infos, call->args.pos[0], doc_mem(call->out), page);

	if (fits > 1) {
		call_error(call, "ERROR: \"%s\" is the end of %zu paths.", call->args.pos[0], fits);
	} else if (find_costs(call, step, infos, page)) {
		if (page->costs.len) {
			put_page(call, page);
		} else {
			put_nothing(call, page);
			doc_typed(call->out, DATA_ROWS, no_rows, NULL);
		}
	}
}

static void ps_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct page *page = arena_alloc(doc_mem(call->out), sizeof *page);
	struct profile_filter filter = { .device = opt[DEVICE].word, .node = opt[NODE].word,
	                                 .op = opt[OP_TYPE].word };
	const struct name_infos *infos;
	struct step *step;

	doc_keep(call->out, release_page, page);
	page->filter = &filter;
	page->typed = call->args.pos[0];
	if (!words_fit(call, page))
		return;
	doc_set_of_step(call->out);
	step = need_step(call, opt[STEP].word);
	infos = step ? call_name_infos(call, step) : NULL;
	if (infos && profile_filter_open(call, &filter))
		print(call, step, infos, page);
	profile_filter_close(&filter);
	page->filter = NULL;
}

const struct cmd cmd_ps_profile = {
	.name = "print_source", .alias = "ps", .summary = "A source file, with what its lines cost",
	OPTS(options), .added = 1u << STEP, POSITIONALS(positionals), .names = LINK_SOURCE,
	.exec = ps_exec,
};
