#ifndef TESTS_MADE_XSPACE_H
#define TESTS_MADE_XSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "dump/base/str.h"

/*
 * An XSpace of one's own, written plane by plane: names, lines, events and stats in the order that
 * a profiler has them. Start with {0}; made_plane first, made_plane_end last. `out` is the XSpace.
 */
struct made_xspace {
	struct str out;
	/* Private: the parts of what is open. */
	struct str head, lines, events, stats, line, event;
	uint32_t n_events, n_stats;
	bool in_line, in_event;
};

void made_plane(struct made_xspace *m, const char *name);
void made_plane_end(struct made_xspace *m);
/* Numbers for the plane's names of events and stats; texts that stats refer to are stats' names. */
uint32_t made_event_name(struct made_xspace *m, const char *name);
uint32_t made_stat_name(struct made_xspace *m, const char *name);
void made_line(struct made_xspace *m, int64_t id, const char *name, int64_t start_ns);
/* An event of the open line; what follows are its stats. */
void made_event(struct made_xspace *m, uint32_t name, int64_t start_ps, int64_t len_ps);
void made_number(struct made_xspace *m, uint32_t stat, uint64_t value);
void made_text(struct made_xspace *m, uint32_t stat, const char *value);
void made_reference(struct made_xspace *m, uint32_t stat, uint32_t text);
void made_xspace_release(struct made_xspace *m);

#endif
