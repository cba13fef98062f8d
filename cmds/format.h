#ifndef CMDS_FORMAT_H
#define CMDS_FORMAT_H

#include <stdint.h>

#include "dump/base/str.h"

/* "812", "1.20k", "4.00M"; "None" for an unknown (negative) size. No unit: callers add the B. */
void put_size(struct str *out, int64_t bytes);

/* Milliseconds after the start of the run, "12.345". */
void put_rel_ms(struct str *out, int64_t time_us, int64_t t0_us);

#endif
