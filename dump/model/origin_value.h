#ifndef DUMP_ORIGIN_VALUE_H
#define DUMP_ORIGIN_VALUE_H

#include "dump/base/err.h"
#include "dump/base/progress.h"
#include "dump/model/origin_rules.h"
#include "dump/model/run.h"
#include "dump/model/value.h"

/*
 * What a dump says of NaN and Inf: the elements themselves (DebugIdentity), or numbers about them
 * (DebugNumericSummary, DebugNanCount).
 */
enum origin_known {
	KNOWN_NOTHING,           /* the file can't be read, or this debug op says nothing of it */
	KNOWN_NAN,               /* how many NaN; nothing of infinities, nor of the elements */
	KNOWN_COUNTS,
	KNOWN_ELEMENTS,          /* so has_zero and has_negative are known, too */
};
struct origin_health {
	struct bad_counts counts;
	enum origin_known known;
	bool has_zero, has_negative;     /* of size 0: neither */
};

enum origin_debug { DEBUG_IDENTITY, DEBUG_NUMERIC_SUMMARY, DEBUG_NAN_COUNT, DEBUG_OTHER };
enum origin_debug origin_debug_of(const struct run *run, const struct tensor *tensor);

/*
 * What is recorded of a tensor, by whichever debug op. False with *err if it can't be read, or
 * after a cancel; *out then knows nothing.
 */
bool origin_health_read(const struct run *run, const struct tensor *tensor,
                        struct origin_health *out, struct progress *progress, struct err *err);
/* The same of the elements of a value. What is no array is clean. */
bool origin_health_of(struct value *value, struct origin_health *out, struct progress *progress,
                      struct err *err);

#endif
