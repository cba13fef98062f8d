#ifndef DUMP_HLO_H
#define DUMP_HLO_H

#include "dump/base/progress.h"
#include "dump/format/wire.h"
#include "dump/model/graph.h"

/*
 * What XLA dumps of the programs it compiles (--xla_dump_to), as text or as HloProto, made into a
 * graph with a module (dump/model/module.h). As graph_open: what is whole before a damage is kept,
 * and *damage says where it ends; NULL with *err if nothing could be read, or after a cancel.
 * Source: xla/hlo/parser/hlo_lexer.cc, hlo_parser.cc; xla/service/hlo.proto.
 */
struct graph *hlo_text_open(const char *path, struct progress *progress, struct err *damage,
                            struct err *err);
/*
 * The HloProto, or the HloModuleProto alone, at a range of a file; len UINT64_MAX: up to the file's
 * end.
 */
struct graph *hlo_proto_open(const char *path, struct span proto, struct progress *progress,
                             struct err *damage, struct err *err);

#endif
