#ifndef TESTS_MADE_STEP_H
#define TESTS_MADE_STEP_H

#include <stdint.h>

#include "dump/base/str.h"

/* RunMetadata written by hand: lanes of records. Start with {0}. */

#define BEGIN_US INT64_C(1600000000000000)

struct making {
	struct str all, lane;
};

void made_lane(struct making *making, const char *device);
/* Into the lane that was begun last. Microseconds; start after BEGIN_US unless it is 0 or less. */
void made_record(struct making *making, const char *name, int64_t start, int64_t len,
                 const char *label);
/* The whole as RunMetadata; gives back what making holds. */
void made_run(struct making *making, struct str *out);
/* The same into a file below dir. */
void made_save(struct making *making, const char *dir, const char *name);

#endif
