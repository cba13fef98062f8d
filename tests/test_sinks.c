/*
 * Bytes of a hostile PATH at every place where they could reach a terminal: each command in each
 * format, files, standard error, the line interface with its completion, the screen, the
 * clipboard. Each command of the table has to be in a list.
 */
#include "tests/suite.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "cmds/lang/cmd.h"
#include "cmds/lang/registry.h"
#include "dump/base/utf8.h"
#include "tests/on_screen.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/spoiled.h"

static char *dir;

/* The hostile ones, below dir. */
enum { DUMP, RUNS, SESSION, PROFILE, KERNELS, PROGRAM, N_PATHS };
static const struct { const char *from, *to; } paths[N_PATHS] = {
	[DUMP] = { "testdata/linear", "linear" },
	[RUNS] = { "testdata/train20", "train20" },
	[SESSION] = { "testdata/session", "session" },
	[PROFILE] = { "testdata/profile/linear", "demo" },
	[KERNELS] = { "testdata/profile/gpu_like", "hidden" },
	[PROGRAM] = { "testdata/v2/mode_CONCISE_HEALTH", "train" },
};

static char *path_of(int which)
{
	struct str path = {0};

	str_fmt(&path, "%s/", dir);
	put_spoiled(&path, paths[which].to);
	return path.text;
}

/* Made when it is asked for. */
static char *made_path(int which)
{
	char *path = path_of(which);

	if (access(path, F_OK) != 0)
		spoiled_copy(paths[which].from, path);
	return path;
}

static void make_paths(void)
{
	dir = scratch_new();
	make_home();
}

static void remove_paths(void)
{
	scratch_remove(dir);
	remove_home();
}

/* Words are spoiled like the files. $W is the directory for what is written. */
#define MAX_LINES 64
static const struct { int path; const char *lines[MAX_LINES]; } sessions[] = {
	{ DUMP, {
		"list_tensors", "lt -f has_inf_or_nan", "lt -n '.*' -s op_type --times",
		"lt --health -s bad -r", "origins -a",
		"node_info -a -d -t linear/xw", "ni loss/mse",
		"ni gradients/linear/xw_grad/MatMul", "list_inputs -r -c -t -d 9 loss/mse",
		"lo -r -c -t -d 9 linear/w",
		"print_tensor linear/w:0", "pt linear/w:0 -w $W/linear.csv", "pt linear/nosuch:0",
		"eval '`linear/w:0` + 1'", "ev `linear/none:0`",
		"print_feed linear:0", "pf x:0", "run_info", "list_source", "ls -p linear",
		"print_source linear.py",
		"ps linear.py -t", "grid linear/w:0", "picture linear/w:0", "explain linear/w:0",
		"export $W/linear4", "export linear/none --as linear",
		"dot -o $W/linear.dot", "dot linear/xw",
		"graph linear/xw", "filter add nosuch 'max > 1' --session", "filter", "messages",
		"alias linear", "alias", "unalias linear", "bind", "unbind linear", "tagged",
		"tagged linear", "marks linear",
		"help linear",
		"version", "config", "marks", "diff linear", "run", "runs", "lt > $W/linear",
		"doctor", "overview", "origins 1", "du --depth 9", "du -g op linear",
		"du -g dtype", "du -g device",
		"lt -o json > $W/linear.json", "linear", "lt \033]0;\007",
	} },
	{ DUMP, { "step linear", "memory", "layout linear", "focus linear", "close",
	"split linear", "zoom", "resize linear", "back",
		"exit" } },
	{ RUNS, {
		"runs", "run -t 1", "lt", "diff", "diff linear", "ri", "lt -f has_inf_or_nan",
		"diff hidden/weights:0", "run -f has_inf_or_nan", "du -g run", "du --run 2 hidden",
		"drift", "drift --all -s name", 		"doctor",
		"ni hidden/log_x", "pt hidden/log_x:0", "run linear",
	} },
	{ SESSION, { "runs", "run", "lt", "ri", "pf x:0", "ni loss/mse", "lo -r linear/w" } },
	{ PROFILE, {
		"list_profile", "lp -n linear -s op_time", "lp -d CPU -f '.*'",
		"print_source linear.py", "ps linear.py -t", "ls",
		"kernels", "kernels -g op", "kernels -g type",
		"kernels -g source --columns source,device", "kernels linear", "scopes",
		"scopes linear",
		"memory", "timeline", "timeline -o $W/demo",
		"timeline --style modern -o $W/demo2", "pprof -o $W/demo.gz", "step",
		"step linear",
		"tfprof scope -max_depth 20", "tfprof graph -max_depth 20", "tfprof op",
		"tfprof code -max_depth 20", "tfprof advise",
		"tfprof op -output file:outfile=$W/op",
		"tfprof scope -output file:outfile=$W/linear2", "tfprof scope -nosuch linear",
		"tfprof linear", "tfprof graph -step 0 -output timeline:outfile=$W/graph",
		"dot linear/xw", "graph linear/xw", "lp linear --nosuch",
	} },
	{ PROGRAM, {
		"list_executions", "lx -f has_nan", "list_graphs", "lg --ops --stacks",
		"list_alerts",
		"run", "lt", "lt --all-steps -s tensor_name", "lt -n hidden", "pf", "ri", "runs",
		"run --to 31", "lt -g train_step", "lg -g train", "runs hidden", "lt -f linear",
		"back", "lx -t Square", "help lx", "overview", "du", "du -g op", "du -g run",
		"doctor", "origins -a",
	} },
	{ KERNELS, {
		"lp", "kernels", "kernels -g type", "kernels -g kernel", "kernels -g op",
		"scopes", "memory", "timeline", "kernels --records",
		"steps", "gaps", "overlap", "pipeline",
		"timeline -o $W/gpu", "timeline -o $W/gpu2 --style modern", "tfprof scope",
		"tfprof op", "tfprof code",
	} },
};
enum { N_SESSIONS = ROWS(sessions) };

static void put_line(struct str *out, const char *line)
{
	const char *at = strstr(line, "$W");

	put_spoiled(out, line);
	if (!at)
		return;
	str_reset(out);
	str_put(out, line, (size_t)(at - line));
	str_puts(out, dir);
	put_spoiled(out, at + 2);
}

/*
 * Only what is good for a terminal: no controls but newlines (tabs: and those), nothing that turns
 * text, UTF-8.
 */
static void expect_safe(const char *text, size_t len, bool tabs, const char *what)
{
	size_t bad = unsafe_at(text, len, tabs);

	ck_assert_msg(bad == len, "%s: %.*s", what, 160, text + (bad > 80 ? bad - 80 : 0));
}

static const char *const formats[] = {
	"--format=text", "--format=json", "--format=csv", "--format=doc", "--plain",
};
enum { N_FORMATS = ROWS(formats) };

static bool is_binary(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strcmp(dot, ".gz") || !strcmp(dot, ".npy"));
}

/* What was written: files of ours, not what was put there. */
static void expect_safe_files(void)
{
	DIR *all = opendir(dir);
	struct dirent *entry;
	int n = 0;

	while ((entry = readdir(all))) {
		struct str path = {0}, got = {0};

		str_fmt(&path, "%s/%s", dir, entry->d_name);
		if (entry->d_type == DT_REG && !is_binary(entry->d_name)) {
			n++;
			ck_assert(read_whole(path.text, &got));
			expect_safe(str_text(&got), got.len, true, path.text);
		}
		str_release(&path);
		str_release(&got);
	}
	closedir(all);
}

static void run_lines(int session, const char *format, struct program_run *ran)
{
	const char *argv[2 * MAX_LINES + 8] = { program_path(), format, "--keep-going", "--echo" };
	struct str lines[MAX_LINES] = {0};
	char *path = made_path(sessions[session].path);
	size_t n = 4, i;

	for (i = 0; sessions[session].lines[i]; i++) {
		ck_assert_uint_lt(i + 1, MAX_LINES);
		put_line(&lines[i], sessions[session].lines[i]);
		argv[n++] = "-c";
		argv[n++] = lines[i].text;
	}
	argv[n++] = path;
	program_run(argv, NULL, NULL, ran);
	while (i-- > 0)
		str_release(&lines[i]);
	free(path);
}

START_TEST(no_answer_lets_a_byte_through)
{
	const char *format = formats[_i % N_FORMATS];
	struct program_run ran;

	run_lines(_i / N_FORMATS, format, &ran);
	ck_assert_int_lt(ran.status, 2);
	ck_assert_uint_gt(ran.out.len, 500);
	expect_safe(str_text(&ran.out), ran.out.len, true, format);
	expect_safe(str_text(&ran.err), ran.err.len, true, "standard error");
	expect_safe_files();
	program_release(&ran);
}
END_TEST

static bool is_word(const char *line, size_t len, const struct cmd *cmd)
{
	return (strlen(cmd->name) == len && !memcmp(line, cmd->name, len)) ||
	       (cmd->alias && strlen(cmd->alias) == len && !memcmp(line, cmd->alias, len));
}

START_TEST(each_command_is_in_a_list)
{
	bool found = false;

	for (size_t i = 0; !found && i < N_SESSIONS; i++)
		for (size_t k = 0; !found && sessions[i].lines[k]; k++) {
			size_t len = strcspn(sessions[i].lines[k], " ");

			found = is_word(sessions[i].lines[k], len, registry_at(_i));
		}
	ck_assert_msg(found || !strcmp(registry_at(_i)->name, "exit"), "%s", registry_at(_i)->name);
}
END_TEST

/* A PATH that can't be opened, options, files of options: told on standard error. */
static const char *const wrong[][4] = {
	{ "linear" }, { "--linear" }, { "-\033" }, { "--format=linear", "x" },
	{ "--width=linear", "x" },
	{ "linear", "MatMul" }, { "--stacks=linear", "testdata/linear" }, { "--graph=linear" },
	{ "--source-map=linear", "testdata/linear" },
	{ "-x", "linear", "testdata/linear" }, { "--run-metadata=linear=loss" },
	{ "--op-log=linear" }, { "--ui=linear", "x" },
	{ "--echo=linear" }, { "--color", "linear" },
};

START_TEST(no_complaint_lets_a_byte_through)
{
	const char *argv[6] = { program_path() };
	struct str words[4] = {0};
	struct program_run ran;

	for (int i = 0; i < 4 && wrong[_i][i]; i++) {
		put_spoiled(&words[i], wrong[_i][i]);
		argv[i + 1] = words[i].text;
	}
	program_run(argv, NULL, NULL, &ran);
	ck_assert_int_ne(ran.status, 0);
	ck_assert_uint_gt(ran.err.len, 20);
	expect_safe(str_text(&ran.out), ran.out.len, true, "standard output");
	expect_safe(str_text(&ran.err), ran.err.len, true, "standard error");
	program_release(&ran);
	for (int i = 0; i < 4; i++)
		str_release(&words[i]);
}
END_TEST

/* Terminals. */

static void expect_clean(struct terminal *t)
{
	size_t len;
	const char *bytes = terminal_bytes(t, &len), *hit = spoiled_find(bytes, len);

	ck_assert_msg(!hit, "%.*s", 200, hit - (hit - bytes > 100 ? 100 : hit - bytes));
}

enum { ROWS_OF_SCREEN = 100, COLUMNS_OF_SCREEN = 160 };

/* line: the first to be answered, as it is told to the dump as it was. */
static struct terminal *start(int which, const char *ui, const char *line)
{
	char *path = made_path(which);
	struct str first = {0};
	const char *args[] = { ui, path, line ? "-i" : NULL, "-c", NULL, NULL };
	struct terminal *t;

	put_spoiled(&first, line ? line : "");
	args[4] = line ? str_text(&first) : NULL;
	t = start_in(NULL, args, NULL, ROWS_OF_SCREEN, COLUMNS_OF_SCREEN);
	str_release(&first);
	free(path);
	return t;
}

/*
 * Candidates are listed, and what they have in common is put in, up to the first byte that is none
 * for a terminal.
 */
START_TEST(completion_lets_no_byte_through)
{
	static const char *const begins[] = { "pt ", "ni ", "lo ", "pt g", "ps ", "lt -n " };
	struct terminal *t = start(DUMP, _i ? "--ui=curses" : "--ui=line", NULL);

	ck_assert(terminal_wait_text(t, "dumped tensor(s)"));
	for (size_t i = 0; i < ROWS(begins); i++) {
		terminal_type(t, begins[i]);
		terminal_type(t, "\t\t\t");
		terminal_type(t, "\x15version\r");
		ck_assert(terminal_wait_text(t, "tensordbg version: 0.1"));
		terminal_type(t, "runs\r");
		ck_assert(terminal_wait_text(t, "complete  "));
	}
	expect_clean(t);
	terminal_free(t);
}
END_TEST

/* Keys that come at once would be one with Alt. */
static void to_view(struct terminal *t)
{
	terminal_press(t, TKEY_ESCAPE);
	ck_assert(terminal_wait_row(t, ROWS_OF_SCREEN - 3, "row "));
}

/* Views and what their keys draw. */
static const struct { int path; const char *line, *wait;
} views[] = {
	{ DUMP, "ni -a -d -t nosuch/linear", "ERROR" },
	{ DUMP, "li -r -c -t loss/mse", "Legend" },
	{ DUMP, "ni -a -d loss/mse", "Mean" },
	{ DUMP, "pt linear/w:0", "float32" },
	{ DUMP, "ri", "train" },
	{ DUMP, "ls", "ValueError" },
	{ DUMP, "graph linear/xw", "linear" },
	{ DUMP, "nosuch linear", "ERROR" },
	{ DUMP, "lt > no/linear", "Failed" },
	{ PROFILE, "lp", "linear" },
	{ PROFILE, "kernels -g op", "model" },
	{ PROFILE, "timeline", "span" },
	{ PROFILE, "scopes", "model" },
	{ PROFILE, "memory", "Peak" },
	{ PROFILE, "tfprof op", "MatMul" },
	{ RUNS, "runs", "complete  " },
};

START_TEST(no_view_lets_a_byte_through)
{
	struct str wait = {0}, shown = {0};
	struct terminal *t = start(views[_i].path, "--ui=curses", views[_i].line);

	put_spoiled(&wait, views[_i].wait);
	utf8_escape(&shown, wait.text, wait.len);
	ck_assert(terminal_wait_text(t, shown.text));
	if (strcmp(views[_i].line, "timeline") != 0 &&
	    strncmp(views[_i].line, "graph", 5) != 0) { /* they have no rows */
		to_view(t);
		terminal_type(t, "jjjll:");
	}
	terminal_type(t, "version\r");
	ck_assert(terminal_wait_text(t, "tensordbg version: 0.1"));
	expect_clean(t);
	terminal_free(t);
	str_release(&wait);
	str_release(&shown);
}
END_TEST

static void put_base64_bytes(struct str *out, const char *text, const char *end)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, n = 0;

	for (; text < end && *text != '='; text++) {
		bits = bits << 6 | (unsigned)(strchr(digits, *text) - digits);
		n += 6;
		if (n >= 8)
			str_putc(out, (char)(bits >> (n -= 8) & 0xff));
	}
}

static const char copies[] = { 'y', 'l', 'c', 'p' };

START_TEST(no_copy_lets_a_byte_through)
{
	static const char begin[] = "\033]52;c;";
	struct terminal *t = start(DUMP, "--ui=curses",
	                           copies[_i] == 'p' ? "lt -n .*MatMul" : "lt");
	struct str text = {0};
	const char *at;
	size_t len;

	/* the pattern is none any more; the list before its answer passes */
	ck_assert(terminal_wait_text(t, copies[_i] == 'p' ? "re.error" : "dumped tensor(s)"));
	to_view(t);
	terminal_type(t, copies[_i] == 'c' ? "8G>>>" : "8G");
	terminal_type(t, "y");
	terminal_type(t, (char[]){ copies[_i], '\0' });
	ck_assert(terminal_wait_text(t, "INFO: Copied the"));
	at = terminal_bytes(t, &len);
	at = memmem(at, len, begin, strlen(begin));
	ck_assert_ptr_nonnull(at);
	at += strlen(begin);
	put_base64_bytes(&text, at, strchr(at, '\a'));
	ck_assert_uint_gt(text.len, 2);  /* of a list still to come: a size */
	expect_safe(text.text, text.len, false, "clipboard");
	expect_clean(t);
	str_release(&text);
	terminal_free(t);
}
END_TEST


SUITE_MAIN("sinks",
	tcase_add_checked_fixture(t, make_paths, remove_paths);
	tcase_add_loop_test(t, no_answer_lets_a_byte_through, 0, N_SESSIONS * N_FORMATS);
	tcase_add_loop_test(t, no_complaint_lets_a_byte_through, 0, ROWS(wrong));
	tcase_add_loop_test(t, completion_lets_no_byte_through, 0, 2);
	tcase_add_loop_test(t, no_view_lets_a_byte_through, 0, ROWS(views));
	tcase_add_loop_test(t, no_copy_lets_a_byte_through, 0, ROWS(copies));
	tcase_add_loop_test(t, each_command_is_in_a_list, 0, (int)registry_len());
)
