/*
 * readline gives each line of the history that was edited an undo list, and keeps pointers to one
 * list in several places: in the line, in its entry, in the line set aside while others are looked
 * at. Its searches and vi mode free a list in one place and go on with it in another (8.2). So no
 * entry ever gets a list here. Going line by line is ours: the text is replaced as an edit. A
 * search remains readline's, but runs on a line without a list; what it has found is taken over in
 * the same way, and readline is put back to the end of the history.
 */
#include "tui/editor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "dump/base/mem.h"
#include "dump/base/str.h"
#include "dump/base/utf8.h"

enum { TYPED = MAX_HISTORY };    /* the place of the line that is no entry */

static struct history *history;
static uint64_t taken;           /* so many lines of it readline has seen */
static size_t place = TYPED;     /* the entry that the line was taken from */
static struct str typed;         /* the line before that */
static char *next_line;

static void use_commands(void);
static void use_searches(bool ours);

/* While one of readline's own commands looks for a line. */
static bool looks;
static UNDO_LIST *kept;          /* of the line before */
static struct str before;

bool editor_begins_sequence(char byte)
{
	return rl_get_keymap()[(unsigned char)byte].type == ISKMAP;
}

static int no_command(int count, int key);

/* Alt and a capital is as Alt and the small letter. */
bool editor_has_command(const char *bytes, size_t len)
{
	int type = ISFUNC;
	rl_command_func_t *found = rl_function_of_keyseq_len(bytes, len, NULL, &type);
	char small[2] = { bytes[0], len == 2 ? (char)tolower((unsigned char)bytes[1]) : '\0' };

	if (found == rl_do_lowercase_version && small[1] != bytes[1])
		return editor_has_command(small, 2);
	return found && found != no_command && type != ISKMAP;
}

bool editor_in_search(void)
{
	return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH) != 0;
}

void editor_put_whole(struct str *out, const char *text, size_t len)
{
	uint32_t cp;

	for (size_t n; len; text += n, len -= n) {
		n = utf8_next(text, len, &cp);
		if (cp == UTF8_BAD)
			str_putc(out, '?');
		else
			str_put(out, text, n);
	}
}

static void replace_text(const char *text)
{
	struct str whole = {0};

	if (!strcmp(rl_line_buffer, text))
		return;
	editor_put_whole(&whole, text, strlen(text));
	rl_begin_undo_group();
	rl_delete_text(0, rl_end);
	rl_point = 0;
	rl_insert_text(str_text(&whole));
	rl_end_undo_group();
	str_release(&whole);
}

void editor_set(const char *text)
{
	place = TYPED;
	replace_text(text);
	rl_point = rl_end;
}

/* Line by line. */

static bool vi_commands(void)
{
	return rl_editing_mode == 0 && rl_get_keymap() == vi_movement_keymap;
}

static int go_to(size_t to)
{
	if (place == TYPED) {
		str_reset(&typed);
		str_puts(&typed, rl_line_buffer);
	}
	place = to < history->at.len ? to : TYPED;
	replace_text(place == TYPED ? str_text(&typed) : history->at.at[place]);
	rl_point = vi_commands() ? 0 : rl_end;
	return 0;
}

static int step(int count)
{
	size_t n = history->at.len, from = place < n ? place : n;

	if (count < 0 && from > 0)
		return go_to((size_t)-(long)count < from ? from - (size_t)-(long)count : 0);
	if (count > 0 && from < n)
		return go_to((size_t)count < n - from ? from + (size_t)count : n);
	return count ? rl_ding() : 0;
}

static int older(int count, int key)
{
	(void)key;
	editor_settle();
	return step(-count);
}

static int newer(int count, int key)
{
	(void)key;
	editor_settle();
	return step(count);
}

static int newest(int count, int key)
{
	(void)count, (void)key;
	editor_settle();
	return place == TYPED ? 0 : go_to(TYPED);
}

static int enter_and_next(int count, int key)
{
	editor_settle();
	free(next_line);
	next_line = NULL;
	if (place != TYPED && place + 1 < history->at.len)
		next_line = mem_copy(history->at.at[place + 1], strlen(history->at.at[place + 1]));
	return rl_newline(count, key);
}

char *editor_next_line(void)
{
	char *line = next_line;

	next_line = NULL;
	return line;
}

/* readline's own ways. */

/*
 * Its words are taken apart by steps over a backslash and what it quotes, which at the end of a
 * line is nothing.
 */
static void pad(HIST_ENTRY *entry)
{
	size_t len = strlen(entry->line);

	entry->line = mem_realloc(entry->line, len + 2);
	entry->line[len + 1] = '\0';
}

static void take_history(void)
{
	struct str line = {0};

	if (taken == history->n_added)
		return;
	taken = history->n_added;
	clear_history();
	for (size_t i = 0; i < history->at.len; i++) {
		str_reset(&line);
		editor_put_whole(&line, history->at.at[i], strlen(history->at.at[i]));
		add_history(str_text(&line));
		pad(history_list()[i]);
	}
	str_release(&line);
	using_history();
}

/*
 * The line is as if it had been typed: readline is at the end of the history, and holds no line
 * set aside.
 */
static void take_found(void)
{
	struct str found = {0};
	int point = rl_point, at = where_history();

	looks = false;
	use_searches(true);
	str_puts(&found, rl_line_buffer);
	if (rl_undo_list)
		rl_free_undo_list();
	rl_maybe_unsave_line();
	using_history();
	rl_undo_list = kept;
	kept = NULL;
	rl_replace_line(str_text(&before), 0);
	if ((size_t)at < history->at.len) {
		if (place == TYPED) {
			str_reset(&typed);
			str_puts(&typed, str_text(&before));
		}
		place = (size_t)at;
	}
	replace_text(str_text(&found));
	rl_point = point < rl_end ? point : rl_end;
	str_release(&found);
}

/* A command of vi mode that repeats another one may lose count of the line. */
static void count_line(void)
{
	rl_end = (int)strlen(rl_line_buffer);
	rl_point = rl_point < rl_end ? rl_point : rl_end;
	rl_mark = rl_mark < rl_end ? rl_mark : rl_end;
}

void editor_settle(void)
{
	if (editor_in_search())
		return;
	count_line();
	if (looks)
		take_found();
	take_history();
}

/*
 * While an incremental search goes on, readline must find its own commands in the keymap: it
 * compares them.
 */
static int look(rl_command_func_t *ours, rl_command_func_t *theirs, int count, int key)
{
	int result;

	editor_settle();
	looks = true;
	use_searches(false);
	kept = rl_undo_list;
	rl_undo_list = NULL;
	str_reset(&before);
	str_puts(&before, rl_line_buffer);
	if (rl_last_func == ours)                /* a second time goes on from the first */
		rl_last_func = theirs;
	result = theirs(count, key);
	editor_settle();
	return result;
}

#define LOOKING(X) \
	X(rl_reverse_search_history) X(rl_forward_search_history) \
	X(rl_noninc_reverse_search) X(rl_noninc_forward_search) \
	X(rl_noninc_reverse_search_again) X(rl_noninc_forward_search_again) \
	X(rl_history_search_backward) X(rl_history_search_forward) \
	X(rl_history_substr_search_backward) X(rl_history_substr_search_forward) \
	X(rl_vi_search) X(rl_vi_search_again) \
	X(rl_beginning_of_history) X(rl_fetch_history) X(rl_vi_fetch_history)

#define LOOK(theirs) \
	static int look_##theirs(int count, int key) \
	{ \
		return look(look_##theirs, theirs, count, key); \
	}
LOOKING(LOOK)
#undef LOOK

/* Keymaps. */

static int read_init_file(int count, int key)
{
	int result = rl_re_read_init_file(count, key);

	use_commands();
	return result;
}

/*
 * In readline's keymaps a key without a command gives up by a long jump, as Ctrl-G does; the state
 * it leaves behind a number or a search ends in a crash (8.2 of Debian 12: "2" and an unbound key
 * in vi mode). So every key has a command, and none jumps.
 */
static int no_command(int count, int key)
{
	(void)count, (void)key;
	return rl_ding();
}

static int give_up(int count, int key)
{
	(void)count, (void)key;
	rl_clear_pending_input();
	return rl_discard_argument();
}

#define PAIR(theirs) { theirs, look_##theirs },
static const struct { rl_command_func_t *theirs, *ours; } commands[] = {
	LOOKING(PAIR)
	{ rl_get_previous_history, older }, { rl_get_next_history, newer },
	{ rl_end_of_history, newest },
	{ rl_operate_and_get_next, enter_and_next }, { rl_re_read_init_file, read_init_file },
	{ rl_abort, give_up },
};
#undef PAIR
/* The first two of them readline looks for in the keymap while it searches. */
enum { N_SEARCHES = 2, N_COMMANDS = sizeof commands / sizeof *commands };

/* The keys of those two, so that not all keymaps are gone through for each search. */
static VEC(struct search_key { KEYMAP_ENTRY *key; size_t command; }) search_keys;

/* Ours in the place of readline's. */
static void use_in(Keymap map)
{
	for (int key = 0; key < KEYMAP_SIZE; key++)
		if (map[key].type == ISKMAP)
			use_in(__extension__ (Keymap)map[key].function);
		else if (!map[key].function && key != ANYOTHERKEY && !map[ANYOTHERKEY].function)
			map[key].function = no_command;
		else
			for (size_t i = 0; i < N_COMMANDS; i++) {
				if (map[key].function == commands[i].theirs)
					map[key].function = commands[i].ours;
				if (i < N_SEARCHES && map[key].function == commands[i].ours)
					vec_push(&search_keys,
					         ((struct search_key){ &map[key], i }));
			}
}

static void use_commands(void)
{
	search_keys.len = 0;
	use_in(emacs_standard_keymap);
	use_in(vi_movement_keymap);
	use_in(vi_insertion_keymap);
}

static void use_searches(bool ours)
{
	for (size_t i = 0; i < search_keys.len; i++) {
		const struct search_key *s = &search_keys.at[i];

		s->key->function = ours ? commands[s->command].ours : commands[s->command].theirs;
	}
}

void editor_start(struct history *lines)
{
	history = lines;
	taken = UINT64_MAX;
	use_commands();
	/* Esc and Enter that come together are no wish for vi mode */
	rl_bind_key_in_map('\r', no_command, emacs_meta_keymap);
	rl_bind_key_in_map('\n', no_command, emacs_meta_keymap);
	take_history();
}

void editor_line_taken(void)
{
	UNDO_LIST *now = rl_undo_list;

	if (looks) {                             /* by a key that ended the search too */
		rl_undo_list = kept;
		rl_free_undo_list();
		rl_undo_list = now;
		kept = NULL;
		looks = false;
		use_searches(true);
	}
	place = TYPED;
}

void editor_stop(void)
{
	editor_line_taken();
	clear_history();
	free(next_line);
	next_line = NULL;
	str_release(&typed);
	str_release(&before);
	vec_release(&search_keys);
	history = NULL;
}
