/*
 * Stepping through runs. The options name the run to go to, or say how to search for it; the run is
 * then entered, and its first command answers. A command that goes nowhere has failed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/graph/source.h"
#include "cmds/lang/format.h"
#include "cmds/lang/words.h"
#include "cmds/runs/run_search.h"
#include "cmds/session/following.h"
#include "cmds/session/position.h"
#include "cmds/session/suggest.h"
#include "dump/base/clock.h"

enum {
	TIMES, NO_DEBUG, FILTER, EXCLUDE, NODE_NAME, OP_TYPE, DTYPE, PROFILE, BACK, TO, FIRST, LAST,
	BACKWARD, THROUGH_PARTIAL, TILL_PARTIAL, WAIT, SHOW,
};

/* tfdbg's, then ours. */
static const struct opt options[] = {
	[TIMES] = { OPT_INT, "t", "times", "how many runs to go on" },
	[NO_DEBUG] = { OPT_FLAG, "n", "no_debug", "don't read the run, only show run_info" },
	[FILTER] = { OPT_WORD, "f", "till_filter_pass",
	             "go on to the first run with a tensor that passes this filter" },
	[EXCLUDE] = { OPT_WORD, "fenn", "filter_exclude_node_names",
	              "with -f: skip nodes whose name matches" },
	[NODE_NAME] = { OPT_WORD, NULL, "node_name_filter",
	                "in that run, show only nodes whose name matches from its start" },
	[OP_TYPE] = { OPT_WORD, NULL, "op_type_filter",
	              "in that run, show only op types that match from their start" },
	[DTYPE] = { OPT_WORD, NULL, "tensor_dtype_filter",
	             "in that run, show only tensor types that match from their start" },
	[PROFILE] = { OPT_FLAG, "p", "profile",
	              "show the step statistics; other options are ignored" },
	[BACK] = { OPT_COUNT, "b", "back", "how many runs to go back; 1 if left out" },
	[TO] = { OPT_WORD, NULL, "to",
	         "go to this run: its number, the name of its directory, or how that begins" },
	[FIRST] = { OPT_FLAG, NULL, "first", "go to the first run" },
	[LAST] = { OPT_FLAG, NULL, "last", "go to the last run" },
	[BACKWARD] = { OPT_FLAG, NULL, "backward",
	               "with -f: search the runs before this one" },
	[THROUGH_PARTIAL] = { OPT_FLAG, NULL, "through-partial",
	                      "with -f: don't stop at a run that looks unfinished" },
	[TILL_PARTIAL] = { OPT_FLAG, NULL, "till-partial",
	                   "go on to the first run that looks unfinished" },
	[WAIT] = { OPT_COUNT, NULL, "wait",
	           "at the last run: wait for the next one, at most so many seconds" },
	[SHOW] = { OPT_WORD, NULL, "show", "in that run, show this tensor instead of the list" },
};

static bool given(const struct call *call, int option)
{
	return call->args.opt[option].given;
}

static const char *word_of(const struct call *call, int option)
{
	const char *word = call->args.opt[option].word;

	return given(call, option) && word && *word ? word : NULL;
}

static struct visible_words visible_words(const struct call *call)
{
	return (struct visible_words){ word_of(call, NODE_NAME), word_of(call, OP_TYPE),
	                               word_of(call, DTYPE) };
}

static size_t n_runs(const struct call *call)
{
	return call->shell->runs->list.len;
}

enum { LONGEST_WAIT = 10 * 365 * 24 * 3600 };    /* seconds; longer is without a limit */

/* How long to wait for runs that are still to come. */
struct waiting {
	bool may;                /* more runs may come */
	int64_t ms;              /* 0: no limit */
	int64_t until_ms;        /* by clock_ms; -1: no limit */
};

/* --wait begins to follow PATH, if it is not followed yet. */
static struct waiting waiting_of(struct call *call)
{
	struct waiting waiting = { .until_ms = -1 };

	if (given(call, WAIT) && !shell_follows(call->shell))
		shell_start_following(call->shell, false);
	waiting.may = shell_follows(call->shell)
	              && (call->shell->runs->is_root || runs_are_steps(call->shell->runs));
	if (given(call, WAIT) && call->args.opt[WAIT].word) {
		int64_t seconds = call->args.opt[WAIT].number;

		waiting.ms = seconds <= 0 ? 1 : seconds < LONGEST_WAIT ? seconds * 1000 : 0;
		waiting.until_ms = waiting.ms ? clock_ms() + waiting.ms : -1;
	}
	return waiting;
}

/* Answers that go nowhere. */

static void __attribute__((format(printf, 2, 3))) refuse(struct call *call, const char *fmt, ...)
{
	struct str text = {0};
	va_list args;

	va_start(args, fmt);
	str_vfmt(&text, fmt, args);
	va_end(args);
	doc_line_put(call->out, ROLE_PLAIN, "%s", text.text);
	str_release(&text);
	call->failed = true;
}

static void no_more_runs(struct call *call)
{
	const struct run_entry *last = runs_at(call->shell->runs, n_runs(call));

	refuse(call, "No more runs: #%zu of %zu (%s) is the last.%s", last->position, n_runs(call),
	       last->name,
	       n_runs(call) == 1
	               ? ""
	               : " \"run -b\" goes back; start with --follow to wait for new ones.");
}

static void no_earlier_runs(struct call *call)
{
	if (position_counts(call->shell) && !position_at(call->shell))
		refuse(call, "No earlier runs: this is before #1 of %zu.", n_runs(call));
	else
		refuse(call, "No earlier runs: #1 of %zu (%s) is the first.", n_runs(call),
		       runs_at(call->shell->runs, 1)->name);
}

/* What the typed answer says. */
struct told {
	size_t from, to;
	bool has_steps;          /* of arrays: */
	int64_t step;            /* the program's own number of `to`; -1: not known */
	bool moved, searched;
	uint64_t runs, tensors, bytes, unreadable;
	const char *filter;      /* NULL: none */
	bool hit;
	const char *tensor;
	uint64_t n_hits;
};

static void put_run(const struct told *told, struct data *data)
{
	data_uint(data, told->to);
	if (!told->has_steps)
		return;
	data_key(data, "step");
	data_int_or_null(data, told->step);
}

static void put_hit(const struct told *told, struct data *data)
{
	data_key(data, "hit");
	if (!told->hit) {
		data_null(data);
		return;
	}
	data_object(data);
	data_key(data, "run");
	put_run(told, data);
	data_key(data, "tensor");
	data_str(data, told->tensor);
	data_key(data, "tensors");
	data_uint(data, told->n_hits);
	data_end(data);
}

static bool told_put_data(void *context, struct data *data, struct progress *progress,
                          struct err *err)
{
	const struct told *told = context;

	(void)progress, (void)err;
	data_object(data);
	data_key(data, "from");
	data_uint(data, told->from);
	data_key(data, "to");
	put_run(told, data);
	data_key(data, "moved");
	data_bool(data, told->moved);
	data_key(data, "tested_runs");
	data_uint(data, told->runs);
	data_key(data, "tested_tensors");
	data_uint(data, told->tensors);
	data_key(data, "bytes");
	data_uint(data, told->bytes);
	data_key(data, "unreadable");
	data_uint(data, told->unreadable);
	data_key(data, "filter");
	data_str(data, told->filter);
	put_hit(told, data);
	data_end(data);
	return true;
}

static void tell(struct call *call, const struct told *told)
{
	const struct run_entry *at = position_at(call->shell);
	struct arena *mem = doc_mem(call->out);
	struct told *kept = arena_alloc(mem, sizeof *kept);

	*kept = *told;
	kept->to = position_number(call->shell);
	kept->has_steps = call->shell->runs->of_arrays;
	kept->step = at ? at->step : -1;
	kept->moved = kept->to != kept->from;
	kept->filter = told->filter ? arena_copy(mem, told->filter, strlen(told->filter)) : NULL;
	kept->tensor = told->tensor ? arena_copy(mem, told->tensor, strlen(told->tensor)) : NULL;
	doc_typed(call->out, DATA_VALUE, told_put_data, kept);
	if (told->searched)
		doc_typed_failure(call->out);
	call->moved |= kept->moved;
}

/* Waiting, in a root that is followed. */

/*
 * Waits for news of "run #8": on a screen the command line is then run again, elsewhere this
 * sleeps. False: the time is up.
 */
static bool await_news(struct call *call, size_t position, const struct waiting *waiting)
{
	if (call->on_screen) {
		str_fmt(call->waits, "run #%zu", position);
		call->wait_ms = waiting->ms;
		return false;
	}
	if (call_await_news(call, waiting->until_ms))
		return true;
	if (progress_cancelled(call->progress))
		refuse(call, "Stopped waiting for run #%zu.", position);
	else
		refuse(call, "No new run came within %" PRId64 " s.", waiting->ms / 1000);
	return false;
}

/*
 * The run at this position, once there is something to see: core metadata, a tensor or a later run.
 * Without a screen, which would show more as it comes, also waits until the run is quiet. NULL: not
 * now.
 */
static struct run_entry *await_run(struct call *call, size_t position,
                                   const struct waiting *waiting)
{
	struct runs *runs = call->shell->runs;

	for (;;) {
		struct run_entry *entry = runs_at(runs, position);
		struct err err = {0};
		const struct run_info *info;

		if (!shell_follows(call->shell) || position < runs->list.len)
			return entry;
		info = entry ? runs_info(runs, entry, RUN_WHOLE, call->progress, &err) : NULL;
		if (entry && (!info || info->gone))
			return entry;
		if (info && (info->n_metadata || info->tensors) &&
		    (call->on_screen || !runs_settles_ms(runs, entry, info)))
			return entry;
		if (!await_news(call, position, waiting))
			return NULL;
	}
}

/* Arriving. */

/* Hides the tensors that the options leave out, or shows all again. */
static bool hide(struct call *call)
{
	struct visible_words words = visible_words(call);
	struct visit *visit = call->shell->visit;
	struct visible *visible;
	bool ok = true;

	if (!visible_new(&words, &visible, &call->err))
		return false;
	if (visible) {
		free(visit->hidden);
		visit->hidden = visible_hide(visible, visit->run, visit_ops(visit),
		                             &visit->n_hidden, &call->err);
		ok = visit->hidden;
	}
	visible_free(visible);
	return ok;
}

static bool enter(struct call *call, struct run_entry *entry)
{
	struct err err = {0};

	if (!entry) {
		position_leave(call->shell);
	} else if (given(call, NO_DEBUG)) {
		position_enter_unread(call->shell, entry);
	} else if (!position_enter(call->shell, entry, call->progress, &err)) {
		call_not_entered(call, entry, &err);
		return false;
	}
	return true;
}

/* Says what could not be read of the run that was entered; entry NULL: none was. */
static void tell_unread(struct call *call, struct run_entry *entry)
{
	if (entry)
		call_unread(call, entry, run_entry_info(entry, RUN_WHOLE));
}

/* What answers in the run. */
static void put_first(struct call *call)
{
	const char *tensor = word_of(call, SHOW);
	struct str line = {0};

	if (given(call, NO_DEBUG))
		str_puts(&line, "run_info");
	else if (tensor && call->shell->visit)
		words_put_with(&line, "pt", tensor);
	else
		str_puts(&line, position_first_command(call->shell));
	call_line(call, line.text);
	str_release(&line);
}

static void go(struct call *call, struct run_entry *entry)
{
	struct told told = { .from = position_number(call->shell) };
	struct visible_words words = visible_words(call);
	struct visible *check;

	if (!visible_new(&words, &check, &call->err))
		return;
	visible_free(check);
	if (!enter(call, entry) || (call->shell->visit && !hide(call)))
		return;
	put_first(call);
	tell_unread(call, position_at(call->shell));
	tell(call, &told);
}

/* Steps of N runs, both ways. */

static void step_on(struct call *call)
{
	int64_t times = given(call, TIMES) && !given(call, NO_DEBUG) ? call->args.opt[TIMES].number
	                                                             : 1;
	struct waiting waiting = waiting_of(call);
	size_t at = position_number(call->shell), left = n_runs(call) - at;
	struct run_entry *entry;
	struct str last = {0};

	times = times < 1 ? 1 : times;
	if (!waiting.may && !left) {
		no_more_runs(call);
	} else if (!waiting.may && (uint64_t)times > left) {
		put_run_number(&last, runs_at(call->shell->runs, n_runs(call)));
		refuse(call, "Only %zu more run%s; \"run --last\" goes to #%s.", left,
		       plural(left), last.text);
	} else {
		entry = await_run(call, at + (size_t)times, &waiting);
		if (entry)
			go(call, entry);
	}
	str_release(&last);
}

static void step_back(struct call *call, int64_t times)
{
	size_t at = position_number(call->shell);

	if (!position_counts(call->shell) || !at || times < 1)
		no_earlier_runs(call);
	else
		go(call, (uint64_t)times >= at
		                 ? NULL
		                 : runs_at(call->shell->runs, at - (size_t)times));
}

static void step_to(struct call *call, const char *word)
{
	struct run_entry *entry;
	struct err err = {0};

	if (!position_find(call->shell, word, &entry, &err))
		call_error(call, "%s", err.msg);
	else if (!entry && !position_counts(call->shell))
		no_earlier_runs(call);
	else
		go(call, entry);
}

/* Searches. */

/* "run #7", "runs #2-#7", "runs #2 (step 20)-#7 (step 70)" */
static void put_range(const struct runs *runs, struct str *out, size_t from, size_t to)
{
	str_puts(out, from == to ? "run #" : "runs #");
	put_run_number(out, runs_at(runs, from < to ? from : to));
	if (from == to)
		return;
	str_puts(out, "-#");
	put_run_number(out, runs_at(runs, from < to ? to : from));
}

static void put_number(struct str *out, uint64_t n, const char *what)
{
	str_fmt(out, "%" PRIu64 " %s%s", n, what, plural(n));
}

static void put_found_nothing(struct call *call, const struct run_search *search,
                              const struct search_result *result)
{
	struct str text = {0};

	if (search->filter)
		str_fmt(&text, "No tensor passed %s in ", word_of(call, FILTER));
	else
		str_puts(&text, "No run looks unfinished in ");
	put_range(call->shell->runs, &text, search->from,
	          result->last ? result->last->position : search->from);
	str_puts(&text, " (");
	put_number(&text, result->runs, "run");
	if (search->filter) {
		str_puts(&text, ", ");
		put_number(&text, result->tensors, "tensor");
		str_fmt(&text, ", %" PRIu64 " unreadable", result->unreadable);
	}
	str_puts(&text, ").");
	refuse(call, "%s%s", result->cancelled ? "Stopped. " : "", text.text);
	str_release(&text);
}

/* Runs that could not be tested in full, one a line. */
static void put_troubles(struct call *call, const struct search_result *result)
{
	struct str text = {0};

	for (size_t i = 0; i < result->troubles.len; i++) {
		const struct run_trouble *t = &result->troubles.at[i];
		bool is_shown = result->stop && result->stop == t->entry;

		if (is_shown && !t->unreadable)
			continue;
		if (t->broken)
			call->status = 1;
		str_reset(&text);
		search_put_trouble(&text, t);
		if (!is_shown)
			doc_line_put(call->out, ROLE_PLAIN, "%s.", text.text);
		doc_warn(call->out, "%s", text.text);
	}
	str_release(&text);
}

/* Enters the run at which the search stopped; it is loaded already. */
static void stop_there(struct call *call, const struct run_search *search,
                       struct search_result *result)
{
	struct shell *shell = call->shell;
	struct str line = {0};
	bool is_new = position_enter_loaded(shell, result->stop, result->run);

	result->run = NULL;
	if (!hide(call))
		return;
	if (!result->hit) {
		call_line(call, position_first_command(shell));
		if (search->filter) {
			str_puts(call->error, "run #");
			put_run_number(call->error, result->stop);
			str_puts(call->error, " looks unfinished: --through-partial goes on");
			doc_warn(call->out, "%s", call->error->text);
			call->failed = true;
		}
		return;
	}
	shell->visit->stopped_here = true;
	if (is_new) {            /* else it may have other tensors by now */
		memcpy(visit_verdicts(shell->visit, search->filter), result->verdicts,
		       shell->run->tensors.len);
		visit_learn_health(shell->visit, search->filter);
	}
	str_fmt(&line, "lt -f %s", word_of(call, FILTER));
	if (search->exclude) {
		words_put_with(&line, " --filter_exclude_node_names", search->exclude);
	}
	call_line(call, line.text);
	str_release(&line);
}

/* False if nothing was found, and nothing was said, as more runs may come. */
static bool search_runs(struct call *call, struct run_search *search, bool more_may_come)
{
	struct told told = { .from = position_number(call->shell), .searched = true,
	                     .filter = word_of(call, FILTER) };
	struct search_result result;
	struct err err = {0};

	if (!run_search(call->shell, search, call->progress, &result, &call->err)) {
		search_result_release(&result);
		return true;
	}
	if (more_may_come && !result.stop && !result.cancelled) {
		search_result_release(&result);
		return false;
	}
	told.runs = result.runs;
	told.tensors = result.tensors;
	told.bytes = result.bytes;
	told.unreadable = result.unreadable;
	if (result.stop) {
		told.hit = result.hit;
		told.tensor = result.first.first;
		told.n_hits = result.first.tensors;
		stop_there(call, search, &result);
	} else {
		if (result.cancelled && result.last)
			position_enter(call->shell, result.last, NULL, &err);
		put_found_nothing(call, search, &result);
	}
	put_troubles(call, &result);
	tell_unread(call, result.stop);
	if (!call->err.code)
		tell(call, &told);
	search_result_release(&result);
	return true;
}

/* The runs to look at; false: there are none, and the answer says so. */
static bool find_range(struct call *call, struct run_search *search)
{
	size_t at = position_number(call->shell), skip = 1;

	if (given(call, BACKWARD)) {
		search->from = at - 1;
		search->to = 1;
		if (at < 2)
			no_earlier_runs(call);
		return at >= 2;
	}
	if (given(call, TIMES) && call->args.opt[TIMES].number > 1) {
		uint64_t times = (uint64_t)call->args.opt[TIMES].number;

		skip = times < n_runs(call) ? (size_t)times : n_runs(call);
	}
	search->from = at + skip;
	search->to = n_runs(call);
	if (search->from > search->to)
		no_more_runs(call);
	return search->from <= search->to;
}

static void till(struct call *call, const struct named_filter *filter)
{
	struct run_search search = { .filter = filter, .exclude = word_of(call, EXCLUDE),
	                             .visible = visible_words(call) };

	struct waiting waiting = waiting_of(call);
	size_t from = position_number(call->shell);

	search.through_partial = filter && given(call, THROUGH_PARTIAL);
	if (filter)
		hits_note_filter(call->shell->hits, filter->name, filter->id);
	waiting.may = waiting.may && !given(call, BACKWARD);
	while (waiting.may && from == n_runs(call))
		if (!await_news(call, from + 1, &waiting))
			return;
	if (!find_range(call, &search))
		return;
	while (!search_runs(call, &search, waiting.may) &&
	       await_news(call, n_runs(call) + 1, &waiting))
		search.to = n_runs(call);
}

/* -f, and the options that exclude it. */
static void till_filter(struct call *call)
{
	const char *name = call->args.opt[FILTER].word;
	const struct named_filter *filter = filters_find(&call->shell->filters, name);

	if (given(call, NO_DEBUG)) {
		call_error(call, "ERROR: run -f reads tensors, -n does not: use one of them.");
	} else if (!filter) {
		call_error(call, "ERROR: tensor filter \"%s\" does not exist.", name);
		suggest_filter(call, name);
	} else {
		till(call, filter);
	}
}

static void run_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;

	if (given(call, PROFILE) && call->shell->profile && call->shell->profile->steps.len) {
		call->shell->profiling = true;
		call_line(call, "lp");
	} else if (given(call, PROFILE)) {
		refuse(call, shell_has_arrays(call->shell)
		             ? "No step statistics here: these are arrays."
		             : "No step statistics in this dump. TensorFlow does not write them; "
		               "see \"help metadata\".");
	} else if (word_of(call, EXCLUDE) && !given(call, FILTER)) {
		err_fill(&call->err, ERR_VALUE, "command", 0,
		         "The --filter_exclude_node_names (or -feon) flag is valid only "
		         "if the --till_filter_pass (or -f) flag is used.");
	} else if (!call->shell->runs) {
		refuse(call, "There are no runs.");
	} else if (given(call, FILTER)) {
		till_filter(call);
	} else if (given(call, TILL_PARTIAL)) {
		till(call, NULL);
	} else if (given(call, BACK)) {
		step_back(call, opt[BACK].number);
	} else if (given(call, TO)) {
		step_to(call, opt[TO].word);
	} else if (given(call, FIRST) || given(call, LAST)) {
		go(call, runs_at(call->shell->runs, given(call, FIRST) ? 1 : n_runs(call)));
	} else {
		step_on(call);
	}
}

const struct cmd cmd_run = {
	.name = "run", .alias = "r",
	.summary = "Go to another run: the next one, or as the options say",
	OPTS(options), .added = 1u << BACK | 1u << TO | 1u << FIRST | 1u << LAST | 1u << BACKWARD |
	                          1u << THROUGH_PARTIAL | 1u << TILL_PARTIAL | 1u << WAIT,
	.runless = true, .exec = run_exec,
};
