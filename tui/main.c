/*
 * Reads the arguments, opens the dump, and picks who answers: batch, the line interface or the
 * screen. The only file that ends the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/session/batch.h"
#include "cmds/session/following.h"
#include "cmds/session/shell.h"
#include "cmds/table.h"
#include "dump/base/mem.h"
#include "dump/base/say.h"
#include "dump/base/version.h"
#include "tui/app.h"
#include "tui/line.h"
#include "tui/locale.h"
#include "tui/options.h"
#include "tui/recorder.h"
#include "tui/restore.h"
#include "tui/subcommand.h"
#include "tui/term.h"

enum { EXIT_FINE, EXIT_COMMAND_FAILED, EXIT_USAGE, EXIT_UNREADABLE };
enum { WARNINGS_TOLD = 3 };

static void out_of_memory(size_t wanted_bytes)
{
	restore_now();
	fprintf(stderr, "tensordbg: out of memory (%zu bytes wanted)\n", wanted_bytes);
	abort();
}

static int unreadable(const char *path, const struct err *err)
{
	size_t len = strlen(path);

	if (!strncmp(err->src, path, len) && err->src[len] == ':')
		path = err->src;         /* "PATH: MEMBER", of an archive */
	if (err->code == ERR_FORMAT && err->damage != DAMAGE_WHOLE)
		say("%s, offset %" PRIu64 ": %s", path, err->off, err->msg);
	else
		say("%s: %s", path, err->msg);
	return EXIT_UNREADABLE;
}

static void tell_line(const char *text)
{
	if (text)
		say("%s", text);
}

/* A line for each. */
static void tell_each(const struct shell *shell, size_t first, size_t n)
{
	struct str text = {0};

	for (size_t i = 0; i < n; i++) {
		str_reset(&text);
		shell_warning(shell, first + i, &text);
		say("%s", str_text(&text));
	}
	str_release(&text);
}

/* The last n of them, in a line. */
static void tell_last_warnings(const struct shell *shell, size_t n)
{
	size_t first = shell_warnings(shell) - n;
	struct str text = {0};

	if (shell_tells_each(shell)) {
		tell_each(shell, first, n);
		return;
	}
	for (size_t i = 0; i < n && i < WARNINGS_TOLD; i++) {
		str_puts(&text, i ? "; " : "");
		shell_warning(shell, first + i, &text);
	}
	say("%zu problem(s) in %s: %s%s", n, shell_subject(shell), str_text(&text),
	    n > WARNINGS_TOLD ? "; ..." : "");
	str_release(&text);
}

/* Is all that is wrong a record whose end may still come? */
static bool only_cut(const struct shell *shell)
{
	size_t n = shell_warnings(shell), i = 0;

	while (i < n && shell_warning_may_pass(shell, i))
		i++;
	return n && i == n;
}

/* What may only be so because it is being written is told when it is no longer followed. */
static void tell_warnings(const struct shell *shell, bool follow)
{
	tell_line(shell_note(shell));
	tell_line(shell_passed_over(shell));
	if (shell_warnings(shell) && !(follow && only_cut(shell)))
		tell_last_warnings(shell, shell_warnings(shell));
}

/* What validation has found by now of the current run; of another one that is begun. */
static void tell_findings(struct shell *shell)
{
	if (shell_take_findings(shell, false))
		tell_last_warnings(shell, shell_findings(shell));
	shell_validate(shell, NULL, NULL);
}

static void tell_config(const struct shell *shell)
{
	struct config_complaint complaint = shell_config_complaint(shell);
	struct str text = {0};

	if (complaint.n) {
		config_put_complaint(&complaint, &text);
		say("%s", str_text(&text));
	}
	str_release(&text);
}

static bool load(struct shell *shell, const char *path, bool follow, int *status)
{
	struct err err = {0};

	if (!line_load(shell, &err)) {
		*status = unreadable(path, &err);
		return false;
	}
	tell_config(shell);
	tell_warnings(shell, follow);
	return true;
}

/* The tasks of the command line. True to go on. */
static bool run_tasks(struct shell *shell, const struct options *options, const struct batch *batch,
                      int *status)
{
	enum batch_end end = BATCH_DONE;

	for (size_t i = 0; i < options->tasks.len && end == BATCH_DONE; i++) {
		const struct task *task = &options->tasks.at[i];
		struct err err = {0};

		if (!task->is_file) {
			end = batch_line(shell, batch, task->text, stdout, status);
			continue;
		}
		end = batch_file(shell, batch, task->text, stdout, status, &err);
		if (err.code) {
			say("%s: %s", task->text, err.msg);
			*status = EXIT_USAGE;
			return false;
		}
	}
	return end != BATCH_LEFT;
}

static void run_stdin(struct shell *shell, const struct batch *batch, int *status)
{
	struct err err = {0};

	batch_file(shell, batch, "-", stdout, status, &err);
}

static const char only_directories[] = "only a directory with a dump can be followed";

/*
 * Is a file to be followed? Then says that it can't be. One that is half written may be whole soon,
 * but it is not followed then either.
 */
static bool follows_file(const struct options *options)
{
	struct stat st;
	bool is_file = options->follow && options->path && stat(options->path, &st) == 0
	               && S_ISREG(st.st_mode);

	if (is_file)
		say("%s", only_directories);
	return is_file;
}

static bool start_following(struct shell *shell, const struct options *options)
{
	if (!shell_start_following(shell, options->poll)) {
		say("%s", only_directories);
		return false;
	}
	if (shell_following_note(shell))
		say("%s", shell_following_note(shell));
	return true;
}

static int output_errno;         /* why standard output could not be written */

/* Is PATH what comes on standard input? */
static bool is_input(const char *path)
{
	return !strcmp(path, "-");
}

/* Nobody sees a prompt: what the screen would begin with, and no more. */
static void run_first(struct shell *shell, const struct batch *batch, int *status)
{
	batch_line(shell, batch, shell_first_command(shell), stdout, status);
}

/* What is told at the end: nobody waits long for it. */
static void tell_last_findings(struct shell *shell)
{
	if (shell_take_findings(shell, shell_validates_soon(shell)))
		tell_last_warnings(shell, shell_findings(shell));
	shell_stop_validating(shell);
}

/*
 * Answers what the command line, the terminal or standard input asks. counts: a prompt begins with
 * how much there is, not with all of it.
 */
static int answer_plain(struct shell *shell, const struct options *options,
                        const struct batch *batch, bool prompt, bool counts)
{
	int status = EXIT_FINE;

	if (!run_tasks(shell, options, batch, &status) ||
	    (options->tasks.len && !options->interactive))
		return status;
	if (prompt)
		line_run(shell, batch,
		         options->tasks.len ? GREET_NOT
		         : counts           ? GREET_COUNTS
		                            : GREET_FIRST,
		         tell_findings);
	else if (isatty(STDIN_FILENO) || options->against
	         || (options->path && is_input(options->path)))
		run_first(shell, batch, &status);
	else
		run_stdin(shell, batch, &status);
	return status;
}

/*
 * Everything but the screen. Without a prompt only what is small is validated: what asks for one
 * answer is not to read all edges of a large graph.
 */
static int run_plain(struct shell *shell, const struct options *options, bool prompt, bool counts,
                     const char *path)
{
	struct batch batch = { .width = options->width, .format = options->format,
	                       .echo = options->echo, .keep_going = options->keep_going };
	int status = EXIT_FINE;

	batch.write_errno = &output_errno;
	batch.plain = options->plain;
	batch.titles = prompt || options->echo;
	batch.colour = options_colour(options, isatty(STDOUT_FILENO));
	if (options->plain)
		line_be_plain();
	if (follows_file(options))
		return EXIT_USAGE;
	if (!load(shell, path, options->follow, &status))
		return status;
	if (options->follow && !start_following(shell, options))
		return EXIT_USAGE;
	if (shell_validates_soon(shell))
		shell_validate(shell, NULL, NULL);
	status = answer_plain(shell, options, &batch, prompt, counts);
	tell_last_findings(shell);
	if (options->follow && only_cut(shell))
		tell_last_warnings(shell, shell_warnings(shell));
	return status;
}

/* Lines of -c and -x for the screen, each for the caller to free. */
typedef VEC(char *) line_list;

static bool add_file(line_list *lines, const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;

	if (!file) {
		say("%s: %s", path, strerror(errno));
		return false;
	}
	while ((len = getline(&line, &cap, file)) >= 0) {
		size_t blank = strspn(line, " \t");

		if (len && line[len - 1] == '\n')
			line[--len] = '\0';
		if (line[blank] && line[blank] != '#')
			vec_push(lines, mem_copy(line, (size_t)len));
	}
	free(line);
	fclose(file);
	return true;
}

static bool add_tasks(const struct options *options, line_list *lines)
{
	for (size_t i = 0; i < options->tasks.len; i++) {
		const struct task *task = &options->tasks.at[i];

		if (task->is_file && !add_file(lines, task->text))
			return false;
		if (!task->is_file)
			vec_push(lines, mem_copy(task->text, strlen(task->text)));
	}
	return true;
}

static int run_screen(struct shell *shell, const struct options *options, const char *path)
{
	struct app_options app = { .ascii = options->ascii, .no_mouse = options->no_mouse,
	                           .slow = options->slow,
	                           .follow = options->follow, .look = options->poll,
	                           .style = options->style };
	line_list lines = {0};
	struct err err = {0};
	int status = EXIT_USAGE, of_lines = EXIT_FINE;

	app.colour = options_colour(options, true);
	if (!add_tasks(options, &lines))
		goto out;
	app.lines = lines.at;
	app.n_lines = lines.len;
	switch (app_run(shell, &app, &of_lines, &err)) {
	case APP_LEFT:
		status = of_lines;
		break;
	case APP_NOT_LOADED:
		status = unreadable(path, &err);
		break;
	case APP_NO_TERMINAL:
		say("%s", err.msg);
		break;
	}
out:
	for (size_t i = 0; i < lines.len; i++)
		free(lines.at[i]);
	vec_release(&lines);
	return status;
}

/* The screen needs a terminal on both ends, unless it was asked for by name. */
static int run(struct shell *shell, const struct options *options, const char *path)
{
	bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	bool batch = options->tasks.len && !options->interactive;

	bool counts = options->plain || term_kind() == TERM_DUMB;

	if (batch || options->plain || options->ui == UI_LINE ||
	    (options->ui == UI_AUTO && !terminal))
		return run_plain(shell, options, terminal, counts, path);
	if (options->ui == UI_AUTO && term_kind() == TERM_DUMB)
		return run_plain(shell, options, terminal, counts, path);
	return run_screen(shell, options, path);
}

/* Parts of a profile that the options name. */
static bool name_parts(struct shell *shell, const struct options *options, int *status)
{
	struct err err = {0};
	const char *path = options->graph;
	bool ok = !path || shell_name_graph(shell, path, &err);

	if (ok && options->op_log) {
		path = options->op_log;
		ok = shell_name_op_log(shell, path, &err);
	}
	for (size_t i = 0; ok && i < options->run_metadata.len; i++) {
		path = options->run_metadata.at[i];
		ok = shell_name_run_metadata(shell, path, &err);
	}
	if (!ok)
		*status = unreadable(path, &err);
	return ok;
}

static bool take_raw_type(const char *name, int *status)
{
	if (!name || shell_raw_type(name))
		return true;
	say("--as=%s: no type of elements (bfloat16, float16, float8_e5m2...)", name);
	*status = EXIT_USAGE;
	return false;
}

/* What the options name for whatever is opened. */
static bool take_parts(struct shell *shell, const struct options *options, int *status)
{
	struct err err = {0};

	for (size_t i = 0; i < options->source_maps.len; i++)
		if (!shell_source_map(shell, options->source_maps.at[i], &err)) {
			say("--source-map=%s: %s",
			        options->source_maps.at[i], err.msg);
			*status = EXIT_USAGE;
			return false;
		}
	if (options->stacks && !shell_stacks(shell, options->stacks, &err)) {
		*status = unreadable(options->stacks, &err);
		return false;
	}
	return true;
}

/* Without PATH it is this directory, unless parts are named. */
static const char *path_of(const struct options *options)
{
	bool named = options->graph || options->op_log || options->run_metadata.len;

	return options->path ? options->path : named ? NULL : ".";
}

/* After standard input was read to its end, commands come from the terminal, if there is one. */
static void take_terminal(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);

	if (fd < 0)
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
}

/* A PATH that is to be followed need not be there yet. */
static bool open_path(struct shell *shell, const struct options *options, struct err *err)
{
	const char *path = path_of(options);
	bool ok, is_other;

	if (options->follow && path && !is_input(path) && !dump_is_at(path, &is_other) &&
	    !is_other) {
		say("waiting for a dump at %s (Ctrl-C stops)", path);
		wait_for_dump(path, options->poll);
	}
	ok = shell_open_watched(shell, path, line_begin_work(), err);
	line_end_work();
	if (path && is_input(path))
		take_terminal();
	return ok;
}

/* Are all tasks lines that say nothing of a dump? */
static bool needs_nothing(const struct options *options)
{
	for (size_t i = 0; i < options->tasks.len; i++)
		if (options->tasks.at[i].is_file
		    || !shell_needs_nothing(options->tasks.at[i].text))
			return false;
	return options->tasks.len && !options->interactive;
}

static int run_opened(struct shell *shell, const struct options *options)
{
	int status;

	if (!take_parts(shell, options, &status))
		return status;
	return run(shell, options, options->path ? options->path : ".");
}

/* And how there would be something in it, unless it is a file of something else. */
static int unreadable_path(const char *path, const struct err *err)
{
	int status = unreadable(path, err);
	struct stat st;

	if (err->code == ERR_MISSING && (stat(path, &st) < 0 || S_ISDIR(st.st_mode)))
		recorder_tell_where(stderr);
	return status;
}

/* PATH could not be opened, or none was given. */
static int run_unopened(struct shell *shell, const struct options *options, const struct err *err)
{
	if (err->code != ERR_MISSING && err->code != ERR_IO && follows_file(options))
		return EXIT_USAGE;
	if (options->path)
		return options_tell_misplaced(options->path) ? EXIT_USAGE
		                                             : unreadable_path(options->path, err);
	if (needs_nothing(options)) {
		shell_open_nothing(shell);
		return run_opened(shell, options);
	}
	unreadable_path(".", err);
	options_tell_help(stderr);
	return EXIT_USAGE;
}

/*
 * Large blocks go back to the system as soon as they are freed, and grow without a copy. glibc
 * takes its limit from the largest one that was freed so far, up to 32 MB; what is below it leaves
 * holes.
 */
static void keep_large_blocks_apart(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 1024 * 1024);
#endif
}

/*
 * Three that are open, whatever we were started with: no file that is opened later gets the number
 * of one of them.
 */
static void open_standards(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

/*
 * A file that reaches the limit of its size: the write fails, and that is told. Programs we start
 * have the system's way.
 */
static void pass_over(int number)
{
	(void)number;
}

/* What was printed has to have arrived. */
static int finish(int status)
{
	if (fflush(stdout) != 0 && !output_errno)
		output_errno = errno;
	if (!output_errno && !ferror(stdout))
		return status;
	say("standard output: %s", strerror(output_errno ? output_errno : EIO));
	return status == EXIT_FINE ? EXIT_COMMAND_FAILED : status;
}

int main(int argc, char **argv)
{
	struct options options = {0};
	struct shell *shell;
	struct err err = {0};
	int status;

	table_register();
	open_standards();
	signal(SIGXFSZ, pass_over);
	locale_take();
	mem_on_empty(out_of_memory);
	keep_large_blocks_apart();
	if (subcommand_is(argc, argv))
		return finish(subcommand_run(argc, argv));
	if (!options_read(argc, argv, &options)) {
		options_release(&options);
		return EXIT_USAGE;
	}
	if (options.recorder && !options.help) {
		bool told = recorder_print(options.recorder, options.format, stdout);

		options_release(&options);
		return finish(told ? EXIT_FINE : EXIT_USAGE);
	}
	if (options.help || options.version) {
		if (options.help)
			options_help(stdout);
		else
			printf("tensordbg %s\n", TENSORDBG_VERSION);
		options_release(&options);
		return finish(EXIT_FINE);
	}
	shell = shell_new();
	shell_hold_against(shell, options.against);
	if (options.no_cache)
		shell_no_cache();
	shell_narrow(shell, options.worker);
	if (options.max_temp)
		shell_unpack_at_most(options.max_temp);
	if (!take_raw_type(options.raw_type, &status) || !name_parts(shell, &options, &status)) {
		/* status is set */
	} else {
		status = open_path(shell, &options, &err) ? run_opened(shell, &options)
		                                          : run_unopened(shell, &options, &err);
	}
	shell_free(shell);
	options_release(&options);
	return finish(status);
}
