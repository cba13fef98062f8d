#ifndef CMDS_FORMAT_H
#define CMDS_FORMAT_H

#include <stdint.h>

#include "dump/base/str.h"

/* "812", "1.20k", "4.00M"; "None" for an unknown (negative) size. No unit: callers add the B. */
void put_size(struct str *out, int64_t bytes);

/* A float in at most 9 columns, four digits or fewer: "0.1235", "-1.235e-5", "nan". */
#define SHORT_COLUMNS 9
void put_short(struct str *out, double x);

/* Milliseconds after the start of the run, "12.345". */
void put_rel_ms(struct str *out, int64_t time_us, int64_t t0_us);

#endif
