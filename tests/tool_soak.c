/*
 * A person at the keyboard who knows the program and doesn't care: commands, half commands, keys
 * of every view, vi and emacs keys, pastes, broken sequences and bytes that are no text, the
 * mouse, sizes from 1x1 to beyond what is used, signals. All of a session follows from its seed,
 * so a session that ended badly can be had again; its steps are then tried in smaller lots, and
 * the least that still ends badly is printed.
 *
 *   tool_soak SEED...              these sessions
 *   tool_soak --minutes N [SEED]   sessions from SEED on (or from the time), for so long
 *
 * Good ends: by the signal that was sent, or with status 0 or 1, the terminal as it was, no report
 * of a sanitizer.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"
#include "tests/huge.h"
#include "tests/program.h"
#include "tests/small_dump.h"
#include "tests/terminal.h"

#define COUNT(table) (sizeof (table) / sizeof *(table))
#define PICK(dice, table) ((table)[roll(dice, COUNT(table))])
enum { STEPS = 150, LEAST_TRIES = 60, BAD_EXIT = 99 };

/* Steps. */

enum kind { STEP_TYPE, STEP_REST, STEP_SIZE, STEP_SIGNAL, STEP_GROW };
struct step {
	enum kind kind;
	char *bytes;
	int a, b;                /* rows and columns; the signal */
};
typedef VEC(struct step) steps;

struct session {
	unsigned long seed;
	size_t input;
	bool vi, ascii, mono, modern;
	int rows, cols;
	int end;                 /* a signal; 0: the command exit, -1: F10 */
	steps steps;
};

static uint64_t next(uint64_t *dice)
{
	*dice ^= *dice << 13;
	*dice ^= *dice >> 7;
	*dice ^= *dice << 17;
	return *dice >> 11;
}

static size_t roll(uint64_t *dice, size_t n)
{
	return next(dice) % n;
}

/* What is opened: below testdata, or made in the scratch directory. */
static const struct { const char *path; bool made, follow; } inputs[] = {
	{ "mnist_nan", false, false }, { "train20", false, false }, { "runs/mixed", false, false },
	{ "profile/linear", false, false }, { "profile/gpu_like", false, false },
	{ "profile/while_loop", false, false }, { "damaged_tensors", false, false },
	{ "dtypes", false, false }, { "two_devices", false, false },
	{ "tf0.12.1_loop", false, false },
	{ "profile/linear/graph.pb", false, false },
	{ "profile/linear/run_metadata.pb", false, false },
	{ "v2/mode_CONCISE_HEALTH", false, false }, { "v2/while_overflow", false, false },
	{ "v2/workers", false, false },
	{ "huge", true, false },
	{ "followed", true, true },
};

static const char *const commands[] = {
	"lt", "lt -f has_inf_or_nan", "lt -s dump_size -r", "lt -n hidden", "lt -t Const",
	"lt --health", "lx", "la", "lx -f has_inf_or_nan", "run -n", "back -n", "run --to 31", "lg",
	"lt --all-steps", "runs 2",
	"ni -a -d -t hidden/add", "ni cross_entropy/Log", "li -r -t -c cross_entropy/Log",
	"lo -r softmax",
	"pt softmax:0", "pt -a hidden/Relu:0", "pt -s cross_entropy/Log:0", "pt huge:0",
	"pt small:0",
	"pt huge:0[5, :]", "grid softmax:0", "grid huge:0", "picture softmax:0",
	"picture cross_entropy/Log:0",
	"graph softmax", "graph cross_entropy/Log", "runs", "run", "run -t 5", "run -b",
	"run -f has_inf_or_nan",
	"run 3", "back 2", "run_info", "diff 1", "diff --all 1", "diff softmax:0 1", "ps",
	"ps -b 1 x.py",
	"kernels", "timeline", "memory", "scopes", "lp", "lp -s op_type", "lp -n Mat", "tfprof",
	"step next",
	"step prev", "steps", "help", "help lt", "messages", "version", "config",
	"config set graph_recursion_depth 5",
	"config set page_keys line", "config set wrap false", "config set wrap true",
	"config set theme mono", "config set theme light", "config themes",
	"config set style modern", "config set style tfdbg",
	"filter add bad nan || inf", "filter", "lt -f bad", "marks", "layout", "layout single",
	"layout detail",
	"layout side", "layout runs", "layout timeline", "layout save mine", "layout mine",
	"split h", "split v",
	"focus next", "focus 1", "focus 2", "focus 3", "resize +3", "resize -40", "zoom", "close",
	"close", "mouse on",
	"mouse off", "prev", "next", "@[3,1]", "@5", "/Log", "/", "/[", "?Const", "&Log", "&!grad",
	"&", "lt > out.txt",
	"ls", "ls -b hidden", "ev `softmax:0`.sum()", "ev `softmax:0` * 2", "pf", "bogus", "lt -q",
	"li", "\"x",
	"wait", "follow", "save softmax:0 x.npy", "where softmax:0", "summary softmax:0", "top",
};
static const char *const keys[] = {
	"j", "k", "g", "G", " ", "b", "0", "$", "/", "?", "n", "N", "&", "@", ":", "i", "\t", "\r",
	"f", "a", "s", "H",
	"L", "o", "O", "e", "p", "]n", "[n", "]r", "[r", "]d", "[d", "]e", "[e", "]s", "[s", "ma",
	"'a", "''", "yy", "yc",
	"yl", "yp", "-S", "-N", "-i", ",", ".", "w", "z", "v", "V", "{", "}", "F", "R", "M", "W",
	"=", "h", "\033", "<", ">",
	"S", "u", "#", "B", "U", "D", "(", ")", "X", "%", "l", "c", "C", "E", "5", "30", "999999",
	"q", "x", "\x04", "\x15",
	"gg", "gt", "gr", "gk", "gl", "gm", "gs", "go", "d", "I", "t", "T",
	"\x06", "\x02", "\x0c", "jjjjj", "\x18o", "]", "m", "y", "~",
};
static const char *const special[] = {
	"\033[A", "\033[B", "\033[C", "\033[D", "\033OA", "\033OB", "\033OC", "\033OD", "\033[H",
	"\033[F", "\033[5~",
	"\033[6~", "\033[2~", "\033[3~", "\033[Z", "\033[1;2A", "\033[1;2B", "\033[1;2R", "\033OP",
	"\033OR", "\033OS",
	"\033[17~", "\033[18~", "\033[19~", "\033[1;5C", "\033[1;3D", "\033[15~", "\177",
};
static const char *const editing[] = {
	"\x01", "\x05", "\x02", "\x06", "\x0b", "\x17", "\x19", "\x15", "\x1f", "\x10", "\x0e",
	"\x12", "\x13", "\x07",
	"\x0f", "\x14", "\x16", "\x18(", "\x18)", "\x18" "e", "\x18\x18", "\x18u", "\033b", "\033f",
	"\033d", "\033.",
	"\033_", "\033<", "\033>", "\033p", "\033n", "\033y", "\033r", "\033u", "\033\177", "\0334",
	"\033-", "\033\r",
	"\033k", "\033j", "\033dd", "\033cw", "\033.", "\033u", "\033U", "\033/lt\r", "\033n",
	"\033A", "\033I",
	"\033x", "\033p", "\033fe", "\033;", "\033%", "\033R", "\033~", "\033|", "\033#", "\033dt:",
	"\033yw",
};
static const char *const broken[] = {
	"\033[", "\033[2", "\033O", "\033[<0;5", "\033[<0;5;9", "\033[200", "\033[M", "\033[?1;2c",
	"\033]0;x\a", "\033[1;",
	"\033\033", "\033\033[A", "\033P1$r\033\\", "\033[999;999H", "\033[<35;300;300M",
	"\033[<99;1;1M",
	"\033[<0;99999;99999M", "\xff\xfe", "\xc3", "\xe6\x97", "\xf0\x9f\x92\xa9", "\xed\xa0\x80",
	"\xc0\x80", "\x1c", "\x1d",
	"\xe2\x80\xae", "e\xcc\x81", "\xe6\x97\xa5\xe6\x9c\xac", "\xf4\x90\x80\x80",
};
static const char *const halves[] = {
	"l", "lt -", "lt -f ", "lt -s ", "pt ", "pt hid", "ni cross_", "help ", "config ",
	"config set ", "layout ", "run -f ",
	"ps ", "", "li -r softm", "pt softmax:0[", "filter ",
};
static const struct { int rows, cols; } sizes[] = {
	{ 24, 80 }, { 24, 80 }, { 40, 120 }, { 60, 220 }, { 1, 1 }, { 2, 1 }, { 1, 80 }, { 3, 10 },
	{ 5, 19 }, { 6, 20 },
	{ 7, 20 }, { 8, 21 }, { 9, 40 }, { 10, 3 }, { 16, 40 }, { 12, 1100 }, { 1100, 30 },
	{ 1002, 1003 }, { 30, 161 },
};
static const int ends[] = {
	0, 0, 0, -1, SIGTERM, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU,
};

static void put_step(struct session *s, enum kind kind, const char *bytes, int a, int b)
{
	vec_push(&s->steps, ((struct step){ kind, mem_copy(bytes, strlen(bytes)), a, b }));
}

static void put_mouse(struct session *s, uint64_t *dice)
{
	static const int buttons[] = { 0, 0, 0, 32, 64, 65, 1, 2 };
	struct str text = {0};
	int row = 1 + (int)roll(dice, 26), col = 1 + (int)roll(dice, 82);
	int button = PICK(dice, buttons);

	str_fmt(&text, "\033[<%d;%d;%dM", button, col, row);
	if (roll(dice, 3))
		str_fmt(&text, "\033[<%d;%d;%dm", button, col, row);
	put_step(s, STEP_TYPE, text.text, 0, 0);
	str_release(&text);
}

static void put_paste(struct session *s, uint64_t *dice)
{
	struct str text = {0};

	str_puts(&text, "\033[200~");
	for (size_t n = roll(dice, 40); n; n--) {
		str_puts(&text, roll(dice, 8) ? PICK(dice, halves) : PICK(dice, broken));
		str_puts(&text, roll(dice, 6) ? " " : "\r\n");
	}
	if (roll(dice, 6))
		str_puts(&text, "\033[201~");
	put_step(s, STEP_TYPE, text.text, 0, 0);
	str_release(&text);
}

/* Never a redirect, a pipe or a program: those would leave the scratch directory. */
static void put_random(struct session *s, uint64_t *dice)
{
	char text[8] = "";

	for (size_t i = 0, n = 1 + roll(dice, 6); i < n; i++) {
		char c = (char)(1 + roll(dice, 127));

		text[i] = strchr(">|!;`/\x1a", c) ? 'z' : c;
	}
	put_step(s, STEP_TYPE, text, 0, 0);
}

static void put_line(struct session *s, const char *line, const char *end)
{
	struct str text = {0};

	str_fmt(&text, "%s%s%s", s->modern ? ":" : "", line, end);
	put_step(s, STEP_TYPE, text.text, 0, 0);
	str_release(&text);
}

static void put_size(struct session *s, uint64_t *dice)
{
	size_t k = roll(dice, COUNT(sizes));

	put_step(s, STEP_SIZE, "", sizes[k].rows, sizes[k].cols);
}

static void put_any(struct session *s, uint64_t *dice)
{
	static const int signals[] = {
		SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGPIPE, SIGCHLD, SIGURG,
	};
	size_t which = roll(dice, 100);

	if (which < 28)
		put_step(s, STEP_TYPE, PICK(dice, keys), 0, 0);
	else if (which < 46)
		put_line(s, PICK(dice, commands), "\r");
	else if (which < 52)
		put_line(s, PICK(dice, halves), "\t");
	else if (which < 62)
		put_step(s, STEP_TYPE, PICK(dice, special), 0, 0);
	else if (which < 72)
		put_step(s, STEP_TYPE, PICK(dice, editing), 0, 0);
	else if (which < 76)
		put_step(s, STEP_TYPE, PICK(dice, broken), 0, 0);
	else if (which < 81)
		put_mouse(s, dice);
	else if (which < 83)
		put_paste(s, dice);
	else if (which < 86)
		put_random(s, dice);
	else if (which < 88)
		put_step(s, STEP_TYPE, "\x03", 0, 0);
	else if (which < 92)
		put_size(s, dice);
	else if (which < 94)
		put_step(s, STEP_SIGNAL, "", PICK(dice, signals), 0);
	else if (which < 95)
		put_step(s, STEP_GROW, "", 0, 0);
	else
		put_step(s, STEP_REST, "", 0, 0);
}

static void session_make(struct session *s, unsigned long seed)
{
	uint64_t dice = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
	size_t size, n;

	*s = (struct session){ .seed = seed };
	for (int i = 0; i < 8; i++)
		next(&dice);
	s->input = roll(&dice, COUNT(inputs));
	s->vi = roll(&dice, 2);
	s->ascii = !roll(&dice, 5);
	s->mono = !roll(&dice, 5);
	s->modern = roll(&dice, 3) > 0;
	size = roll(&dice, COUNT(sizes));
	s->rows = roll(&dice, 3) ? 24 : sizes[size].rows;
	s->cols = s->rows == 24 ? 80 : sizes[size].cols;
	s->end = PICK(&dice, ends);
	n = 20 + roll(&dice, STEPS);
	for (size_t i = 0; i < n; i++)
		put_any(s, &dice);
}

static void session_release(struct session *s)
{
	for (size_t i = 0; i < s->steps.len; i++)
		free(s->steps.at[i].bytes);
	vec_release(&s->steps);
}

/* Where it runs. */

static char *scratch, *testdata;

static void shell(const char *script)
{
	struct str line = {0};

	str_fmt(&line, "cd '%s' && %s", scratch, script);
	if (system(line.text) != 0)
		fprintf(stderr, "tool_soak: failed: %s\n", line.text);
	str_release(&line);
}


static void make_inputs(void)
{
	struct str path = {0};

	scratch = scratch_new();
	shell("echo set editing-mode vi >vi; echo set editing-mode emacs >emacs; "
	      "printf 'leak:libreadline\\nleak:libncurses\\nleak:libtinfo\\n' >leaks; "
	      "mkdir -p huge/" SMALL_DEVICE " && "
	      ": >huge/" SMALL_DEVICE "/small_0_DebugIdentity_1000");
	str_fmt(&path, "%s/huge/%s/huge_0_DebugIdentity_1001", scratch, SMALL_DEVICE);
	if (!huge_write(path.text, "huge", 0, 2, (const int64_t[]){ 1000000, 250000 }))
		fprintf(stderr, "tool_soak: no %s\n", path.text);
	str_release(&path);
}

/*
 * Of the directory that is followed: it begins with one run, and each time gets another one, or
 * loses a file.
 */
static void grow(size_t n)
{
	struct str line = {0};

	if (!n)
		str_fmt(&line, "rm -rf followed && mkdir followed && "
		        "cp -r \"$(ls -d '%s'/runs/mixed/run_* | head -1)\" followed/", testdata);
	else if (n % 5 == 4)
		str_puts(&line, "rm -f \"$(find followed -type f | sort | sed -n 3p)\"");
	else
		str_fmt(&line, "cp -r \"$(ls -d '%s'/runs/mixed/run_* | sed -n %zup)\" followed/ "
		        "2>/dev/null; true",
		        testdata, 1 + n % 12);
	shell(line.text);
	str_release(&line);
}

static struct terminal *session_start(const struct session *s)
{
	const char *argv[8] = { program_path() };
	struct str set[7] = {0}, path = {0};
	const char *env[12];
	size_t n = 1, n_env = 0;
	struct terminal *t;

	str_fmt(&set[n_env++], "HOME=%s/home", scratch);
	str_fmt(&set[n_env++], "XDG_STATE_HOME=%s/state", scratch);
	str_fmt(&set[n_env++], "XDG_CONFIG_HOME=%s/config", scratch);
	str_fmt(&set[n_env++], "INPUTRC=%s/%s", scratch, s->vi ? "vi" : "emacs");
	str_fmt(&set[n_env++], "ASAN_OPTIONS=exitcode=%d:log_path=%s/report:detect_leaks=1",
	        BAD_EXIT, scratch);
	str_fmt(&set[n_env++], "TSAN_OPTIONS=exitcode=%d:log_path=%s/report", BAD_EXIT, scratch);
	str_fmt(&set[n_env++], "LSAN_OPTIONS=suppressions=%s/leaks:print_suppressions=0", scratch);
	for (size_t i = 0; i < n_env; i++)
		env[i] = set[i].text;
	env[n_env++] = s->mono ? "NO_COLOR=1" : "NO_COLOR";
	env[n_env] = NULL;
	argv[n++] = s->modern ? "--screen=modern" : "--screen=tfdbg";
	if (s->ascii)
		argv[n++] = "--ascii";
	if (inputs[s->input].follow)
		argv[n++] = "--follow";
	str_fmt(&path, "%s/%s", inputs[s->input].made ? scratch : testdata, inputs[s->input].path);
	argv[n++] = path.text;
	argv[n] = NULL;
	t = terminal_start(argv, env, scratch, 24, 80);
	if (t)
		terminal_tell_size(t, s->rows, s->cols);
	for (size_t i = 0; i < COUNT(set); i++)
		str_release(&set[i]);
	str_release(&path);
	return t;
}

/* Running one. */

static void take_step(struct terminal *t, const struct step *step, size_t *grown)
{
	switch (step->kind) {
	case STEP_TYPE: terminal_type(t, step->bytes); break;
	case STEP_REST: terminal_drain(t); break;
	case STEP_SIZE: terminal_tell_size(t, step->a, step->b); break;
	case STEP_SIGNAL: terminal_signal(t, step->a); break;
	case STEP_GROW: grow(++*grown); break;
	}
}

static void end(struct terminal *t, int how)
{
	terminal_drain(t);
	terminal_tell_size(t, 24, 80);
	if (how > 0)
		terminal_signal(t, how);
	else if (how < 0)
		terminal_type(t, "\033[201~\x07\x03\x03\033[21~");
	else
		terminal_type(t, "\033[201~\x07\x03\x03:\x05\x15" "exit\r");
	/* what is open, asked or repeated may take those keys */
	if (how <= 0)
		terminal_drain(t), terminal_signal(t, SIGTERM);
}

/* What the program left changed in the terminal; NULL: nothing. */
static const char *left_changed(struct terminal *t)
{
	if (!terminal_settings_kept(t))
		return "its settings";
	if (terminal_alternate(t))
		return "the alternate screen";
	if (terminal_wants_mouse(t))
		return "the mouse";
	return terminal_cursor_shown(t) ? NULL : "no cursor";
}

static bool is_restored(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return !left_changed(t);
}

/* Of two Ctrl-C the second may come when the terminal is back, and the program on its way out. */
static bool is_key_signal(int signal)
{
	return signal == SIGINT || signal == SIGQUIT;
}

/* What is wrong with the end; "" if nothing. */
static void judge(struct terminal *t, int how, struct str *out)
{
	const char *changed;
	int status = 0;

	if (!terminal_ended(t, &status)) {
		str_puts(out, "did not end:");
		terminal_put_state(t, out);
		return;
	}
	/* what it wrote last may still be on its way through the kernel */
	terminal_comes_to(t, is_restored, NULL);
	changed = left_changed(t);
	if (WIFSIGNALED(status) && WTERMSIG(status) != how && WTERMSIG(status) != SIGTERM &&
	    (!is_key_signal(WTERMSIG(status)) || changed))
		str_fmt(out, "died by signal %d", WTERMSIG(status));
	else if (WIFEXITED(status) && WEXITSTATUS(status) > 1)
		str_fmt(out, "ended with status %d", WEXITSTATUS(status));
	else if (changed)
		str_fmt(out, "status %d", status);
	if (changed)
		str_fmt(out, ", left the terminal changed: %s", changed);
}

/* Before that the terminal itself makes signals of keys. */
static bool is_raw(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return !terminal_settings_kept(t);
}

static void run(const struct session *s, struct str *wrong)
{
	struct terminal *t;
	size_t grown = 0;

	shell("rm -rf home state config report.*; mkdir home");
	grow(0);
	str_reset(wrong);
	t = session_start(s);
	if (!t) {
		str_puts(wrong, "no pseudo-terminal");
		return;
	}
	terminal_wait(t, is_raw, NULL);
	for (size_t i = 0; i < s->steps.len; i++)
		take_step(t, &s->steps.at[i], &grown);
	end(t, s->end);
	judge(t, s->end, wrong);
	terminal_free(t);
}

/* Fewer steps that still end badly. */

static bool still_bad(const struct session *s, size_t from, size_t n, struct str *wrong)
{
	struct session less = *s;

	less.steps = (steps){0};
	for (size_t i = 0; i < s->steps.len; i++)
		if (i < from || i >= from + n)
			vec_push(&less.steps, s->steps.at[i]);
	run(&less, wrong);
	vec_release(&less.steps);
	return wrong->len > 0;
}

static void make_least(struct session *s)
{
	struct str wrong = {0};
	int tries = 0;

	for (size_t n = s->steps.len / 2; n && tries < LEAST_TRIES; n /= 2)
		for (size_t from = 0; from < s->steps.len && tries < LEAST_TRIES; tries++) {
			size_t lot = n < s->steps.len - from ? n : s->steps.len - from;

			if (!still_bad(s, from, lot, &wrong)) {
				from += n;
				continue;
			}
			for (size_t i = from; i < from + lot; i++)
				free(s->steps.at[i].bytes);
			memmove(s->steps.at + from, s->steps.at + from + lot,
			        (s->steps.len - from - lot) * sizeof *s->steps.at);
			s->steps.len -= lot;
		}
	run(s, &wrong);
	printf("  least: %s\n", wrong.len ? wrong.text : "(not every time)");
	str_release(&wrong);
}

static void print_steps(const struct session *s)
{
	printf("  %s%s%s%s %s, %dx%d, end %d\n", s->vi ? "vi" : "emacs",
	       s->modern ? "" : " --screen=tfdbg", s->ascii ? " --ascii" : "",
	       s->mono ? " NO_COLOR" : "", inputs[s->input].path, s->cols, s->rows, s->end);
	for (size_t i = 0; i < s->steps.len; i++) {
		const struct step *step = &s->steps.at[i];

		switch (step->kind) {
		case STEP_TYPE:
			printf("  type   ");
			for (const char *c = step->bytes; *c; c++)
				printf(*c >= ' ' && *c < 0x7f && *c != '\\' ? "%c" : "\\x%02x",
				       (unsigned char)*c);
			printf("\n");
			break;
		case STEP_REST: printf("  rest\n"); break;
		case STEP_SIZE: printf("  size   %dx%d\n", step->b, step->a); break;
		case STEP_SIGNAL: printf("  signal %d\n", step->a); break;
		case STEP_GROW: printf("  grow\n"); break;
		}
	}
}

static bool is_fine(unsigned long seed)
{
	struct session s;
	struct str wrong = {0};
	bool fine;

	session_make(&s, seed);
	run(&s, &wrong);
	fine = !wrong.len;
	if (!fine) {
		printf("seed %lu: %s; again: tests/soak.sh %lu\n", seed, wrong.text, seed);
		fflush(stdout);
		shell("for f in report.*; do [ -f \"$f\" ] && head -60 \"$f\"; done; true");
		make_least(&s);
		print_steps(&s);
	}
	session_release(&s);
	str_release(&wrong);
	return fine;
}

int main(int argc, char **argv)
{
	bool timed = argc > 2 && !strcmp(argv[1], "--minutes");
	time_t until = time(NULL) + (timed ? (time_t)(strtod(argv[2], NULL) * 60) : 0);
	unsigned long seed = timed && argc > 3 ? strtoul(argv[3], NULL, 10)
	                                       : (unsigned long)time(NULL);
	int passed = 0, failed = 0;

	/* A shell ignores these for what runs in its background, and so would each session. */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	testdata = realpath("testdata", NULL);
	make_inputs();
	if (timed)
		printf("from seed %lu\n", seed);
	fflush(stdout);
	for (; timed && time(NULL) < until; seed++)
		++*(is_fine(seed) ? &passed : &failed);
	for (int i = 1; !timed && i < argc; i++)
		++*(is_fine(strtoul(argv[i], NULL, 10)) ? &passed : &failed);
	scratch_remove(scratch);
	free(testdata);
	printf("%d passed, %d failed\n", passed, failed);
	return passed && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
