#ifndef CMDS_LANES_H
#define CMDS_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/doc/doc.h"
#include "dump/profile/activity.h"
#include "dump/profile/busy.h"

/*
 * A body of kind "lanes": what each device and stream did during a step. Its lines are one strip
 * for each lane; a view asks for slices. Times are ns after the step's start.
 */
struct lane_slice {
	int64_t start_ns, end_ns;
	uint32_t row;                    /* drawing row in the lane, without overlaps */
	const char *name, *op;           /* node, op type ("" if not known) */
	const char *kernel;              /* "" if it is not one */
};

struct lane_strip {
	const char *name;                /* "GPU:0 stream 14" */
	bool is_host;
	size_t n_slices;
	uint32_t rows;                   /* drawing rows */
	struct busy busy;
};

/* The activities are borrowed and must outlive the body. width: of a line; 0: 80. */
struct body *lanes_body(const struct activities *acts, int width);

size_t lanes_len(const struct body *body);
const struct lane_strip *lanes_strip(const struct body *body, size_t lane);
int64_t lanes_span_ns(const struct body *body);
/* Slice i of a lane, by start. */
struct lane_slice lanes_slice(const struct body *body, size_t lane, size_t i);
/* The line above the lanes. */
void lanes_put_heading(const struct body *body, struct str *out);

#endif
