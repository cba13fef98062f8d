#ifndef CMDS_HEALTH_H
#define CMDS_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "cmds/array/vitals.h"
#include "cmds/doc/doc.h"
#include "dump/model/run.h"

/*
 * What was found out about the tensors of a run. A tensor is read once, whoever asks first: lists,
 * filters, the signs beside rows. All of this may be called on any thread.
 */
struct healths;

/* What is read goes into facts, too. Both have to live as long. */
struct run_facts;
struct healths *healths_new(const struct run *run, struct run_facts *facts);
void healths_free(struct healths *h);

/* By its index in run->tensors; NULL: it was not read. Good as long as h. */
const struct vitals *healths_of(const struct healths *h, uint32_t at);
/*
 * Reads it, unless that was done; one that could not be read is tried again. NULL with
 * ERR_CANCELLED. Of one that can't be read *err is why.
 */
const struct vitals *healths_read(struct healths *h, uint32_t at, struct progress *progress,
                                  struct err *err);

/* What a row shows of the tensor: also what a filter found out, which is less. */
enum row_sign healths_sign(const struct healths *h, uint32_t at);
/* A filter says it, by itself. */
void healths_note(struct healths *h, uint32_t at, enum row_sign sign);

/*
 * Reads tensors in the background, on a thread of its own: those that were asked for last come
 * first. In all at most this many bytes a session; what would exceed them stays unknown.
 */
#define HEALTH_SCAN_BYTES ((uint64_t)1 << 30)
struct health_scan;
struct visit;

struct health_scan *health_scan_new(void);
void health_scan_free(struct health_scan *scan);         /* NULL: nothing. Waits for the thread */
void health_scan_limit(struct health_scan *scan, uint64_t bytes);
/* Someone else is to read this much in the background. False: it would be too much. */
bool health_scan_afford(struct health_scan *scan, uint64_t bytes);

/*
 * Cheap and repeatable: a tensor that is known, or was asked for, changes nothing. Reading begins
 * with health_scan_goes_on: a frame that asks for many is drawn before that. Keeps the visit while
 * it is needed.
 */
void health_scan_ask(struct health_scan *scan, struct visit *visit, uint32_t at);
/* Has something changed since the caller was told, or will it? *told: the caller's own, from 0. */
bool health_scan_goes_on(struct health_scan *scan, uint64_t *told);
/* On the scan's thread, whenever all that was asked for is read. NULL: no more, from now on. */
void health_scan_wake(struct health_scan *scan, void (*wake)(void *owner), void *owner);

#endif
