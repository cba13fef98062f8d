#ifndef CMDS_SHOW_H
#define CMDS_SHOW_H

#include "cmds/array/value_data.h"
#include "cmds/session/session.h"
#include "dump/model/value.h"

/* How one value is shown, whatever its source: label, dtype, shape, summary, elements. */
struct show {
	const char *label;
	bool is_expression;      /* the label is one, not a tensor's name */
	const char *origin;      /* follows the label, "(step #3)"; NULL: nothing */
	const char *ranges;      /* elements to highlight, as typed; NULL or "": none */
	const char *write_path;  /* also save the value here; NULL or "": don't */
	bool all;                /* show every element */
	bool summary;
	struct value_data *data; /* typed answer, in doc_mem(call->out); show_* set its view */
};

/* Checks ranges, before the tensor is looked up. False: call->err says what is wrong. */
bool show_check_ranges(struct call *call, const char *ranges);

/*
 * Says so, and is true, if showing each element would never end: there are more than 2^32, which
 * are not all in the file.
 */
bool show_is_too_much(struct call *call, const struct value *value, const struct view *view);

/*
 * These take `value` over; view is a view of it. False: call->err says why. A value that cannot be
 * saved is still shown, with an ERROR: line after it.
 */
bool show_array(struct call *call, const struct show *show, struct value *value,
                struct view *view);
/* A single element, not as an array. */
bool show_element(struct call *call, const struct show *show, struct value *value,
                  struct view *view);
/* A text of one or more lines; there is no value to save. */
bool show_repr(struct call *call, const struct show *show, const char *text);
/* A value without elements (dump/model/known.h): type, shape and the numeric summary. */
bool show_summed_up(struct call *call, const struct show *show, struct value *value);
/* A slice of the value, in the form that fits it; slice NULL: all of it. */
bool show_sliced(struct call *call, const struct show *show, struct value *value,
                 const char *slice);
/* A value that is not an array: the recorded message as text. */
bool show_proto(struct call *call, const struct show *show, struct value *value,
                struct view *view);

#endif
