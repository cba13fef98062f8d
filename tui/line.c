/*
 * readline at its plainest; Ctrl-C is our own handler's, which only sets a flag that the running
 * command asks.
 */
#include "tui/line.h"

#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <readline/readline.h>

#include "dump/base/clock.h"
#include "dump/base/mem.h"
#include "dump/base/progress.h"
#include "dump/base/say.h"
#include "dump/base/utf8.h"
#include "tui/editor.h"
#include "tui/history.h"
#include "tui/outside.h"
#include "tui/restore.h"

enum { PROGRESS_FIRST_MS = 1000, PROGRESS_NEXT_MS = 250, MAX_MATCHES = 1000 };

static struct shell *completes_for;
static struct progress job;
static int64_t began_ms;
static int64_t told_ms;
static bool is_plain;

static void on_interrupt(int number)
{
	(void)number;
	atomic_store(&job.cancel, true);
}

/* Interrupted while a line was typed: an empty line instead. */
static int clear_line(void)
{
	if (!atomic_exchange(&job.cancel, false))
		return 0;
	rl_crlf();
	editor_set("");
	rl_on_new_line();
	rl_redisplay();
	return 0;
}

/* A signal that comes together with a byte interrupts nothing; it goes first all the same. */
static int next_byte(FILE *in)
{
	int byte = rl_getc(in);

	rl_check_signals();
	clear_line();
	return byte;
}

static void tell(struct progress *p)
{
	int64_t ms = clock_ms() - began_ms;
	const char *what = atomic_load(&p->what);

	if (ms < told_ms)
		return;
	told_ms = ms + PROGRESS_NEXT_MS;
	if (atomic_load(&p->runs)) {
		fprintf(stderr,
		        "\rtested %" PRIuLEAST64 " runs, %" PRIuLEAST64 " tensors, "
		        "%" PRIuLEAST64 " bytes ",
		        atomic_load(&p->runs), atomic_load(&p->done), atomic_load(&p->bytes));
		return;
	}
	fprintf(stderr, "\r%" PRIuLEAST64 "/%" PRIuLEAST64 " %s ", atomic_load(&p->done),
	        atomic_load(&p->total), what ? what : "");
}

static void begin(void)
{
	began_ms = clock_ms();
	told_ms = PROGRESS_FIRST_MS;
	job.tick = isatty(STDERR_FILENO) && !is_plain ? tell : NULL;
}

static void end(void)
{
	if (job.tick && told_ms > PROGRESS_FIRST_MS)
		fprintf(stderr, "\r%*s\r", 60, "");
}

struct progress *line_begin_work(void)
{
	begin();
	return &job;
}

void line_end_work(void)
{
	end();
}

bool line_load(struct shell *shell, struct err *err)
{
	bool ok;

	begin();
	ok = shell_load(shell, &job, err);
	end();
	return ok;
}

static char *copy_text(const char *text)
{
	size_t len = strlen(text);
	char *copy = malloc(len + 1);

	return copy ? memcpy(copy, text, len + 1) : NULL;
}

/* How much of it a terminal may get as it is: readline draws the line raw. */
static size_t plain_len(const char *text)
{
	struct str cell = {0};
	size_t len = strlen(text), at = 0;

	while (at < len) {
		uint32_t cp;
		size_t n = utf8_next_cell(text + at, len - at, &cp);

		str_reset(&cell);
		utf8_cell(&cell, text + at, n, cp);
		if (cell.len != n || memcmp(cell.text, text + at, n) != 0)
			break;
		at += n;
	}
	str_release(&cell);
	return at;
}

/*
 * The first is what all have in common, as readline wants it: it goes into the line. The others
 * are only listed.
 */
static char **matches_of(const struct completion *found, const char *typed)
{
	char **matches = mem_alloc((found->first.len + 2) * sizeof *matches);
	const char *common = str_text(&found->common);
	bool whole = plain_len(common) == found->common.len;

	matches[0] = copy_text(found->common.len ? common : typed);
	if (matches[0] && !whole)
		matches[0][plain_len(common)] = '\0';
	if (matches[0] && strlen(matches[0]) < strlen(typed)) {
		free(matches[0]);
		matches[0] = copy_text(typed);
	}
	for (size_t i = 0; (found->n > 1 || !whole) && i < found->first.len; i++)
		matches[i + 1] = copy_text(found->first.at[i]);
	return matches;
}

static void put_match(const char *text, size_t columns)
{
	size_t used = utf8_columns(text, strlen(text));

	say_to(rl_outstream, text, strlen(text));
	fprintf(rl_outstream, "%*s", columns > used ? (int)(columns - used) : 0, "");
}

/*
 * One below the other in columns, as far as the screen has room, in place of readline's own list,
 * which is raw.
 */
static void list_matches(char **matches, int n, int longest)
{
	size_t widest = 0, columns, rows;
	int height, width;

	(void)longest;
	rl_get_screen_size(&height, &width);
	for (int i = 1; i <= n; i++) {
		size_t len = utf8_columns(matches[i], strlen(matches[i])) + 2;

		widest = len > widest ? len : widest;
	}
	columns = widest && (size_t)width > widest ? (size_t)width / widest : 1;
	rows = ((size_t)n + columns - 1) / columns;
	rl_crlf();
	for (size_t row = 0; row < rows && (height < 4 || row < (size_t)height - 3); row++) {
		for (size_t i = row; i < (size_t)n; i += rows)
			put_match(matches[i + 1], i + rows < (size_t)n ? widest : 0);
		fputc('\n', rl_outstream);
	}
	if (height >= 4 && rows > (size_t)height - 3)
		fprintf(rl_outstream, "... %d in all\n", n);
	rl_forced_update_display();
}

static char **complete(const char *text, int begin_off, int end_off)
{
	struct completion found = {0};
	char **matches = NULL;

	rl_attempted_completion_over = 1;
	rl_completion_append_character = '\0';
	shell_complete(completes_for, rl_line_buffer, (size_t)end_off, MAX_MATCHES, &found);
	if (found.n && found.word_begin == (size_t)begin_off)
		matches = matches_of(&found, text);
	completion_release(&found);
	return matches;
}

void line_be_plain(void)
{
	is_plain = true;
	rl_terminal_name = "dumb";
	rl_variable_bind("enable-bracketed-paste", "off");
	rl_variable_bind("colored-stats", "off");
	rl_variable_bind("blink-matching-paren", "off");
}

/*
 * As each line begins, after readline has set its handlers: they only take note, and between that
 * and the next read a signal would wait for a key.
 */
static int begin_line(void)
{
	static const int ending[] = { SIGTERM, SIGQUIT, SIGHUP, SIGALRM };
	char *next = editor_next_line();

	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		restore_catch(ending[i]);
	editor_settle();
	if (next)
		editor_set(next);
	free(next);
	return 0;
}

static void start_readline(struct history *history)
{
	rl_readline_name = "tensordbg";
	rl_attempted_completion_function = complete;
	rl_completion_display_matches_hook = list_matches;
	rl_completer_word_break_characters = " \t";
	rl_signal_event_hook = clear_line;
	rl_startup_hook = begin_line;
	rl_getc_function = next_byte;
	rl_initialize();
	editor_start(history);
}

/*
 * Ctrl-D was typed while no line was: what the terminal keeps then is an end with nothing before
 * it, which is lost as soon as readline takes over.
 */
static bool ended_between_lines(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	int n_bytes = 0;

	return isatty(STDIN_FILENO) && poll(&in, 1, 0) == 1 &&
	       ioctl(STDIN_FILENO, FIONREAD, &n_bytes) == 0 && !n_bytes;
}

/* What ends the bracketed paste that readline begins with each line. */
static const char *ends_paste(void)
{
	const char *set = rl_variable_value("enable-bracketed-paste");

	return set && !strcmp(set, "on") ? "\033[?2004l" : "";
}

static char *read_command(void)
{
	char *line;

	if (ended_between_lines())
		return NULL;
	restore_save(STDIN_FILENO);
	restore_arm(ends_paste());
	line = readline("\ntfdbg> ");
	restore_disarm();
	editor_line_taken();
	return line;
}

/* Ctrl-C that came since the line's last byte stops the command. True to go on. */
static bool run(struct shell *shell, const struct batch *batch, const char *line)
{
	struct answer answer;
	bool leave;

	begin();
	batch_run(shell, batch, line, &job, &answer);
	atomic_store(&job.cancel, false);  /* it stopped the command, whose result still shows */
	if (!answer.leave)
		batch_show(batch, line, &answer, &job, stdout);
	end();
	atomic_store(&job.cancel, false);
	leave = answer.leave;
	answer_release(&answer);
	return !leave;
}

/* !COMMAND, or an alias for one. False: the line is something else. */
static bool ran_outside(const struct shell *shell, const char *line)
{
	struct str expanded = {0}, why = {0};
	bool is_outside;

	if (shell_expand(shell, line, &expanded))
		line = expanded.text;
	line += strspn(line, " \t");
	is_outside = *line == '!';
	line += is_outside;
	line += strspn(line, " \t");
	fflush(stdout);
	if (is_outside && !outside_run(line, STDIN_FILENO, &why) && *line) {
		fputs("ERROR: !", stdout);
		say_to(stdout, line, strlen(line));
		printf(": %s\n", str_text(&why));
	}
	str_release(&expanded);
	str_release(&why);
	return is_outside;
}

/* True to go on. */
static bool greet(struct shell *shell, const struct batch *batch, enum line_greeting greeting)
{
	struct str counts = {0};

	if (greeting == GREET_NOT)
		return true;
	say_to(stdout, shell_title(shell), strlen(shell_title(shell)));
	printf("\n");
	if (greeting == GREET_FIRST) {
		printf("\n");
		return run(shell, batch, shell_first_command(shell));
	}
	shell_put_counts(shell, &counts);
	printf("%s\n", str_text(&counts));
	str_release(&counts);
	return true;
}

void line_run(struct shell *shell, const struct batch *batch, enum line_greeting greeting,
              void (*before_prompt)(struct shell *shell))
{
	struct sigaction interrupt = { .sa_handler = on_interrupt }, before;
	struct history history = {0};
	struct err err = {0};
	bool goes_on;
	char *line;

	completes_for = shell;
	restore_thread();
	sigaction(SIGINT, &interrupt, &before);
	if (!history_load(&history, &err))
		say("history: %s: %s; no history is kept", err.src, err.msg);
	start_readline(&history);
	goes_on = greet(shell, batch, greeting);
	while (goes_on) {
		before_prompt(shell);
		line = read_command();
		if (!line)
			break;
		if (*line) {
			history_add(&history, line);
			goes_on = ran_outside(shell, line) || run(shell, batch, line);
		}
		free(line);
	}
	if (goes_on)
		printf("\n");
	sigaction(SIGINT, &before, NULL);
	restore_thread_end();
	editor_stop();
	history_release(&history);
}
