#ifndef CMDS_EXPLAIN_H
#define CMDS_EXPLAIN_H

#include "cmds/tensor/request.h"

/* What `explain` is made of: rows of what, where, how many bytes. */

enum { ORIGIN_UNKNOWN = UINT64_MAX };

struct origin {
	const char *what;        /* "file", "message", "element", "node", "made" ... */
	const char *name;        /* of the tensor or node */
	const char *file;
	uint64_t off, bytes;     /* ORIGIN_UNKNOWN; in a source file off is a line number */
	bool source;
	const char *link;        /* of a line: the command that shows it */
};

struct origins {
	VEC(struct origin) at;
};

/* Into doc_mem(call->out). */
const char *origin_keep(struct call *call, const char *text);
void origins_add(struct origins *origins, const char *what, const char *name, const char *file,
                 uint64_t off, uint64_t bytes);
void origins_add_line(struct origins *origins, const char *name, const char *file, uint64_t line,
                      const char *link);
/* What a value tells of the file and the name of the first row. element: an index as typed. */
bool origins_add_value(struct call *call, const struct request *req, struct value *value,
                       const struct opt_value *element, struct origins *origins);

/* Of recorded programs: a tensor, a node or a step. False: the answer says why. */
bool traced_explain(struct call *call, const struct tensor_words *words,
                    const struct opt_value *element, struct origins *origins);

#endif
