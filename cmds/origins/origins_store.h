#ifndef CMDS_ORIGINS_STORE_H
#define CMDS_ORIGINS_STORE_H

#include "cmds/origins/read_health.h"
#include "cmds/session/session.h"
#include "dump/model/origins.h"

/* What was found out about the origins in what is open. It is forgotten once that changes. */
struct origins_found {
	struct origins_report *report;   /* NULL: it was not searched */
	uint64_t too_much_bytes; /* so much would have to be read, and may not; 0: that is not so */
};

/* The lines that search it; sparing: not if that is more than a screen reads by itself. */
#define ORIGINS_LINE "origins"
#define ORIGINS_LINE_SPARING "origins --max-bytes 1073741824"

/* Good until the next note. */
struct origins_found origins_found_in(const struct shell *shell);
/* Keeps the report too, and puts signs beside its tensors. */
void origins_note(struct shell *shell, struct origins_report *report);
void origins_note_too_much(struct shell *shell, uint64_t bytes);
/* A search that was interrupted; taken over, it is the caller's. NULL: there is none. */
void origins_keep_search(struct shell *shell, struct health_search *search);
struct health_search *origins_take_search(struct shell *shell);
/* "not searched: 3.2GB" */
void origins_put_too_much(struct str *out, uint64_t bytes);

#endif
