#ifndef CMDS_ORIGINS_H
#define CMDS_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dump/base/arena.h"
#include "dump/base/err.h"
#include "dump/base/map.h"
#include "dump/base/vec.h"
#include "dump/profile/profile.h"

/*
 * Op type and source line of every node name of a step, found once and not changed: 8 bytes a
 * name. The op type is the graph's; without a graph a ProfileProto's, the partition graphs', the
 * label's, or what follows the colon of "node:Op". The line is that of cmds/graph/node_source.h.
 * Source: tfdbg's profile_analyzer_cli.py.
 */
struct shell;

struct source_line {
	const char *file, *function;     /* "" if unknown */
	const char *text;                /* "train.py:21(build)", or "" */
	uint32_t line;                   /* 0 if unknown */
};

struct origin {
	uint32_t op;                     /* origins->ops.key[] */
	uint32_t source;                 /* origins->sources.at[]; 0: unknown */
};

struct origins {
	const struct step *step;
	VEC(struct origin) of_name;      /* by record->name */
	struct map ops;                  /* op 0 is "" */
	VEC(struct source_line) sources;
	struct map source_texts;         /* private: finds a source */
	struct err fault;                /* why something is missing; call_origins reports it */
	struct arena mem;
};

/*
 * The origins of a loaded step; the shell owns them. The answer says what is missing. NULL after a
 * cancel: call->err says so.
 */
struct call;
const struct origins *call_origins(struct call *call, const struct step *step);

static inline const char *origin_op(const struct origins *origins, uint32_t name)
{
	return origins->ops.key[origins->of_name.at[name].op];
}

static inline const struct source_line *origin_source(const struct origins *origins, uint32_t name)
{
	return &origins->sources.at[origins->of_name.at[name].source];
}

#endif
