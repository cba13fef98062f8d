#ifndef DUMP_BUSY_H
#define DUMP_BUSY_H

#include <stddef.h>
#include <stdint.h>

#include "dump/base/vec.h"

/*
 * Intervals of time, [start, end), and their union: the time taken, however many overlap. Start
 * with {0}. An interval of length 0 or less adds nothing.
 */
struct stretch {
	int64_t start_ns, end_ns;
};

struct busy {
	VEC(struct stretch) at;
};

void busy_add(struct busy *busy, int64_t start_ns, int64_t len_ns);
void busy_unite(struct busy *busy);                      /* sorted, apart, none empty */
int64_t busy_ns(const struct busy *united);              /* their lengths added up */
void busy_release(struct busy *busy);

#endif
