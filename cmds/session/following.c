#include "cmds/session/following.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/session/position.h"
#include "cmds/session/program.h"
#include "dump/base/clock.h"
#include "dump/format/file.h"

enum { NAP_MS = 100 /* between two looks at a cancel */ };
enum { LOOKS_APART = 10 /* times as long as a look takes */ };

static struct follow *follow_of(const struct shell *shell)
{
	return shell->runs ? shell->runs->follow : shell->program_follow;
}

/* Can PATH still be written to while it is open? */
static bool can_follow(const struct shell *shell)
{
	const char *path = shell->runs       ? shell->runs->path
	                   : shell->programs ? programs_path(shell->programs)
	                                     : NULL;
	struct stat st;

	return path && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* What came after PATH was opened is looked for once the watches exist. */
bool shell_start_following(struct shell *shell, bool look)
{
	if (!can_follow(shell))
		return false;
	shell_stop_following(shell);
	shell->unlooked = true;
	if (shell->programs) {
		shell->program_follow = follow_start(programs_path(shell->programs), NULL, look,
		                                     clock_ms());
		return true;
	}
	shell->runs->settle_ms = shell_setting(shell, "settle_ms");
	shell->runs->follow = follow_start(shell->runs->path, shell->runs->reader, look,
	                                   clock_ms());
	return true;
}

void shell_stop_following(struct shell *shell)
{
	if (!follow_of(shell))
		return;
	follow_free(follow_of(shell));
	shell->program_follow = NULL;
	if (shell->runs)
		shell->runs->follow = NULL;
	shell->settling = NULL;
}

bool shell_follows(const struct shell *shell)
{
	return follow_of(shell);
}

int shell_following_fd(const struct shell *shell)
{
	const struct follow *follow = follow_of(shell);

	return follow ? follow_fd(follow) : -1;
}

const char *shell_following_note(const struct shell *shell)
{
	const struct follow *follow = follow_of(shell);

	return follow ? follow_note(follow) : NULL;
}

/* Time until the run that changed last counts as quiet. */
static int64_t settles_ms(const struct shell *shell)
{
	struct run_entry *entry = shell->settling;
	const struct run_info *info = run_entry_info(entry, RUN_WHOLE);
	static const struct run_info unknown;

	return runs_settles_ms(shell->runs, entry, info ? info : &unknown);
}

int64_t shell_following_sleep_ms(const struct shell *shell)
{
	const struct follow *follow = follow_of(shell);
	int64_t sleep, settles;

	if (!follow)
		return -1;
	if (shell->unlooked)
		return shell->look_ms > clock_ms() ? shell->look_ms - clock_ms() : 0;
	sleep = follow_sleep_ms(follow, clock_ms());
	settles = shell->settling ? settles_ms(shell) + 1 : -1;
	return sleep < 0 || (settles >= 0 && settles < sleep) ? settles : sleep;
}

/* The entry of a directory in the root; "." is the root itself. */
static struct run_entry *entry_of(const struct shell *shell, const char *name)
{
	const struct runs *runs = shell->runs;

	if (!runs->is_root)
		return runs_at(runs, 1);
	for (size_t i = runs->list.len; i; i--)
		if (!strcmp(runs->list.at[i - 1]->name, name))
			return runs->list.at[i - 1];
	return NULL;
}

static void note_gone(struct shell *shell, struct run_entry *entry, struct news *out)
{
	str_reset(&shell->gone);
	put_deleted(&shell->gone, entry);
	out->gone = shell->gone.text;
}

/*
 * Drops what was found out about a changed run. Its open screens stay as they are until asked
 * again.
 */
static void note_changed(struct shell *shell, struct run_entry *entry)
{
	runs_forget(entry);
	hits_forget(shell->hits, entry);
	visit_outdate(shell->visits, entry);
	if (entry == position_at(shell))
		position_enter_unread(shell, entry);
	shell->settling = entry;
	vec_push(&shell->changed, entry);
}

static void take_change(struct shell *shell, const char *name)
{
	const struct runs *runs = shell->runs;
	struct run_entry *entry = runs_are_steps(runs) ? runs_at(runs, runs->list.len)
	                                               : entry_of(shell, name);

	if (!entry)
		return;
	if (access(entry->path, F_OK) == 0)
		note_changed(shell, entry);
}

static bool has_settled(struct shell *shell)
{
	if (!shell->settling || settles_ms(shell))
		return false;
	shell->settling = NULL;
	return true;
}

/* Of a recorded program only that there is something to read. */
static void look_for_program_news(struct shell *shell, struct news *out)
{
	struct follow_news seen;

	follow_read(shell->program_follow, clock_ms(), &seen);
	out->went = seen.went;
	out->unread = !seen.went && (seen.any || shell->unlooked);
	shell->unlooked = false;
	out->any = out->unread || out->went;
}

void shell_read_news(struct shell *shell, struct progress *progress)
{
	program_look(shell, progress);
}

void shell_take_read_news(struct shell *shell, struct news *out)
{
	struct program_came came = program_take_beside(shell);

	*out = (struct news){ .came = came.runs, .steps = came.steps };
	out->anew = came.news == PROGRAM_ANEW;
	out->all = came.runs || came.news != PROGRAM_SAME;
	out->any = out->all;
	shell->changes += out->any;
}

/*
 * Arrays of the only step are called otherwise once it is one of several. A list that takes long
 * to read is read less often.
 */
static void look_again(struct shell *shell, struct news *out)
{
	struct run_entry *only = shell->runs->is_root ? NULL : runs_at(shell->runs, 1);
	int64_t from_ms = clock_ms();

	out->came = runs_look_again(shell->runs);
	if (only && shell->runs->is_root)
		note_changed(shell, only);
	shell->unlooked = false;
	shell->look_ms = clock_ms() + LOOKS_APART * (clock_ms() - from_ms);
}

void shell_take_news(struct shell *shell, struct news *out)
{
	struct run_entry *at = position_at(shell);
	bool was_gone = at && at->gone;
	struct follow_news seen;

	*out = (struct news){0};
	shell->changed.len = 0;
	if (shell->programs) {
		look_for_program_news(shell, out);
		return;
	}
	follow_read(follow_of(shell), clock_ms(), &seen);
	out->went = seen.went;
	shell->unlooked |= seen.runs || (seen.n_changed && runs_are_steps(shell->runs));
	if (shell->unlooked && clock_ms() >= shell->look_ms)
		look_again(shell, out);
	if (at && at->gone && !was_gone)
		note_gone(shell, at, out);
	for (size_t i = 0; i < seen.n_changed && !seen.went; i++)
		take_change(shell, seen.changed[i]);
	out->changed = (const void *const *)shell->changed.at;
	out->n_changed = shell->changed.len;
	out->settled = has_settled(shell);
	out->any = out->came || out->n_changed || out->gone || out->settled || out->went ||
	           seen.runs;
	shell->changes += out->came || out->n_changed || out->gone || out->went;
}

static void nap(int fd, int64_t sleep_ms)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	poll(&ready, 1, sleep_ms < 0 || sleep_ms > NAP_MS ? NAP_MS : (int)sleep_ms);
}

bool dump_is_at(const char *path, bool *is_other)
{
	struct opened opened = { .profile = profile_new() };
	struct target target;
	struct err err = {0};
	bool opens = target_open(path, &target, &opened, NULL, &err),
	     is_there = opens && (opened.runs || opened.programs || target.roots.len);

	*is_other = !is_there && (opens || (file_is_there(path) && !file_is_dir(path)));
	runs_close(opened.runs);
	programs_close(opened.programs);
	profile_close(opened.profile);
	target_release(&target);
	return is_there;
}

void wait_for_dump(const char *path, bool look)
{
	struct follow *follow = follow_start(path, NULL, look, clock_ms());
	struct follow_news news;
	bool is_other;

	while (!dump_is_at(path, &is_other) && !is_other) {
		do {
			nap(follow_fd(follow), follow_sleep_ms(follow, clock_ms()));
			follow_read(follow, clock_ms(), &news);
		} while (!news.any);
	}
	follow_free(follow);
}

bool call_await_news(struct call *call, int64_t until_ms)
{
	struct shell *shell = call->shell;
	struct news news;

	do {
		if (progress_cancelled(call->progress) || (until_ms >= 0 && clock_ms() >= until_ms))
			return false;
		nap(shell_following_fd(shell), shell_following_sleep_ms(shell));
		shell_take_news(shell, &news);
		if (news.unread) {
			shell_read_news(shell, call->progress);
			shell_take_read_news(shell, &news);
		}
	} while (!news.any);
	return true;
}
