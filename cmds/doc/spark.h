#ifndef CMDS_SPARK_H
#define CMDS_SPARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Signs of bars, one column wide, from the lowest to the highest. fine: blocks, else ASCII. */
enum { SPARK_SIGNS = 8 };
const char *spark_sign(size_t level, bool fine);         /* from 0 on */

/*
 * For a part from 0 to 1 of the highest bar: what is not 0 is never nothing, a blank is 0 alone.
 */
const char *spark_of(double part, bool fine);

/*
 * A bar from the left, in blocks: `eighths` of a column long. Returns the columns it takes, the
 * last one maybe in part.
 */
struct str;
size_t put_block_bar(struct str *out, uint64_t eighths);

/*
 * A box of so many columns with what fits of a name, filled up; the sides are left out where it
 * goes on beyond what shows.
 */
void put_block_box(struct str *out, const char *name, size_t columns, bool left, bool right);

#endif
