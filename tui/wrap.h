#ifndef TUI_WRAP_H
#define TUI_WRAP_H

#include <stddef.h>
#include <stdint.h>

/*
 * A line longer than the screen, cut hard every `cols` columns of its cell text; no word wrap. A
 * character that does not fit moves to the next piece whole; one wider than `cols` is a piece of
 * its own.
 */
/* of the piece that begins at from */
size_t wrap_end(const char *text, size_t len, size_t from, int cols);
uint32_t wrap_pieces(const char *text, size_t len, int cols);             /* at least 1 */
/* clamped to the last piece */
size_t wrap_begin(const char *text, size_t len, int cols, uint32_t piece);
/* the piece that holds byte off */
uint32_t wrap_piece_at(const char *text, size_t len, int cols, size_t off);

#endif
