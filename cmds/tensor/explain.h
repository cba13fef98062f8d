#ifndef CMDS_EXPLAIN_H
#define CMDS_EXPLAIN_H

#include "cmds/tensor/request.h"

/* The answer of `explain` in parts: rows that say what lies where, and how many bytes. */

#define SPOT_UNKNOWN UINT64_MAX

struct spot {
	const char *what;        /* "file", "message", "element", "node", "made" ... */
	const char *name;        /* of the tensor or node */
	const char *file;
	uint64_t off, bytes;     /* or SPOT_UNKNOWN; if source, off is a line number */
	bool source;
	const char *link;        /* a command that shows the source line */
};

struct spots {
	VEC(struct spot) at;
};

/* Copies a text into doc_mem(call->out). */
const char *spot_keep(struct call *call, const char *text);
void spots_add(struct spots *spots, const char *what, const char *name, const char *file,
               uint64_t off, uint64_t bytes);
void spots_add_line(struct spots *spots, const char *name, const char *file, uint64_t line,
                    const char *link);
/* Rows about a value; the first row, there already, has its name and file. element: as typed. */
bool spots_add_value(struct call *call, const struct request *req, struct value *value,
                     const struct opt_value *element, struct spots *spots);

/* For a tensor, node or step of a recorded program. False: the answer says why not. */
bool traced_explain(struct call *call, const struct tensor_words *words,
                    const struct opt_value *element, struct spots *spots);

#endif
