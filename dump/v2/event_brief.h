#ifndef DUMP_V2_EVENT_BRIEF_H
#define DUMP_V2_EVENT_BRIEF_H

#include "dump/model/program.h"
#include "dump/v2/event.h"

/*
 * An event without what is long: places in the code, definitions of graphs, and values. Where a
 * tensor was stored as a whole (FULL_TENSOR), there is what FULL_HEALTH would have stored, by what
 * `health` says of it; what it does not know is an empty tensor.
 */
struct event_brief {
	/*
	 * Asked of each tensor that is stored as a whole, with its row in the record: fills in what
	 * is known. False with *err ends the work.
	 */
	bool (*health)(void *context, uint32_t row, struct span tensor, struct health *health,
	               struct err *err);
	void *context;
};

/*
 * Appends the message of an event at a range of a file. Nothing is appended of a source file or of
 * a stack frame. False: it is no event, or *err of health.
 */
bool event_put_brief(struct file *file, struct span span, const struct event_brief *brief,
                     struct str *out, struct err *err);

#endif
