/*
 * The nth read of a session fails, or finds the end of its file, or all from the nth on find it, or
 * the nth allocation of what a file decides the size of fails: the same answer comes as without it,
 * or the session says what was lost. When the fault is over, the same holds for the same line once
 * more. This program's pread stands in for libc's. FAULTS_ALL=1 tries each n, else some of many;
 * FAULTS_LINE=LINE only that command, and prints what it says.
 */
#include "cmds/session/shell.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmds/summary/summarize.h"
#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/format/json.h"
#include "dump/profile/xspace_modules.h"
#include "tests/asking.h"
#include "tests/message.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/suite.h"

/* Of a session's reads, about. */
#ifdef READ_CHUNK                /* small: there are many more of them */
#define TRIED 5
#else
#define TRIED 30
#endif

enum fault { FAULT_EIO, FAULT_END, FAULT_SHRUNK, FAULT_MEMORY, N_FAULTS, FAULT_NONE };

static const char *const fault_names[] = {
	"EIO", "end of file", "end of file from there on", "no memory",
};

static enum fault fault = FAULT_NONE;
static atomic_long reads;
static long fails_at;

ssize_t pread(int fd, void *out, size_t len, off_t off)
{
	long now = atomic_fetch_add(&reads, 1);

	if (fault == FAULT_EIO && now == fails_at) {
		errno = EIO;
		return -1;
	}
	if ((fault == FAULT_END && now == fails_at) || (fault == FAULT_SHRUNK && now >= fails_at))
		return 0;
	return syscall(SYS_pread64, fd, out, len, off);
}

static void set_fault(enum fault kind, long nth)
{
	fault = kind;
	fails_at = nth;
	reads = 0;
	mem_fail_try(kind == FAULT_MEMORY ? nth : LONG_MAX);
}

/* A session: opened, asked, and asked again when the fault is over. */
struct heard {
	struct said first, again;
	struct str warnings;             /* of the session, when it was open */
	struct str later;                /* in the end: what was told before stays there */
	bool opened;
	long reads, tries;               /* tries: -1 if one of them failed */
};

static void heard_release(struct heard *heard)
{
	said_release(&heard->first);
	said_release(&heard->again);
	str_release(&heard->warnings);
	str_release(&heard->later);
}

static void put_warnings(struct shell *shell, struct str *out)
{
	session_warnings(shell, out);
	if (shell_passed_over(shell))
		str_puts(out, shell_passed_over(shell));
}

static void converse(struct shell *shell, const struct question *q, struct heard *heard)
{
	long left;

	put_warnings(shell, &heard->warnings);
	if (q->before && !ask(shell, q->before, NULL, &heard->first))
		return;
	ask(shell, q->line, NULL, &heard->first);
	heard->reads = reads;
	left = mem_fail_try(-1);
	heard->tries = left < 0 ? -1 : LONG_MAX - left;
	set_fault(FAULT_NONE, 0);
	ask(shell, q->line, NULL, &heard->again);
	put_warnings(shell, &heard->later);
}

static void hear(const char *path, const struct question *q, struct heard *heard)
{
	struct shell *shell = shell_new();
	struct err err = {0};

	*heard = (struct heard){0};
	heard->opened = shell_open(shell, path, &err) && shell_load(shell, NULL, &err);
	ck_assert_msg(heard->opened || err.code, "%s: not opened, and no error", path);
	if (heard->opened)
		converse(shell, q, heard);
	set_fault(FAULT_NONE, 0);
	shell_free(shell);
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

/* More lines of the answer itself are about what could not be read than without the fault. */
static bool text_tells(const struct str *plain, const struct str *got)
{
	static const char *const words[] = {
		"Input/output error", "the file ends", "no memory", "unreadable",
	};

	for (size_t i = 0; i < ROWS(words); i++)
		if (count(str_text(got), words[i]) > count(str_text(plain), words[i]))
			return true;
	return false;
}

/*
 * The same, or a word about it: an error, another complaint or warning than without the fault, a
 * line of the answer.
 */
static bool nothing_lost(const struct said *plain, const struct said *got,
                         const struct str *plain_warnings, const struct str *warnings)
{
	return str_same(&plain->text, &got->text) || got->failed ||
	       !str_same(&plain->told, &got->told) || !str_same(plain_warnings, warnings) ||
	       text_tells(&plain->text, &got->text);
}

static void show(const char *when, const struct said *said, const struct str *warnings)
{
	if (getenv("FAULTS_LINE"))
		printf("---- %s%s\n%s---- told: %s\n---- warnings: %s\n", when,
		       said->failed ? " (failed)" : "", str_text(&said->text),
		       str_text(&said->told), str_text(warnings));
}

/* The losses of a question, each one a line. */
static void try_fault(const char *path, const struct question *q, enum fault kind, long n,
                      const struct heard *plain, struct str *losses)
{
	struct heard got;
	bool first, again;

	set_fault(kind, n);
	hear(path, q, &got);
	first = !got.opened || got.first.failed ||
	        nothing_lost(&plain->first, &got.first, &plain->warnings, &got.warnings);
	again = !got.opened || !got.again.text.len ||
	        nothing_lost(&plain->again, &got.again, &plain->later, &got.later);
	if (!first || !again) {
		str_fmt(losses, "%s: %s%s%s: %ld, %s: less without a word%s\n", q->path,
		        q->before ? q->before : "", q->before ? "; " : "", q->line, n,
		        fault_names[kind], first ? ", after it" : "");
		show("plain", &plain->first, &plain->warnings);
		show(fault_names[kind], &got.first, &got.warnings);
		show("again", &got.again, &got.later);
	}
	heard_release(&got);
}

static void sweep(const char *path, const struct question *q, struct str *losses)
{
	struct heard plain;

	set_fault(FAULT_NONE, 0);
	hear(path, q, &plain);
	ck_assert_msg(plain.opened && plain.again.text.len, "%s; %s can't be asked", q->path,
	              q->line);
	for (enum fault kind = 0; kind < N_FAULTS; kind++) {
		long n_all = kind == FAULT_MEMORY ? plain.tries : plain.reads;
		long stride = getenv("FAULTS_ALL") ? 1 : 1 + n_all / TRIED;

		for (long n = (q - questions) % stride; n < n_all; n += stride)
			try_fault(path, q, kind, n, &plain, losses);
	}
	heard_release(&plain);
}

START_TEST(nothing_is_lost_without_a_word)
{
	const struct question *q = &questions[_i];
	const char *only = getenv("FAULTS_LINE");
	struct str path = {0}, losses = {0};
	char *here = getcwd(NULL, 0), *dir;

	if (only && strcmp(only, q->line)) {
		free(here);
		return;
	}
	dir = scratch_new();
	str_fmt(&path, "%s/%s", here, q->path);
	ck_assert_int_eq(chdir(dir), 0);
	sweep(path.text, q, &losses);
	ck_assert_int_eq(chdir(here), 0);
	scratch_remove(dir);
	ck_assert_msg(!losses.len, "\n%.2000s", str_text(&losses));     /* Check takes no more */
	str_release(&path);
	str_release(&losses);
	free(here);
}
END_TEST

/*
 * Whichever read of an XSpace fails while its modules are looked for, that is what is kept: not the
 * damage that comes after it.
 */
START_TEST(an_unread_module_is_not_forgotten)
{
	static char filler[200 * 1024];
	struct str stat = {0}, name = {0}, entry = {0}, plane = {0}, space = {0};
	struct file file;
	long n = 0;

	put_bytes(&plane, 2, "/host:metadata", 14);
	put_number(&name, 1, 1);
	put_bytes(&name, 2, "Hlo Proto", 9);
	put_message(&entry, 2, &name);
	put_message(&plane, 5, &entry);
	str_reset(&name);
	str_reset(&entry);
	put_bytes(&stat, 6, filler, sizeof filler);
	put_number(&stat, 1, 1);         /* read anew, behind the bytes that are passed over */
	put_message(&name, 5, &stat);
	put_message(&entry, 2, &name);
	put_message(&plane, 4, &entry);
	put_bytes(&plane, 4, "\x12\x01\xff", 3);  /* a name that is none */
	put_message(&space, 1, &plane);
	for (fault = FAULT_EIO;; n++) {
		module_spans spans = {0};
		struct err err = {0};

		ck_assert(file_open(&file, file_of(space.text, space.len), NULL));
		fails_at = n;
		reads = 0;
		xspace_modules(&file, 10, &spans, &err);
		file_close(&file);
		vec_release(&spans);
		if (reads <= n) {
			ck_assert_int_eq(err.code, ERR_FORMAT);
			break;
		}
		ck_assert_msg(err.code == ERR_IO, "%ld: %s", n, err.msg);
	}
	fault = FAULT_NONE;
	ck_assert_int_gt(n, 1);
	str_release(&stat);
	str_release(&name);
	str_release(&entry);
	str_release(&plane);
	str_release(&space);
}
END_TEST

/*
 * Faults that begin when a session is open. Only the command that meets one can say so: as text on
 * standard error or in a row, typed in its warnings or its error. summarized: asked of a summary of
 * path.
 */
static const struct reread { const char *path, *before, *line; bool summarized; } rereads[] = {
#define AGAIN(path, line) { "testdata/" path, NULL, line, false },
#define IN_RUN(path, line) { "testdata/" path, "run --to 1", line, false },
#define SUMMARY(path, line) { "testdata/" path, NULL, line, true },
	IN_RUN("checkpoint/tf2", "lt --health") IN_RUN("checkpoint/tf2", "origins")
	IN_RUN("checkpoint/tf2", "overview") IN_RUN("checkpoint/tf2", "pt net/layers/0/w -s")
	AGAIN("checkpoint/tf1", "ri") IN_RUN("checkpoint/tf1", "lt -f has_inf_or_nan")
	AGAIN("array_files/mixed.npz", "runs") AGAIN("array_files/sharded", "runs")
	AGAIN("msprobe/statistics", "runs") AGAIN("msprobe/tensor", "overview")
	AGAIN("torch/checkpoint.pth", "runs") AGAIN("torch/checkpoint.pth", "lt --health")
	AGAIN("recorders/pytorch", "run -f has_inf_or_nan") AGAIN("recorders/jax", "overview")
	AGAIN("train20", "ri") AGAIN("train20", "runs") AGAIN("train20", "origins")
	AGAIN("runs/mixed", "origins 1") AGAIN("runs/mixed", "overview")
	AGAIN("linear", "lt --health") AGAIN("linear", "du -g dtype")
	AGAIN("v2/while_overflow", "origins") AGAIN("v2/tf2.1.3_FULL_TENSOR", "origins 1")
	AGAIN("v2/mode_CONCISE_HEALTH", "lt --all-steps") AGAIN("v2/mode_CONCISE_HEALTH", "la")
	AGAIN("v2/workers", "lx") AGAIN("v2/workers", "overview")
	AGAIN("profile/gpu_like", "kernels") AGAIN("profile/linear", "scopes")
	SUMMARY("train20", "origins") SUMMARY("train20", "overview") SUMMARY("linear", "ri")
	SUMMARY("v2/while_overflow", "origins") SUMMARY("v2/mode_CONCISE_HEALTH", "lx")
};

/* Answers whose rows are themselves about what could not be read. */
static bool tells_in_rows(const char *line)
{
	return !strncmp(line, "overview", 8);
}

/* A typed answer that differs from the plain one in neither its warnings nor its error. */
static bool is_silent(const struct str *plain, const struct str *got)
{
	const char *list = strstr(str_text(plain), "\"warnings\":["), *end;

	end = list ? strstr(list, "],\"") : NULL;
	return end && !str_same(plain, got) && !strstr(str_text(got), "\"incomplete\":") &&
	       !strncmp(plain->text, str_text(got), (size_t)(end - plain->text) + 1);
}

static void hear_again(const char *path, const struct reread *r, bool typed, enum fault kind,
                       long n, struct heard *heard)
{
	struct shell *shell = session_of(path);
	struct str line = {0};

	*heard = (struct heard){0};
	if (r->before)
		ask(shell, r->before, NULL, &heard->again);
	str_fmt(&line, "%s --format %s", r->line, typed ? "json" : "text");
	set_fault(kind, n);
	ask(shell, line.text, NULL, &heard->first);
	heard->reads = reads;
	set_fault(FAULT_NONE, 0);
	str_release(&line);
	shell_free(shell);
}

/* A typed answer is JSON, with and without a fault. */
static void expect_json(const struct reread *r, const struct str *text)
{
	struct err err = {0};
	struct json json;

	json_start_text(&json, str_text(text), text->len, &err);
	ck_assert_msg(json_skip(&json) && json_end(&json), "%s: %s in %s", r->line, err.msg,
	              str_text(text));
	json_release(&json);
}

static void sweep_again(const char *path, const struct reread *r, bool typed, struct str *losses)
{
	struct heard plain, got;

	hear_again(path, r, typed, FAULT_NONE, 0, &plain);
	ck_assert_msg(!plain.first.failed, "%s: %s", r->path, r->line);
	for (enum fault kind = 0; kind < FAULT_MEMORY; kind++) {
		long stride = getenv("FAULTS_ALL") ? 1 : 1 + plain.reads / TRIED;

		for (long n = (r - rereads) % stride; n < plain.reads; n += stride) {
			bool silent;

			hear_again(path, r, typed, kind, n, &got);
			if (typed)
				expect_json(r, &got.first.text);
			silent = typed ? is_silent(&plain.first.text, &got.first.text) &&
			                 !(tells_in_rows(r->line) &&
			                   text_tells(&plain.first.text, &got.first.text))
			               : !nothing_lost(&plain.first, &got.first, &plain.warnings,
			                               &got.warnings);
			if (silent)
				str_fmt(losses, "%s: %s%s: %ld of %ld, %s: not a word\n", r->path,
				        r->line, typed ? ", typed" : "", n, plain.reads,
				        fault_names[kind]);
			heard_release(&got);
		}
	}
	heard_release(&plain);
}

START_TEST(what_is_read_again_is_said)
{
	const struct reread *r = &rereads[_i];
	const char *only = getenv("FAULTS_LINE");
	struct str path = {0}, losses = {0};
	char *here, *dir;

	if (only && strcmp(only, r->line))
		return;
	here = getcwd(NULL, 0);
	dir = scratch_new();
	str_fmt(&path, "%s/%s", here, r->path);
	ck_assert_int_eq(chdir(dir), 0);
	if (r->summarized) {
		struct summarize what = { .path = path.text, .out = "summary", .k = 1, .n = 1 };
		struct summarized done;
		struct err err = {0};

		ck_assert_msg(summarize(&what, &done, NULL, &err), "%s", err.msg);
		str_reset(&path);
		str_fmt(&path, "%s/summary", dir);
	}
	sweep_again(path.text, r, true, &losses);
	sweep_again(path.text, r, false, &losses);
	ck_assert_int_eq(chdir(here), 0);
	scratch_remove(dir);
	ck_assert_msg(!losses.len, "\n%.2000s", str_text(&losses));
	str_release(&path);
	str_release(&losses);
	free(here);
}
END_TEST

SUITE_MAIN("faults",
	tcase_add_test(t, an_unread_module_is_not_forgotten);
	tcase_add_loop_test(t, what_is_read_again_is_said, 0, ROWS(rereads));
	tcase_set_timeout(t, 600);
	tcase_add_loop_test(t, nothing_is_lost_without_a_word, 0, (int)n_questions);
)
