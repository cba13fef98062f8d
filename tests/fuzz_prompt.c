/*
 * Keys at the prompt, in emacs and in vi mode, over a history of a few lines. The first byte picks
 * the mode. Of the others 0xf8 to 0xff stand for what the screen does beside feeding keys; Esc and
 * Ctrl-X are one key with the byte behind them, a character is one with all of its bytes.
 */
#include "tui/prompt.h"

#include <locale.h>
#include <string.h>

#include <readline/readline.h>

#include "dump/base/utf8.h"
#include "tests/input.h"

enum { RECALL_OLDER = 0xf8, RECALL_NEWER, SET_EMPTY, SET_LINE, PASTE, PASTE_LONG, RECALL_AGAIN };

static const char *const lines[] = {
	"lt", "lt -f has_inf_or_nan", "pt a:0[1, :]", "",
	"caf\xc3\xa9", "li -r -d 20 cross_entropy/Log", "lt -s dump_size"
};

/* readline forgets to free a little in vi mode, and its prompt. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libreadline\n";
}

/* What is always so: a cursor in the text, a text that ends where readline says. */
static void check(void)
{
	size_t len = strlen(prompt_text());

	MUST(prompt_cursor() <= len);
	MUST(prompt_in_search() || (size_t)rl_end == len);
	MUST(prompt_label() != NULL);
}

static bool act(unsigned char what)
{
	static const char text[] = "pt \"x y\"/\xe6\x97\xa5:0";

	switch (what) {
	case RECALL_AGAIN:
		prompt_recall(-1);
		prompt_recall(-1);
		break;
	case RECALL_OLDER: prompt_recall(-1); break;
	case RECALL_NEWER: prompt_recall(1); break;
	case SET_EMPTY: prompt_set(""); break;
	case SET_LINE: prompt_set("ni -a -d -t softmax"); break;
	case PASTE: prompt_insert(text, strlen(text)); break;
	case PASTE_LONG:
		for (int i = 0; i < 40; i++)
			prompt_insert(text, strlen(text));
		break;
	default: return false;
	}
	return true;
}

static void feed(struct history *history, const char *key, size_t len)
{
	struct str line = {0};

	if (prompt_feed(key, len, &line) && line.len)
		history_add(history, str_text(&line));
	str_release(&line);
}

/* The history of the first run again: in a long one each search takes long. */
static void reset(struct history *history)
{
	static uint64_t added;

	if (added && history->n_added == added)
		return;
	history_release(history);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (*lines[i])
			history_add(history, lines[i]);
	added = history->n_added;
}

/*
 * One session, whose end is that of the program: readline is set up once. Enter on an empty line is
 * the end of what an input did, in either mode.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct history history;
	bool first = !history.at.len;

	if (first)
		setlocale(LC_CTYPE, "C.UTF-8");
	reset(&history);
	if (first)
		prompt_start(&history);
	rl_variable_bind("editing-mode", size && data[0] & 1 ? "vi" : "emacs");
	for (size_t i = 1; i < size; i++) {
		const char *key = (const char *)data + i;
		size_t len = utf8_next(key, size - i, &(uint32_t){ 0 });

		if (!act(data[i])) {
			if ((*key == '\033' || *key == '\030') && i + 1 < size)
				len = 2;
			feed(&history, key, len);
			i += len - 1;
		}
		check();
	}
	prompt_set("");
	feed(&history, "\r", 1);
	return 0;
}
