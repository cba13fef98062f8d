#ifndef BASE_SHARE_H
#define BASE_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "dump/base/progress.h"

/*
 * Work in n pieces, done by several threads, as many as there are processors (at most four): they
 * take the pieces in order. The caller's own thread takes part, and it alone steps the progress, in
 * pieces. do_piece false: no further one is begun. Returns how many were done. Whatever stops it,
 * do_piece is called for all pieces up to the last that it is called for: one may wait for those
 * before it.
 */
typedef bool share_piece(void *context, size_t i);
size_t share_work(size_t n, share_piece *do_piece, void *context, struct progress *progress);

#endif
