/*
 * readline in callback mode. All bytes of one key are queued before readline is called, so that it
 * never waits in the middle of a sequence. It prepares no terminal, catches no signal, exports no
 * LINES, and writes to the null device. Going through the history by prefix is ours: readline's own
 * search stops at the cursor (the rest of the history is tui/editor.h's).
 */
#include "tui/prompt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "dump/base/utf8.h"
#include "tui/editor.h"

#define MOST_TIMES 1000  /* a count for a key; readline would do it a million times */

static const char *label = "tfdbg> ";

static struct history *history;
static FILE *nowhere;
static struct str queue;
static size_t queue_read;
static struct str typed;         /* what was typed before going back in the history */
static size_t recalled = SIZE_MAX;       /* the entry that shows; SIZE_MAX: none */
static char *entered_line;

static int next_byte(FILE *file)
{
	(void)file;
	return queue_read < queue.len ? (unsigned char)queue.text[queue_read++] : EOF;
}

static int byte_waits(void)
{
	return queue_read < queue.len;
}

static void draw_nothing(void)
{
}

static char **complete_nothing(const char *text, int begin, int end)
{
	(void)text;
	(void)begin;
	(void)end;
	rl_attempted_completion_over = 1;
	return NULL;
}

/* NULL (end of file) is not ours: Ctrl-D leaves nothing. */
static void take_line(char *line)
{
	free(entered_line);
	entered_line = line;
	editor_line_taken();
}

/* Up to the end of a line. */
static void read_bytes(const char *bytes, size_t len)
{
	str_reset(&queue);
	editor_put_whole(&queue, bytes, len);
	queue_read = 0;
	editor_settle();
	while (queue_read < queue.len && !entered_line) {
		rl_callback_read_char();
		if (rl_numeric_arg > MOST_TIMES)
			rl_numeric_arg = MOST_TIMES;
	}
	editor_settle();
}

/* A command that waits for more keys is given up. */
static void end_pending(void)
{
	if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_MULTIKEY | RL_STATE_METANEXT |
	               RL_STATE_NUMERICARG | RL_STATE_MOREINPUT | RL_STATE_VIMOTION |
	               RL_STATE_CHARSEARCH))
		read_bytes("\a", 1);
}

void prompt_start(struct history *kept)
{
	history = kept;
	nowhere = fopen("/dev/null", "w");
	rl_readline_name = "tensordbg";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_getc_function = next_byte;
	rl_input_available_hook = byte_waits;
	rl_redisplay_function = draw_nothing;
	rl_attempted_completion_function = complete_nothing;
	rl_outstream = nowhere;
	rl_initialize();
	rl_bind_keyseq_if_unbound("\\e[3~", rl_delete);  /* only some systems' inputrc has it */
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("enable-bracketed-paste", "off");
	editor_start(history);
	rl_callback_handler_install(label, take_line);
}

void prompt_stop(void)
{
	end_pending();
	rl_callback_handler_remove();
	editor_stop();
	if (nowhere)
		fclose(nowhere);
	nowhere = NULL;
	free(entered_line);
	entered_line = NULL;
	str_release(&queue);
	str_release(&typed);
}

bool prompt_feed(const char *bytes, size_t len, struct str *entered)
{
	bool ended;
	char *next;

	if (len == 1 && bytes[0] == 4 && !rl_end)
		return false;
	recalled = SIZE_MAX;
	/* such a key ends a search, but readline 8.2 fails if that reads it (Ctrl-R Ctrl-X x) */
	if (RL_ISSTATE(RL_STATE_ISEARCH) && editor_begins_sequence(bytes[0]))
		read_bytes("\033", 1);
	read_bytes(bytes, len);
	ended = entered_line != NULL;
	if (ended) {
		str_reset(entered);
		str_puts(entered, entered_line);
		free(entered_line);
		entered_line = NULL;
		next = editor_next_line();
		if (next)
			editor_set(next);
		free(next);
	}
	return ended;
}

void prompt_insert(const char *text, size_t len)
{
	struct str whole = {0};

	recalled = SIZE_MAX;
	end_pending();
	editor_put_whole(&whole, text, len);
	rl_insert_text(str_text(&whole));
	str_release(&whole);
}

void prompt_set(const char *text)
{
	end_pending();
	editor_set(text);
}

void prompt_name(const char *name)
{
	label = name;
	rl_set_prompt(label);
}

int prompt_rows(int cols)
{
	size_t len = strlen(prompt_text());
	size_t all = utf8_columns(prompt_label(), strlen(prompt_label())) +
	             utf8_columns(prompt_text(), len) + 1;

	return cols > 0 && all > (size_t)cols ? 2 : 1;
}

const char *prompt_label(void)
{
	return rl_display_prompt ? rl_display_prompt : label;
}

const char *prompt_text(void)
{
	return rl_line_buffer ? rl_line_buffer : "";
}

size_t prompt_cursor(void)
{
	size_t len = strlen(prompt_text());

	return (size_t)rl_point < len ? (size_t)rl_point : len;
}

bool prompt_in_search(void)
{
	return editor_in_search();
}

bool prompt_has_command(const char *bytes, size_t len)
{
	return editor_has_command(bytes, len);
}

bool prompt_has_esc(void)
{
	return prompt_in_search() || (rl_editing_mode == 0 && rl_end > 0);
}

void prompt_recall(int direction)
{
	size_t from = recalled == SIZE_MAX ? history->at.len : recalled, found;

	if (recalled == SIZE_MAX) {
		if (direction > 0)
			return;
		str_reset(&typed);
		str_puts(&typed, prompt_text());
	}
	found = history_find(history, str_text(&typed), from, direction);
	if (found == SIZE_MAX) {
		if (direction > 0) {
			recalled = SIZE_MAX;
			prompt_set(str_text(&typed));
		}
		return;
	}
	recalled = found;
	prompt_set(history->at.at[found]);
}
