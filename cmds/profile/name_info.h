#ifndef CMDS_NAME_INFO_H
#define CMDS_NAME_INFO_H

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

struct name_info {
	uint32_t op;                     /* infos->ops.key[] */
	uint32_t source;                 /* infos->sources.at[]; 0: unknown */
};

struct name_infos {
	const struct step *step;
	VEC(struct name_info) of_name;      /* by record->name */
	struct map ops;                  /* op 0 is "" */
	VEC(struct source_line) sources;
	struct map source_texts;         /* private: finds a source */
	struct err fault;                /* why something is missing; call_name_infos reports it */
	struct arena mem;
};

/*
 * What is known of the names of a loaded step; the shell owns it. The answer says what is missing.
 * NULL after a cancel: call->err says so.
 */
struct call;
const struct name_infos *call_name_infos(struct call *call, const struct step *step);

static inline const char *name_info_op(const struct name_infos *infos, uint32_t name)
{
	return infos->ops.key[infos->of_name.at[name].op];
}

static inline const struct source_line *name_info_source(const struct name_infos *infos,
                                                         uint32_t name)
{
	return &infos->sources.at[infos->of_name.at[name].source];
}

#endif
