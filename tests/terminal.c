/*
 * The program's end of the pseudo-terminal stays open here too: so its settings can be read after
 * the program has gone, and what it wrote last is not lost. Its end is therefore told by waitpid
 * alone, asked whenever nothing came for a moment.
 */
#include "tests/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include <vterm.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/vec.h"

#define PROGRAM "/tensordbg"
enum { MOST_ARGS = 24 };

/* A wait that succeeds never takes so long; a busy machine may be slow, and sanitizers are. */
enum { DEADLINE_MS = 60000 };
#define LULL_MS 10               /* without output: ask whether the program has ended */

struct terminal {
	int master, slave;
	pid_t pid;
	bool reaped;                     /* waitpid told its end; *status is good */
	bool ended;                      /* and its last output is on the screen */
	int status;
	int64_t last_event_ms;           /* when something came, or was sent */
	int settle_ms, jitter_ms, deadline_ms;   /* of the environment, see the header */
	struct termios settings;
	VTerm *vt;
	VTermScreen *screen;
	bool cursor_shown, alternate, wants_mouse;
	struct str bytes;                /* all output */
	struct str row;                  /* text of the row read last */
	VEC(int) col;                    /* for each byte of it: its column */
};

static int on_property(VTermProp prop, VTermValue *value, void *user)
{
	struct terminal *t = user;

	if (prop == VTERM_PROP_CURSORVISIBLE)
		t->cursor_shown = value->boolean;
	else if (prop == VTERM_PROP_ALTSCREEN)
		t->alternate = value->boolean;
	else if (prop == VTERM_PROP_MOUSE)
		t->wants_mouse = value->number != VTERM_PROP_MOUSE_NONE;
	return 1;
}

static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

static void screen_new(struct terminal *t, int rows, int cols)
{
	t->vt = vterm_new(rows, cols);
	vterm_set_utf8(t->vt, 1);
	t->screen = vterm_obtain_screen(t->vt);
	t->cursor_shown = true;
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_set_callbacks(t->screen, &callbacks, t);
	vterm_screen_reset(t->screen, 1);
}

static void become(int slave, const char *const *argv, const char *const *env, const char *dir)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("TERM", "xterm-256color", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	for (; env && *env; env++) {
		char *name = mem_copy(*env, strlen(*env));
		char *value = strchr(name, '=');

		if (value)
			*value = '\0';
		if (value)
			setenv(name, value + 1, 1);
		else
			unsetenv(name);
	}
	if ((dir && chdir(dir) != 0) || login_tty(slave) != 0)
		_exit(126);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

/* argv, with the screen of most tests if it starts the program and says none of its own. */
static void with_screen(const char *const *argv, const char *out[MOST_ARGS])
{
	size_t n = 0;
	bool add = strlen(argv[0]) >= strlen(PROGRAM) &&
	           !strcmp(argv[0] + strlen(argv[0]) - strlen(PROGRAM), PROGRAM);

	for (size_t i = 0; argv[i] && n < MOST_ARGS - 2; i++) {
		out[n++] = argv[i];
		add &= strncmp(argv[i], "--screen=", strlen("--screen=")) != 0;
	}
	if (add) {
		memmove(out + 2, out + 1, (n - 1) * sizeof *out);
		out[1] = "--screen=tfdbg";
		n++;
	}
	out[n] = NULL;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * (int64_t)1000 + now.tv_nsec / 1000000;
}

static int number_set(const char *name, int otherwise)
{
	const char *value = getenv(name);

	return value ? (int)strtol(value, NULL, 10) : otherwise;
}

struct terminal *terminal_start(const char *const *argv, const char *const *env, const char *dir,
                                int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
	struct terminal *t = mem_alloc(sizeof *t);
	const char *args[MOST_ARGS];

	with_screen(argv, args);
	if (openpty(&t->master, &t->slave, NULL, NULL, &size) != 0) {
		free(t);
		return NULL;
	}
	fcntl(t->master, F_SETFD, FD_CLOEXEC);
	fcntl(t->master, F_SETFL, O_NONBLOCK);
	tcgetattr(t->slave, &t->settings);
	screen_new(t, rows, cols);
	t->last_event_ms = now_ms();
	t->settle_ms = number_set("TERMINAL_SETTLE_MS", 0);
	t->jitter_ms = number_set("TERMINAL_JITTER_MS", 0);
	t->deadline_ms = number_set("TERMINAL_DEADLINE_MS", DEADLINE_MS);
	t->pid = fork();
	if (t->pid == 0)
		become(t->slave, args, env, dir);
	if (t->pid < 0) {
		t->reaped = true;
		terminal_free(t);
		return NULL;
	}
	fcntl(t->slave, F_SETFD, FD_CLOEXEC);
	return t;
}

void terminal_free(struct terminal *t)
{
	if (!t)
		return;
	if (!t->reaped) {
		kill(t->pid, SIGKILL);
		waitpid(t->pid, NULL, 0);
	}
	close(t->master);
	close(t->slave);
	vterm_free(t->vt);
	str_release(&t->bytes);
	str_release(&t->row);
	vec_release(&t->col);
	free(t);
}

static void sleep_some(struct terminal *t)
{
	int ms = t->jitter_ms ? rand() % t->jitter_ms : 0;

	if (ms)
		poll(NULL, 0, ms);
}

/* Reads what is there, waiting a moment for it. False when nothing came. */
static bool read_some(struct terminal *t)
{
	struct pollfd ready = { .fd = t->master, .events = POLLIN };
	char buffer[16 * 1024];          /* libvterm keeps a text of this length on its stack */
	ssize_t n;

	if (poll(&ready, 1, LULL_MS) <= 0)
		return false;
	sleep_some(t);
	n = read(t->master, buffer, t->jitter_ms ? 1 + (size_t)rand() % 256 : sizeof buffer);
	if (n <= 0)
		return false;
	str_put(&t->bytes, buffer, (size_t)n);
	vterm_input_write(t->vt, buffer, (size_t)n);
	t->last_event_ms = now_ms();
	return true;
}

/* A program that does not read fills the line: then its output is read meanwhile. */
static void send_bytes(struct terminal *t, const char *bytes, size_t len)
{
	int64_t until = now_ms() + t->deadline_ms;

	sleep_some(t);
	t->last_event_ms = now_ms();
	while (len && now_ms() < until) {
		ssize_t n = write(t->master, bytes, len);

		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		} else {
			read_some(t);
		}
	}
}

/* What libvterm has to say: keys, the mouse, answers to questions. */
static void send_output(struct terminal *t)
{
	char buffer[256];
	size_t n;

	while ((n = vterm_output_read(t->vt, buffer, sizeof buffer)) > 0)
		send_bytes(t, buffer, n);
}

void terminal_type(struct terminal *t, const char *text)
{
	send_bytes(t, text, strlen(text));
}

static const VTermKey keys[] = {
	[TKEY_ENTER] = VTERM_KEY_ENTER, [TKEY_TAB] = VTERM_KEY_TAB, [TKEY_BACKTAB] = VTERM_KEY_TAB,
	[TKEY_BACKSPACE] = VTERM_KEY_BACKSPACE, [TKEY_ESCAPE] = VTERM_KEY_ESCAPE,
	[TKEY_UP] = VTERM_KEY_UP, [TKEY_DOWN] = VTERM_KEY_DOWN, [TKEY_LEFT] = VTERM_KEY_LEFT,
	[TKEY_RIGHT] = VTERM_KEY_RIGHT, [TKEY_INSERT] = VTERM_KEY_INS,
	[TKEY_DELETE] = VTERM_KEY_DEL, [TKEY_HOME] = VTERM_KEY_HOME, [TKEY_END] = VTERM_KEY_END,
	[TKEY_PAGE_UP] = VTERM_KEY_PAGEUP, [TKEY_PAGE_DOWN] = VTERM_KEY_PAGEDOWN,
};

void terminal_press(struct terminal *t, enum terminal_key key)
{
	VTermModifier mod = key == TKEY_BACKTAB ? VTERM_MOD_SHIFT : VTERM_MOD_NONE;

	if (key >= TKEY_F0)
		vterm_keyboard_key(t->vt, VTERM_KEY_FUNCTION_0 + key - TKEY_F0, mod);
	else
		vterm_keyboard_key(t->vt, keys[key], mod);
	send_output(t);
}

void terminal_enter(struct terminal *t, const char *line)
{
	terminal_type(t, line);
	terminal_press(t, TKEY_ENTER);
}

void terminal_paste(struct terminal *t, const char *text)
{
	vterm_keyboard_start_paste(t->vt);
	send_output(t);
	terminal_type(t, text);
	vterm_keyboard_end_paste(t->vt);
	send_output(t);
}

void terminal_mouse(struct terminal *t, int row, int col, int button, bool down)
{
	vterm_mouse_move(t->vt, row, col, VTERM_MOD_NONE);
	vterm_mouse_button(t->vt, button, down, VTERM_MOD_NONE);
	send_output(t);
}

void terminal_click(struct terminal *t, int row, int col)
{
	terminal_mouse(t, row, col, 1, true);
	terminal_mouse(t, row, col, 1, false);
}

void terminal_drain(struct terminal *t)
{
	int64_t until = now_ms() + t->deadline_ms;

	while (read_some(t) && now_ms() < until)
		;
}

/* The kernel tells the program by SIGWINCH. */
void terminal_tell_size(struct terminal *t, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	ioctl(t->master, TIOCSWINSZ, &size);
	t->last_event_ms = now_ms();
}

void terminal_resize(struct terminal *t, int rows, int cols)
{
	terminal_drain(t);               /* written for the old size */
	vterm_set_size(t->vt, rows, cols);
	terminal_tell_size(t, rows, cols);
}

void terminal_signal(struct terminal *t, int signal_number)
{
	if (!t->reaped)
		kill(t->pid, signal_number);
	t->last_event_ms = now_ms();
}

void terminal_put_state(struct terminal *t, struct str *out)
{
	static const char *const fields[] = { "State:", "SigBlk:", "SigPnd:", "ShdPnd:" };
	char path[64], line[256];
	FILE *status;

	snprintf(path, sizeof path, "/proc/%d/status", (int)t->pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof line, status))
		for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
			if (!strncmp(line, fields[i], strlen(fields[i])))
				str_fmt(out, " %.*s", (int)strcspn(line, "\n"), line);
	if (status)
		fclose(status);
}

void terminal_starve(struct terminal *t)
{
	struct rlimit none = { .rlim_cur = 0, .rlim_max = 0 };

	prlimit(t->pid, RLIMIT_AS, &none, NULL);
}

static bool was_reaped(struct terminal *t)
{
	if (!t->reaped && waitpid(t->pid, &t->status, WNOHANG) == t->pid)
		t->reaped = true;
	return t->reaped;
}

static bool wait_until(struct terminal *t, terminal_test *holds, const void *ctx)
{
	int64_t until = now_ms() + t->deadline_ms, since = -1;   /* when it began to hold */

	for (;;) {
		bool came;

		send_output(t);
		if (!holds(t, ctx))
			since = -1;
		else if (since < 0)
			since = t->last_event_ms;
		if (since >= 0 && now_ms() - since >= t->settle_ms)
			return true;
		came = read_some(t);
		if (!came && was_reaped(t) && !read_some(t)) {
			t->ended = true;
			return holds(t, ctx);
		}
		if (now_ms() > until)
			return false;
	}
}

/* What was waited for, and the screen, to standard error. */
__attribute__((format(printf, 2, 3)))
static bool not_seen(struct terminal *t, const char *format, ...)
{
	int rows, cols, row, col;
	va_list args;

	vterm_get_size(t->vt, &rows, &cols);
	terminal_cursor(t, &row, &col);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, " did not come: screen %dx%d, cursor %d %d%s\n", cols, rows, row, col,
	        t->ended ? ", program ended" : "");
	for (int r = 0; r < rows; r++)
		fprintf(stderr, "|%s\n", terminal_row(t, r));
	return false;
}

bool terminal_wait(struct terminal *t, terminal_test *holds, const void *ctx)
{
	return wait_until(t, holds, ctx) || not_seen(t, "what the test waits for");
}

static bool shows(struct terminal *t, const void *text)
{
	return terminal_find(t, text, NULL, NULL);
}

static bool shows_not(struct terminal *t, const void *text)
{
	return !shows(t, text);
}

bool terminal_wait_text(struct terminal *t, const char *text)
{
	return wait_until(t, shows, text) || not_seen(t, "\"%s\"", text);
}

bool terminal_wait_gone(struct terminal *t, const char *text)
{
	return wait_until(t, shows_not, text) || not_seen(t, "a screen without \"%s\"", text);
}

struct in_row {
	int row;
	const char *text;
};

static bool row_shows(struct terminal *t, const void *ctx)
{
	const struct in_row *in = ctx;

	return strstr(terminal_row(t, in->row), in->text) != NULL;
}

bool terminal_wait_row(struct terminal *t, int row, const char *text)
{
	return wait_until(t, row_shows, &(struct in_row){ row, text }) ||
	       not_seen(t, "\"%s\" in row %d", text, row);
}

static bool cursor_is(struct terminal *t, const void *ctx)
{
	const int *want = ctx;
	int row, col;

	terminal_cursor(t, &row, &col);
	return row == want[0] && col == want[1];
}

bool terminal_wait_cursor(struct terminal *t, int row, int col)
{
	return wait_until(t, cursor_is, (int[]){ row, col }) ||
	       not_seen(t, "the cursor at %d,%d", row, col);
}

static bool is_over(struct terminal *t, const void *ctx)
{
	(void)ctx;
	return t->ended;
}

bool terminal_comes_to(struct terminal *t, terminal_test *holds, const void *ctx)
{
	return wait_until(t, holds, ctx);
}

bool terminal_ended(struct terminal *t, int *status)
{
	bool over = wait_until(t, is_over, NULL);

	*status = t->status;
	return over;
}

bool terminal_wait_end(struct terminal *t, int *status)
{
	bool over = wait_until(t, is_over, NULL) || not_seen(t, "the end");

	if (over && status)
		*status = t->status;
	return over;
}

static void put_char(struct str *out, uint32_t c)
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	str_putc(out, (char)(lead[n] | c >> 6 * (n - 1)));
	while (--n > 0)
		str_putc(out, (char)(0x80 | (c >> 6 * (n - 1) & 0x3f)));
}

static VTermScreenCell cell_at(struct terminal *t, int row, int col)
{
	VTermScreenCell cell = {0};
	int rows, cols;

	vterm_get_size(t->vt, &rows, &cols);
	if (row >= 0 && row < rows && col >= 0 && col < cols)
		vterm_screen_get_cell(t->screen, (VTermPos){ row, col }, &cell);
	if (cell.chars[0] == UINT32_MAX)        /* the right half of a wide character */
		cell.chars[0] = 0;
	return cell;
}

const char *terminal_row(struct terminal *t, int row)
{
	int rows, cols;

	vterm_get_size(t->vt, &rows, &cols);
	str_reset(&t->row);
	t->col.len = 0;
	for (int col = 0, width; col < cols; col += width) {
		VTermScreenCell cell = cell_at(t, row, col);

		width = cell.width > 1 ? cell.width : 1;
		put_char(&t->row, cell.chars[0] ? cell.chars[0] : ' ');
		for (int i = 1; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			put_char(&t->row, cell.chars[i]);
		while (t->col.len < t->row.len)
			vec_push(&t->col, col);
	}
	while (t->row.len && t->row.text[t->row.len - 1] == ' ')
		str_cut(&t->row, t->row.len - 1);
	return str_text(&t->row);
}

bool terminal_find(struct terminal *t, const char *text, int *row, int *col)
{
	int rows, cols;

	vterm_get_size(t->vt, &rows, &cols);
	for (int r = 0; r < rows; r++) {
		const char *line = terminal_row(t, r);
		const char *hit = strstr(line, text);

		if (!hit)
			continue;
		if (row)
			*row = r;
		if (col)
			*col = t->col.at[hit - line];
		return true;
	}
	return false;
}

static int colour_number(const VTermColor *colour)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(colour) || VTERM_COLOR_IS_DEFAULT_BG(colour))
		return -1;
	return VTERM_COLOR_IS_INDEXED(colour) ? colour->indexed.idx : -2;
}

struct terminal_cell terminal_cell(struct terminal *t, int row, int col)
{
	VTermScreenCell from = cell_at(t, row, col);
	struct terminal_cell cell = {
		.width = from.width, .fg = colour_number(&from.fg), .bg = colour_number(&from.bg),
		.bold = from.attrs.bold, .underline = from.attrs.underline,
		.blink = from.attrs.blink, .reverse = from.attrs.reverse,
	};
	struct str text = {0};

	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && from.chars[i]; i++)
		put_char(&text, from.chars[i]);
	if (text.len)
		memcpy(cell.text, text.text, text.len + 1);
	str_release(&text);
	return cell;
}

void terminal_cell_rgb(struct terminal *t, int row, int col, uint8_t fg[3], uint8_t bg[3])
{
	VTermScreenCell cell = cell_at(t, row, col);

	vterm_screen_convert_color_to_rgb(t->screen, &cell.fg);
	vterm_screen_convert_color_to_rgb(t->screen, &cell.bg);
	memcpy(fg, (uint8_t[]){ cell.fg.rgb.red, cell.fg.rgb.green, cell.fg.rgb.blue }, 3);
	memcpy(bg, (uint8_t[]){ cell.bg.rgb.red, cell.bg.rgb.green, cell.bg.rgb.blue }, 3);
}

void terminal_cursor(struct terminal *t, int *row, int *col)
{
	VTermPos at;

	vterm_state_get_cursorpos(vterm_obtain_state(t->vt), &at);
	*row = at.row;
	*col = at.col;
}

void terminal_size(struct terminal *t, int *rows, int *cols)
{
	vterm_get_size(t->vt, rows, cols);
}

bool terminal_cursor_shown(struct terminal *t)
{
	return t->cursor_shown;
}

bool terminal_alternate(struct terminal *t)
{
	return t->alternate;
}

bool terminal_wants_mouse(struct terminal *t)
{
	return t->wants_mouse;
}

const char *terminal_bytes(struct terminal *t, size_t *len)
{
	*len = t->bytes.len;
	return str_text(&t->bytes);
}

bool terminal_settings_kept(struct terminal *t)
{
	struct termios now = {0};

	tcgetattr(t->slave, &now);
	return now.c_iflag == t->settings.c_iflag && now.c_oflag == t->settings.c_oflag &&
	       now.c_cflag == t->settings.c_cflag && now.c_lflag == t->settings.c_lflag &&
	       memcmp(now.c_cc, t->settings.c_cc, sizeof now.c_cc) == 0;
}
