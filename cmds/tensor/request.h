#ifndef CMDS_REQUEST_H
#define CMDS_REQUEST_H

#include "cmds/session/nodes.h"
#include "cmds/tensor/show.h"

/*
 * Which dump a command is about: "[DEVICE:]NODE[:SLOT]" and an optional slice, and the options -n
 * and -D. It is found in the order in which tfdbg's print_tensor looks.
 */
struct request {
	const char *word;        /* as typed, slice and all */
	const char *slice;       /* NULL: all */
	struct node_pick pick;
	const struct tensor *tensor;
	int64_t number;          /* of the dump, as typed; -1: none given */
	bool chosen;             /* one of several dumps */
};

/* The option row of -n for commands that take a request. */
#define NUMBER_OPT { OPT_INT, "n", "number", \
                     "which dump, from 0, when the tensor was dumped several times" }

/* False: the answer says why, or lists the dumps to choose from. All is allocated in call->mem. */
bool request_find(struct call *call, const char *word, const struct opt_value *number,
                  const char *device_word, struct request *out);

/* Opens the value. NULL: the answer says why. */
struct value *request_open(struct call *call, const struct request *req);
/* For an array; *view becomes the slice. NULL also for other values: the answer is their text. */
struct value *request_open_array(struct call *call, const struct request *req, struct view *view);

/* "net/w:0:DebugIdentity (dump #1)[0, :]" */
void request_label(const struct call *call, const struct request *req, struct str *out);

/* The origin of the value for a typed answer, in doc_mem(call->out); its view is still unset. */
struct value_data *request_data(struct call *call, const struct request *req);

#endif
