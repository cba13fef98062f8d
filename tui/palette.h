#ifndef TUI_PALETTE_H
#define TUI_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/session/offers.h"
#include "dump/base/arena.h"
#include "dump/base/map.h"
#include "dump/base/str.h"
#include "tui/history.h"

/*
 * What fits the word that is typed at the prompt: commands, then nodes, tensors and runs, the best
 * first; among equals those that a command was about lately. A model: keys are tui/completing.h's,
 * cells tui/draw_palette.h's. Start with {0}.
 *
 * Looking goes on in slices (palette_work), so that a key never waits for it. Once a row is chosen
 * it ends, so that nothing moves under the reader.
 */
enum { PALETTE_ROWS = 8, PALETTE_COMMANDS = 5 /* of them, where more is open than commands */ };
#define NO_CHOICE SIZE_MAX

struct palette_row {
	enum offer_kind kind;
	struct str name, alias, says;
	const char *before;      /* what the line has before the name */
	bool wants_more;
	int score;
	size_t recent;           /* the higher the later; 0: in no command */
};

struct palette {
	bool open;
	struct str typed;        /* the line, and in it the word: [begin, cursor) */
	size_t begin, cursor;
	VEC(struct palette_row) rows;
	size_t chosen;           /* NO_CHOICE: what was typed counts */
	int wanted;              /* so many steps to go when all is looked at */
	uint64_t n_fit;
	bool done;
	/* where looking is */
	bool begun;
	struct offers offers;
	size_t part;
	uint64_t at;
	struct str name;
	/* words of the history */
	struct map words;
	struct arena mem;
	VEC(size_t) last;        /* by word: the line that has it, from 1 */
};

/* The line was edited: looks for what fits now. It opens the palette if it was closed. */
void palette_look(struct palette *p, const char *line, size_t cursor,
                  const struct history *history);
void palette_close(struct palette *p);
void palette_release(struct palette *p);

/* Looks at so many more. idle: no command runs, the shell may be asked. True: there is more. */
bool palette_work(struct palette *p, struct shell *shell, bool idle, uint64_t most);

/*
 * A row down (1) or up (-1); past the last one it is what was typed. While it looks nothing is
 * chosen yet: palette_work does that at its end.
 */
void palette_choose(struct palette *p, int step);
/* The line with what is chosen; the one that was typed if nothing is. */
void palette_put_line(const struct palette *p, struct str *out);
const struct palette_row *palette_chosen(const struct palette *p);       /* NULL: none */

#endif
