#ifndef CMDS_REQUEST_H
#define CMDS_REQUEST_H

#include "cmds/doc/menu.h"
#include "cmds/program/choose_tensor.h"
#include "cmds/session/nodes.h"
#include "cmds/tensor/show.h"

/*
 * Which tensor a command is about, and which slice of it. In a run it is a dump,
 * "[DEVICE:]NODE[:SLOT]", looked up as tfdbg's print_tensor does. For recorded programs see
 * choose_tensor.h.
 */
struct request {
	const char *word;        /* as typed, slice and all */
	const char *slice;       /* NULL: all */
	struct node_pick pick;
	const struct tensor *tensor;     /* of a run; NULL: of a program, see traced */
	struct program_tensor traced;    /* of a program */
	int64_t number;          /* of the dump, as typed; -1: none given */
	bool chosen;             /* there were several dumps to choose from */
};

/* The option row of -n for commands that take a request. */
#define NUMBER_OPT { OPT_INT, "n", "number", \
                     "which dump, from 0, when the tensor was dumped several times" }

/*
 * False: the answer says why, or lists the dumps to choose from. words->word may have a slice, and
 * may be NULL only for a program. Everything is allocated in call->mem.
 */
bool request_find(struct call *call, const struct tensor_words *words, struct request *out);

bool request_is_same(const struct request *a, const struct request *b);

/* The word that names the tensor in a command line; "" if only --trace does. */
static inline const char *request_typed(const struct args *args)
{
	return args->pos[0] ? args->pos[0] : "";
}

/*
 * The value, which the caller closes. NULL with *err; ERR_MISSING: the program did not store it,
 * and *err says why in a sentence.
 */
struct value *request_value(struct call *call, const struct request *req, struct err *err);
/* The same. NULL: the answer says why, or what is known without the value. */
struct value *request_open(struct call *call, const struct request *req);
/* The same for arrays; *view becomes the slice. NULL also for others: the text is the answer. */
struct value *request_open_array(struct call *call, const struct request *req, struct view *view);

/* "net/w:0:DebugIdentity (dump #1)[0, :]" */
void request_label(const struct call *call, const struct request *req, struct str *out);
/* What follows the label, "(step #31, graph train_step)", in call->mem; NULL: nothing. */
const char *request_origin(struct call *call, const struct request *req);

/* The origin of the value for a typed answer, in doc_mem(call->out); its view is still unset. */
struct value_data *request_data(struct call *call, const struct request *req);

/* The menu of an answer about the tensor, where answers have one. */
void request_menu(struct call *call, const struct request *req, enum menu_entry off);

#endif
