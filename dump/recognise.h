#ifndef DUMP_RECOGNISE_H
#define DUMP_RECOGNISE_H

#include <stdbool.h>

#include "dump/base/err.h"

/*
 * What a file is, by its first bytes; names do not count. Text kinds are protobuf text format.
 * The second column is what a person calls it; the third is the whole answer for a kind that is not opened.
 */
#define FILE_KINDS(X) \
	X(NONE, "nothing known", "no TensorFlow dump, profile or graph") \
	X(RUN_METADATA, "RunMetadata", NULL) \
	X(STEP_STATS, "StepStats", NULL) \
	X(GRAPH, "GraphDef", NULL) \
	X(OP_LOG, "op log", NULL) \
	X(PROFILE_PROTO, "tfprof profile", NULL) \
	X(RUN_METADATA_TEXT, "RunMetadata as text", NULL) \
	X(STEP_STATS_TEXT, "StepStats as text", NULL) \
	X(GRAPH_TEXT, "GraphDef as text", NULL) \
	X(XSPACE, "XSpace", "XSpace (XPlane) files are not supported yet.") \
	X(TRACE, "Chrome trace", "Chrome traces are not supported yet.") \
	X(GZIP, "gzip", "compressed traces are not supported yet.") \
	X(RIEGELI, "Riegeli records", "Riegeli records are not supported: write the XSpace as plain protobuf.") \
	X(HLO, "XLA HLO text", "XLA HLO text is not supported yet.")

enum file_kind {
#define X(id, name, answer) FILE_##id,
	FILE_KINDS(X)
#undef X
};

const char *file_kind_name(enum file_kind kind);
const char *file_kind_answer(enum file_kind kind);       /* NULL: it is opened */

/* False with ERR_IO if it can't be read. */
bool recognise(const char *path, enum file_kind *kind, struct err *err);

#endif
