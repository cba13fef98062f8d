#include "cmds/session/position.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cmds/lang/python.h"
#include "cmds/session/roots.h"
#include "dump/base/mount.h"
#include "dump/format/file.h"

bool position_counts(const struct shell *shell)
{
	return shell->runs && shell->runs->list.len > 1;
}

struct run_entry *position_at(const struct shell *shell)
{
	return atomic_load(&((struct shell *)shell)->at);
}

size_t position_number(const struct shell *shell)
{
	const struct run_entry *entry = position_at(shell);

	return entry ? entry->position : 0;
}

/* Keeps the most recent visits open. */
static void keep_latest(struct shell *shell, struct visit *visit)
{
	size_t i = 0;

	while (i < VISITS_KEPT - 1 && shell->kept[i] && shell->kept[i] != visit)
		i++;
	visit_keep(visit);
	visit_release(shell->kept[i]);
	memmove(&shell->kept[1], &shell->kept[0], i * sizeof *shell->kept);
	shell->kept[0] = visit;
}

/* visit NULL: the run is not read. */
static void stand(struct shell *shell, struct run_entry *entry, struct visit *visit)
{
	if (visit)
		keep_latest(shell, visit);
	visit_release(shell->visit);
	shell->visit = visit;
	shell->profiling = false;
	shell->run = visit ? visit->run : NULL;
	atomic_store(&shell->at, entry);
}

void position_leave(struct shell *shell)
{
	stand(shell, NULL, NULL);
}

void position_enter_unread(struct shell *shell, struct run_entry *entry)
{
	stand(shell, entry, visit_find(shell->visits, entry));
}

bool position_enter_loaded(struct shell *shell, struct run_entry *entry, struct run *run)
{
	struct visit *visit = visit_find(shell->visits, entry);
	bool was_open = visit;

	if (was_open)
		run_close(run);
	else
		visit = visit_new(shell->visits, entry, run);
	if (shell->runs->is_root && !run_entry_info(entry, RUN_WHOLE))
		runs_keep_info(shell->runs, entry, RUN_WHOLE, run_info_of(visit->run, true));
	stand(shell, entry, visit);
	return !was_open;
}

void position_replace(struct shell *shell, struct run *run)
{
	struct run_entry *entry = position_at(shell);

	for (size_t i = 0; i < VISITS_KEPT; i++) {
		visit_release(shell->kept[i]);
		shell->kept[i] = NULL;
	}
	stand(shell, NULL, NULL);
	stand(shell, entry, visit_new(shell->visits, entry, run));
}

void position_return(struct shell *shell, struct run_entry *entry, struct visit *visit)
{
	stand(shell, entry, visit);
}

void position_enter_graphs(struct shell *shell, struct run *run)
{
	struct visit *visit = visit_new(shell->visits, NULL, run);

	stand(shell, NULL, visit);
}

bool position_enter(struct shell *shell, struct run_entry *entry, struct progress *progress,
                    struct err *err)
{
	struct visit *visit = visit_find(shell->visits, entry);
	struct run *run;

	if (visit) {
		stand(shell, entry, visit);
		return true;
	}
	run = runs_open_run(shell->runs, entry, err);
	if (run && run_load(run, progress, err)) {
		position_enter_loaded(shell, entry, run);
		return true;
	}
	run_close(run);
	return false;
}

bool position_load(struct shell *shell, struct progress *progress, struct err *err)
{
	return shell->visit || position_enter(shell, position_at(shell), progress, err);
}

/* Counts entries whose name begins with the word; *found is the last, or the exact match. */
static size_t count_named(const struct shell *shell, const char *word, struct run_entry **found)
{
	size_t len = strlen(word), n = 0;

	for (size_t i = 0; i < shell->runs->list.len; i++) {
		struct run_entry *entry = shell->runs->list.at[i];

		if (strncmp(entry->name, word, len))
			continue;
		*found = entry;
		if (!entry->name[len])
			return 1;
		n++;
	}
	return n;
}

bool position_find(const struct shell *shell, const char *word, struct run_entry **entry,
                   struct err *err)
{
	size_t len = strlen(word), n_runs = shell->runs->list.len, n;
	int64_t number;

	*entry = NULL;
	if (python_digits(word, len, &number)) {
		if (number && number <= (int64_t)n_runs)
			*entry = runs_at(shell->runs, (size_t)number);
		return number <= (int64_t)n_runs ||
		       err_at(err, ERR_VALUE, "command", 0,
		              "ERROR: There is no run #%.40s: the last is #%zu.", word, n_runs);
	}
	n = count_named(shell, word, entry);
	if (n == 1)
		return true;
	if (!n)
		return err_at(err, ERR_VALUE, "command", 0, "ERROR: There is no run \"%.100s\".",
		              word);
	return err_at(err, ERR_VALUE, "command", 0,
	              "ERROR: %zu runs begin with \"%.100s\": give more of the name.", n, word);
}

/* Titles. */

static void put_fetches(struct str *out, const struct run_names *names)
{
	if (names->single)
		str_fmt(out, "1 fetch (%s); ", names->fetches.list.at[0]);
	else
		str_fmt(out, "%zu %s; ", names->n_fetches,
		        names->n_fetches > 1 ? "fetches" : "fetch");
}

static void put_feeds(struct str *out, const struct run_names *names)
{
	str_fmt(out, "%zu feed%s", names->n_feeds, plural(names->n_feeds));
	if (names->n_feeds != 1)
		return;
	for (size_t i = 0; i < names->feeds.list.len; i++)
		str_fmt(out, "%s%s", i ? ", " : " (", names->feeds.list.at[i]);
	str_puts(out, ")");
}

int64_t step_of_run(const struct run_entry *entry)
{
	struct run_entry *at = runs_at(entry->runs, entry->position);
	const struct run_info *info = at ? run_entry_info(at, RUN_HEAD) : NULL;

	if (entry->step >= 0)
		return entry->step;
	for (size_t i = 0; info && i < info->n_metadata; i++)
		if (info->metadata[i].global_step >= 0)
			return info->metadata[i].global_step;
	return -1;
}

void put_run_number(struct str *out, const struct run_entry *entry)
{
	int64_t step = step_of_run(entry);

	str_fmt(out, "%zu", entry->position);
	if (step >= 0)
		str_fmt(out, " (step %" PRId64 ")", step);
}

/* "run #13: 2 fetches; 3 feeds" */
static void put_run_text(struct str *out, const struct run_entry *entry,
                         const struct run_names *names)
{
	if (names->callable) {
		str_puts(out, "runner from make_callable()");
		return;
	}
	str_puts(out, "run #");
	put_run_number(out, entry);
	if (entry->runs->of_arrays)
		return;                  /* nothing is fetched or fed */
	str_puts(out, ": ");
	put_fetches(out, names);
	put_feeds(out, names);
}

static enum title_look look_of(const struct shell *shell, const struct run_info *info)
{
	if (!position_at(shell))
		return TITLE_START;
	return runs_status(shell->runs, position_at(shell), info) == RUN_PARTIAL ||
	       (shell->visit && shell->visit->stopped_here) ? TITLE_ALARM : TITLE_PLAIN;
}

enum title_look position_title(const struct shell *shell, struct str *out)
{
	struct run_entry *at = position_at(shell), *entry = at ? at : runs_at(shell->runs, 1);
	const struct visit *visit = shell->visit;
	struct err err = {0};
	const struct run_info *info;

	if (!position_counts(shell)) {
		str_puts(out, str_text(&shell->title));
		return TITLE_PLAIN;
	}
	info = runs_info(shell->runs, entry, RUN_HEAD, NULL, &err);
	str_puts(out, shell->profiling ? "run-end (profiler mode): "
	              : !at ? "run-start: "
	              : visit ? "run-end: "
	              : "run (not indexed): ");
	if (!info) {
		str_puts(out, "run #");
		put_run_number(out, entry);
		return at ? TITLE_PLAIN : TITLE_START;
	}
	put_run_text(out, entry, &info->names);
	if (visit && visit->hidden)
		str_fmt(out, "; filtered: %zu of %zu tensors",
		        visit->run->tensors.len - visit->n_hidden, visit->run->tensors.len);
	return look_of(shell, info);
}

const char *position_first_command(const struct shell *shell)
{
	struct run_entry *at = position_at(shell);
	const struct run_info *info = at ? run_entry_info(at, RUN_WHOLE) : NULL;

	if (!at || !shell->visit)
		return "run_info";
	return info && runs_status(shell->runs, at, info) == RUN_PARTIAL ? "help" : "lt";
}

/* Answers. */

void call_no_run(struct call *call)
{
	const struct shell *shell = call->shell;

	if (roots_are_several(shell) && !shell->root) {
		call_error(call,
		           "ERROR: No run is open: %zu places lie below. \"runs\" lists them, "
		           "\"runs 1\" opens the first.",
		           shell->target.roots.len);
		return;
	}
	if (!shell->runs) {
		call_error(call, "ERROR: No dump is open: name one on the command line.");
		return;
	}
	call_error(call, "ERROR: No run is open (#0 of %zu). \"run\" opens the first, \"run "
	           "--last\" the last, \"runs\" lists them.", call->shell->runs->list.len);
}

void put_deleted(struct str *out, const struct run_entry *entry)
{
	str_puts(out, "Run #");
	put_run_number(out, entry);
	str_puts(out, " has been deleted (by the program?). Loaded screens stay readable.");
}

void call_not_entered(struct call *call, const struct run_entry *entry, const struct err *err)
{
	struct str text = {0};

	if (err->code == ERR_IO && !file_is_there(entry->path)) {
		put_deleted(&text, entry);
		call_error(call, "%s", text.text);
	} else {
		call->err = *err;
	}
	str_release(&text);
}

void put_broken_run(struct str *out, const struct run_entry *entry, const struct err *err)
{
	str_puts(out, "Run #");
	put_run_number(out, entry);
	str_puts(out, " could not be read: ");
	err_put(out, *err->src ? err->src : entry->name, err);
}

void call_broken_run(struct call *call, const struct run_entry *entry, const struct err *err)
{
	struct str text = {0};

	put_broken_run(&text, entry, err);
	call_fault(call, text.text);
	str_release(&text);
}

void put_unread(struct str *out, const struct run_entry *entry, const struct problem *problem)
{
	size_t len = entry ? strlen(entry->name) : 0;
	bool has_name = len && !strncmp(problem->file, entry->name, len)   /* in a summary */
	                && problem->file[len] == '/';

	if (entry && !has_name)
		str_fmt(out, "%s%s", entry->name, *problem->file ? mount_between(entry->path) : "");
	problem_put(out, problem);
}

void call_unread(struct call *call, const struct run_entry *entry, const struct run_info *info)
{
	struct str text = {0};

	for (size_t i = 0; info && i < info->n_unread; i++) {
		str_reset(&text);
		put_unread(&text, entry, &info->unread[i]);
		call_fault(call, text.text);
	}
	str_release(&text);
}

void call_note_unread(struct call *call)
{
	const struct shell *shell = call->shell;
	struct str text = {0};

	for (size_t i = 0; shell->run && i < shell->run->problems.len; i++) {
		const struct problem *problem = &shell->run->problems.at[i];

		if (!problem->unread)
			continue;
		str_reset(&text);
		put_unread(&text, position_counts(shell) ? position_at(shell) : NULL, problem);
		call_note(call, text.text);
	}
	str_release(&text);
}
