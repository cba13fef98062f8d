#include <inttypes.h>
#include <string.h>

#include "cmds/array/slice.h"
#include "cmds/doc/menu.h"
#include "cmds/doc/table.h"
#include "cmds/lang/pattern.h"
#include "cmds/lang/python.h"
#include "cmds/lang/words.h"
#include "cmds/runs/diff.h"
#include "cmds/session/position.h"
#include "cmds/tensor/request.h"
#include "dump/base/mount.h"

enum { RUN, ATOL, RTOL, NAN_DIFFERS, SORT_BY, REVERSE, ALL, NODE_NAME, EXIT_CODE, DUMP, COLUMN,
       DEVICE, OWN,                       /* what follows only for runs, or for programs */
       MAP = OWN, BY_ORDER, TRANSPOSE, CLOSE, GRAPH = OWN, TRACE, STEP };

enum { MAP_WARNINGS = 3 };             /* of lines, one by one */

#define COMMON_OPTIONS \
	[ATOL] = { OPT_WORD, NULL, "atol", "equal if |new - old| <= atol + rtol * |old| (0)" }, \
	[RTOL] = { OPT_WORD, NULL, "rtol", "the share of |old| in that (0)" }, \
	[NAN_DIFFERS] = { OPT_FLAG, NULL, "nan-differs", "NaN differs from NaN" }, \
	[SORT_BY] = SORT_OPT("a column: status, tensor, n_diff, max_abs ... (time)", false), \
	[REVERSE] = REVERSE_OPT(false), \
	[ALL] = { OPT_FLAG, NULL, "all", "also list tensors that do not differ" }, \
	[NODE_NAME] = { OPT_WORD, "n", "node_name_filter", \
	                "list nodes whose name matches from its start" }, \
	[EXIT_CODE] = { OPT_FLAG, NULL, "exit-code", \
	                "in batch mode exit with 1 if anything differs, else with 3 if not all " \
	                "could be compared" }, \
	[DUMP] = { OPT_INT, NULL, "dump", \
	           "which dump, from 0, when the tensor was dumped several times" }, \
	[COLUMN] = { OPT_INT, "c", "column", "the first column of a tensor to show" }, \
	[DEVICE] = DEVICE_OPT

static const struct opt options[] = {
	[RUN] = { OPT_WORD, NULL, "run", "the other run, when a tensor has the same name" },
	COMMON_OPTIONS,
	[MAP] = { OPT_WORD, NULL, "map",
	          "arrays: a file of lines with a new name and the old one" },
	[BY_ORDER] = { OPT_FLAG, NULL, "by-order",
	               "arrays: pair the rest in order" },
	[TRANSPOSE] = { OPT_FLAG, NULL, "transpose",
	                "compare arrays whose axes are in another order (NCHW, NHWC), too" },
	[CLOSE] = { OPT_FLAG, NULL, "close",
	            "equal within the tolerance of the element type" },
	LIMIT_OPT(true), SKIP_OPT(true), COLUMNS_OPT
};

static const struct opt program_options[] = {
	[RUN] = { OPT_WORD, NULL, "against", "the other step, by its number" },
	COMMON_OPTIONS,
	[GRAPH] = GRAPH_OPT,
	[TRACE] = TRACE_OPT,
	[STEP] = STEP_OPT,
	LIMIT_OPT(true), SKIP_OPT(true), COLUMNS_OPT
};

static const struct pos positionals[] = {
	{ "tensor_or_run", "a tensor of this run, maybe with a slice; or the run to compare "
	  "with", true },
	{ "run", "the other run: position, name, beginning of a name, or path (the one before)",
	  true },
};

static const struct pos program_positionals[] = {
	{ "tensor_or_step", "a tensor of this step, maybe with a slice; or the step to "
	  "compare with", true },
	{ "step", "the other step, by its number (the one before of the same function or op)",
	  true },
};

/* Does the word name a tensor, or at least a node, of this run? */
static bool names_tensor(struct call *call, const char *word)
{
	const struct run *run = call->shell->run;
	const char *tensor, *slice;
	struct node_pick pick;
	struct node_ref ref;
	bool ok;

	slice_cut(word, call->mem, &tensor, &slice);
	if (is_of_several(run, tensor))
		return true;
	ok = pick_read(call, tensor, NULL, &pick);
	call->err.code = ERR_NONE;
	return ok && (run_node_id(run, pick.node, strlen(pick.node)) != MAP_NONE ||
	              run_find_node(run, pick.node, strlen(pick.node), pick.device, &ref, 1));
}

static bool read_number(struct call *call, int option, double *out)
{
	const struct opt_value *value = &call->args.opt[option];

	*out = 0;
	if (!value->given)
		return true;
	if (!python_float_read(value->word, strlen(value->word), 0, out, &call->err))
		return false;
	if (*out >= 0)
		return true;
	call_error(call, "ERROR: --%s is no negative number and no NaN.",
	           call->cmd->opts[option].name);
	return false;
}

static bool read_tolerance(struct call *call, struct tolerance *out)
{
	*out = (struct tolerance){ .nan_differs = call->args.opt[NAN_DIFFERS].given };
	out->by_type = !call->shell->program && call->args.opt[CLOSE].given;
	if (out->by_type && (call->args.opt[ATOL].given || call->args.opt[RTOL].given)) {
		call_error(call, "ERROR: --close excludes --atol and --rtol.");
		return false;
	}
	return read_number(call, ATOL, &out->atol) && read_number(call, RTOL, &out->rtol);
}

static void close_value(void *value)
{
	value_close(value);
}

/* Two runs. */

/* Does the name of its node match? */
static bool is_named(const struct diff_list *list, const struct diff_pair *pair,
                     struct pattern *pattern)
{
	const struct run *run = pair->now != DIFF_NONE ? list->diff->now : list->diff->before;
	struct str name = {0};
	size_t len;
	bool hit;

	list->kind->put_name(list, pair, &name);
	len = run && run->op_type ? name.len : (size_t)(strrchr(name.text, ':') - name.text);
	name.text[len] = '\0';
	hit = pattern_hits(pattern, name.text, len, 0, NULL, NULL);
	str_release(&name);
	return hit;
}

/* --all and -n. */
static bool take_rows(struct call *call, const struct diff_rows *rows, struct diff_list *list)
{
	const char *regex = rows->node_regex;
	struct pattern *pattern = NULL;
	bool ok;

	if (regex && *regex) {
		pattern = pattern_new(regex, PATTERN_MATCH, false, &call->err);
		if (!pattern)
			return false;
	}
	for (uint32_t i = 0; i < list->diff->pairs.len; i++) {
		const struct diff_pair *pair = &list->diff->pairs.at[i];

		if (pair->status == DIFF_SAME && !rows->all)
			continue;
		if (!pattern || is_named(list, pair, pattern))
			vec_push(&list->rows, i);
	}
	ok = !pattern || !pattern_gave_up(pattern);
	pattern_free(pattern);
	return ok || pattern_too_long(NULL, &call->err);
}

static void put_by_health(struct call *call, const struct diff_list *list)
{
	struct str modes = {0};

	if (!list->n_by_health)
		return;
	put_modes(call->shell->program, &modes);
	doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " compared by what is known without values "
	             "%s", list->n_by_health, modes.text);
	str_release(&modes);
}

/* Never silently: a shape may be turned for other reasons than its order of axes. */
static void put_turned(struct call *call, const struct diff_list *list)
{
	uint64_t n = list->diff->n_turned;

	if (!n)
		return;
	if (list->transposed)
		doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " with axes in another order: the "
		             "old one was turned to compare %s", n, n == 1 ? "it" : "them");
	else
		doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " with the shape of the old one's "
		             "axes in another order (NCHW, NHWC): --transpose compares %s", n,
		             n == 1 ? "it" : "them");
}

/* That numbers agree does not mean that elements do. */
static void put_by_numbers(struct call *call, const struct diff_list *list)
{
	uint64_t n = list->diff->n_by_numbers;

	if (n)
		doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " compared by the numbers in a "
		             "summary: counts, ends, mean, deviation, powers of two", n);
}

static void put_head(struct call *call, const struct diff_list *list)
{
	const struct tolerance *t = &list->tolerance;
	const char *regex = call->args.opt[NODE_NAME].word;

	doc_put(call->out, ROLE_PLAIN, "%s against %s: %zu tensor(s)", list->new_name,
	        list->old.name, list->diff->pairs.len);
	for (enum diff_status s = 0; s < N_DIFF_STATUSES; s++)
		if (list->diff->count[s])
			doc_put(call->out, ROLE_PLAIN, ", %llu %s",
			        (unsigned long long)list->diff->count[s],
			        list->kind->statuses[s]);
	doc_newline(call->out);
	if (list->note)
		doc_line_put(call->out, ROLE_PLAIN, "%s", list->note);
	put_by_health(call, list);
	put_turned(call, list);
	put_by_numbers(call, list);
	if (list->diff->n_left_out)
		doc_line_put(call->out, ROLE_PLAIN, "%" PRIu64 " left out, as the map says",
		             list->diff->n_left_out);
	if (t->by_type)
		doc_line_put(call->out, ROLE_PLAIN, "Equal up to what the type allows: float32 "
		             "1e-05 + 1.3e-06 * |old|, float16 1e-05 + 0.001 * |old|...");
	if (t->atol > 0 || t->rtol > 0)
		doc_line_put(call->out, ROLE_PLAIN, "Equal up to %g + %g * |old|", t->atol,
		             t->rtol);
	if (t->nan_differs)
		doc_line_put(call->out, ROLE_PLAIN, "NaN differs from NaN");
	if (regex && *regex)
		doc_line_put(call->out, ROLE_PLAIN, "Node name regex filter: \"%s\"", regex);
	if (list->diff->count[DIFF_SAME] < list->diff->pairs.len)
		diff_put_first(list, call->out);
	diff_list_put_common(list, call->out);
	doc_newline(call->out);
}

/* The command that headings link to, to which they add a column to sort by. */
static void put_base(const struct call *call, struct str *out)
{
	str_puts(out, "diff");
	if (call->args.pos[0])
		words_put_with(out, "", call->args.pos[0]);
	for (size_t i = 0; i < call->cmd->n_opts; i++) {
		const struct opt_value *value = &call->args.opt[i];

		if (!value->given || i == SORT_BY || i == REVERSE)
			continue;
		str_fmt(out, " --%s", call->cmd->opts[i].name);
		if (call->cmd->opts[i].kind == OPT_WORD)
			words_put_with(out, "", value->word);
		else if (call->cmd->opts[i].kind == OPT_INT)
			str_fmt(out, " %" PRId64, value->number);
	}
}

static void put_problems(struct call *call, const struct run_diff *diff)
{
	struct str text = {0};

	for (size_t i = 0; i < diff->problems.len; i++) {
		const struct err *err = &diff->problems.at[i];

		str_reset(&text);
		err_put(&text, err->src, err);
		doc_line_put(call->out, ROLE_ERROR, "ERROR: %s", text.text);
		doc_warn(call->out, "%s", text.text);
	}
	str_release(&text);
}

static bool put_list(struct call *call, struct diff_list *list)
{
	struct table *table = list->table;
	struct str base = {0};

	table->n_rows = list->rows.len;
	table->sorted = call->args.opt[SORT_BY].word;
	table->reverse = call->args.opt[REVERSE].given;
	if (!table_arrange(call, table))
		return false;
	diff_list_measure(list, call->cols);
	put_head(call, list);
	put_base(call, &base);
	diff_list_put(call, list, base.text);
	str_release(&base);
	put_problems(call, list->diff);
	if (!list->kind->of_program)
		menu_put(call->out, NULL, MENU_NONE);
	return true;
}

bool diff_list_answer(struct call *call, struct diff_list *list, const struct diff_rows *rows)
{
	return take_rows(call, rows, list) &&
	       (list->kind->of_program ||
	        divergences_find(list->diff, &list->divergences, call->progress, &call->err)) &&
	       put_list(call, list);
}

/* How arrays are paired. */
static bool read_pairing(struct call *call, struct pairing *out)
{
	const struct opt_value *opt = call->args.opt;

	*out = (struct pairing){ .by_order = opt[BY_ORDER].given,
		                 .transpose = opt[TRANSPOSE].given };
	if (!opt[MAP].given || pairing_read_map(out, opt[MAP].word, &call->err))
		return true;
	pairing_release(out);
	if (call->err.code != ERR_SYNTAX)
		return false;
	call_error(call, "ERROR: %s: %s", opt[MAP].word, call->err.msg);
	call->err = (struct err){0};
	return false;
}

static void warn_of_line(struct call *call, const char *map, const struct mapped_name *name,
                         struct missing_names missing)
{
	struct str text = {0};

	str_fmt(&text, "%s, line %" PRIu64 ":", map, name->line);
	if (missing.now)
		str_fmt(&text, " the new one has no \"%s\"", name->now);
	if (missing.before)
		str_fmt(&text, "%s the old one %s\"%s\"", missing.now ? "," : "",
		        missing.now ? "no " : "has no ", name->before);
	call_warn(call, text.text);
	str_release(&text);
}

/* Lines of the map with names that are not there: of many the first ones. */
static void warn_of_map(struct call *call, const struct pairing *pairing, const struct run *old)
{
	const char *map = call->args.opt[MAP].word;
	struct str more = {0};
	size_t n = 0;

	for (size_t i = 0; i < pairing->map.len; i++) {
		const struct mapped_name *name = &pairing->map.at[i];
		struct missing_names missing = pairing_missing(name, call->shell->run, old);

		if ((missing.now || missing.before) && n++ < MAP_WARNINGS)
			warn_of_line(call, map, name, missing);
	}
	if (n <= MAP_WARNINGS)
		return;
	n -= MAP_WARNINGS;
	str_fmt(&more, "%s: %zu more line%s what is not there", map, n,
	        n == 1 ? " that names" : "s that name");
	call_warn(call, more.text);
	str_release(&more);
}

/* These options again, for the links of a list. */
static const char *how_words(struct call *call)
{
	struct str out = {0};
	const char *kept;

	for (int i = MAP; i <= CLOSE; i++) {
		if (!call->args.opt[i].given)
			continue;
		str_fmt(&out, " --%s", call->cmd->opts[i].name);
		if (i == MAP)
			words_put_with(&out, "", call->args.opt[i].word);
	}
	kept = arena_copy(doc_mem(call->out), str_text(&out), out.len);
	str_release(&out);
	return kept;
}

/* Says which files and directories of the two runs can't be read. Returns false if all can. */
static bool warn_of_unread(struct call *call, const struct other_run *old)
{
	const struct run *runs[] = { call->shell->run, old->run };
	struct str text = {0};
	bool any = false;

	call_note_unread(call);
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < runs[i]->problems.len; k++) {
			const struct problem *problem = &runs[i]->problems.at[k];

			if (!problem->unread)
				continue;
			any = true;
			if (i == 0)
				continue;
			str_reset(&text);
			str_fmt(&text, "%s%s", strchr(old->word, '/') ? old->word : old->name,
			        *problem->file ? mount_between(old->run->path) : "");
			put_unread(&text, NULL, problem);
			call_fault(call, text.text);
		}
	}
	str_release(&text);
	return any;
}

static bool diff_runs(struct call *call, const struct other_run *old,
                      const struct tolerance *tolerance, const struct diff_rows *rows,
                      struct diff_found *found)
{
	struct pairing pairing = {0};
	struct run_diff *diff;
	struct diff_list *list;

	if (call->progress)
		atomic_store(&call->progress->what, "tensors");
	if (!read_pairing(call, &pairing))
		return false;
	diff = run_diff_new(call->shell->run, old->run, tolerance, &pairing, call->progress,
	                    &call->err);
	if (diff)
		warn_of_map(call, &pairing, old->run);
	pairing_release(&pairing);
	if (!diff)
		return false;
	list = diff_list_new(call->out, diff);
	list->how = how_words(call);
	list->transposed = call->args.opt[TRANSPOSE].given;
	list->tolerance = *tolerance;
	list->old = *old;
	list->new_name = this_run_name(call);
	found->differs = diff->count[DIFF_SAME] + diff->count[DIFF_UNREADABLE] < diff->pairs.len;
	found->unjudged = warn_of_unread(call, old) || diff->count[DIFF_UNREADABLE] ||
	                  !diff->now->tensors.len || !diff->before->tensors.len;
	return diff_list_answer(call, list, rows);
}

/* The tensor's value in the old run; false: the answer is that it can't be read. */
static bool open_before(struct call *call, const struct tensor *tensor,
                        const struct other_run *old, struct value **before)
{
	const struct run *run = call->shell->run;
	struct pairing pairing;
	uint32_t partner;
	struct err err = {0};

	*before = NULL;
	if (!read_pairing(call, &pairing))
		return false;
	partner = run_diff_partner(run, (uint32_t)(tensor - run->tensors.at), old->run, &pairing);
	pairing_release(&pairing);
	if (partner == DIFF_NONE && !run_diff_is_hidden(old->run, run, tensor))
		return true;
	if (partner == DIFF_NONE) {
		warn_of_unread(call, old);
		call_error(call, "ERROR: %s may have \"%s\" in a file or directory that can't be "
		           "read.", old->name, tensor->node);
		return false;
	}
	*before = run_value(old->run, &old->run->tensors.at[partner], &err);
	if (!*before)
		return diff_put_unreadable(call, &err);
	doc_keep(call->out, close_value, *before);
	return true;
}

static bool diff_dump(struct call *call, const char *word, const struct other_run *old,
                      const struct diff_options *how, struct diff_found *found)
{
	const struct opt_value *opt = call->args.opt;
	struct tensor_words words = { .word = word, .number = &opt[DUMP], .device = &opt[DEVICE] };
	struct diff_names names = { this_run_name(call), old->name };
	struct value *now, *before;
	struct request req;

	if (!request_find(call, &words, &req))
		return false;
	now = request_open(call, &req);
	if (!now)
		return false;
	if (open_before(call, req.tensor, old, &before))
		return diff_tensor(call, &req, now, before, &names, how, found);
	value_close(now);
	return false;
}

/* Which word is the tensor, and which the run; NULL: not given. */
static bool sort_words(struct call *call, const char **tensor, const char **run)
{
	const struct args *args = &call->args;

	*tensor = args->pos[0];
	*run = args->opt[RUN].given ? args->opt[RUN].word : args->pos[1];
	if (args->opt[RUN].given && args->pos[1]) {
		call_error(call, "ERROR: The other run is given twice: \"%s\" and \"%s\".",
		           args->pos[1], args->opt[RUN].word);
		return false;
	}
	if (*tensor && !*run && !names_tensor(call, *tensor)) {
		*run = *tensor;
		*tensor = NULL;
	}
	return true;
}

static void diff_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct diff_options how = { .column = &opt[COLUMN] };
	struct diff_rows rows = { opt[NODE_NAME].word, opt[ALL].given };
	const char *tensor, *run;
	struct other_run old;
	struct diff_found found = {0};
	bool ok;

	if (!read_tolerance(call, &how.tolerance) || !sort_words(call, &tensor, &run) ||
	    !other_run_open(call, run, &old) || (!tensor && !diff_can_sort(call)))
		return;
	how.transpose = opt[TRANSPOSE].given;
	ok = tensor ? diff_dump(call, tensor, &old, &how, &found)
	            : diff_runs(call, &old, &how.tolerance, &rows, &found);
	if (!ok)
		return;
	session_note_compared(call->shell, run);
	call_found(call, found.differs, found.unjudged);
}

/* In a recorded program: a word that is a number is a step. */
static bool is_step(const char *word)
{
	word += *word == '#';
	return *word && !word[strspn(word, "0123456789")];
}

static void diff_program_exec(struct call *call)
{
	const struct opt_value *opt = call->args.opt;
	struct diff_options how = { .column = &opt[COLUMN] };
	struct diff_rows rows = { opt[NODE_NAME].word, opt[ALL].given };
	struct step_words words = {
		.tensor = { call->args.pos[0], &opt[DUMP], &opt[DEVICE], &opt[GRAPH], &opt[TRACE],
		            &opt[STEP] },
		.step = opt[RUN].given ? opt[RUN].word : call->args.pos[1],
	};
	struct diff_found found = {0};
	bool ok;

	if (!words.step && words.tensor.word && is_step(words.tensor.word)) {
		words.step = words.tensor.word;
		words.tensor.word = NULL;
	}
	if (!read_tolerance(call, &how.tolerance) || !diff_can_sort(call))
		return;
	ok = diff_steps(call, &words, &how, &rows, &found);
	if (!ok)
		return;
	session_note_compared(call->shell, words.step);
	call_found(call, found.differs, found.unjudged);
}

const struct cmd cmd_diff = {
	.name = "diff", .summary = "What differs from another run: all tensors, or one",
	OPTS(options), POSITIONALS(positionals), .names = LINK_TENSOR_OR_RUN,
	.for_detail = true, .exec = diff_exec,
};

const struct cmd cmd_diff_program = {
	.name = "diff", .summary = "What differs from another step: all tensors, or one",
	OPTS(program_options), POSITIONALS(program_positionals), .names = LINK_TENSOR_OR_RUN,
	.for_detail = true, .of_program = true, .exec = diff_program_exec,
};
