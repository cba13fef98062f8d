#ifndef DUMP_TRACE_HCC_H
#define DUMP_TRACE_HCC_H

#include "dump/profile/trace_source.h"

/*
 * What programs of ROCm print with HCC_PROFILE=2, a line for each command that has finished, among
 * whatever else the program prints:
 *
 *   profile: TYPE; TAG; DURATION us; [ENQUEUED;] [START; END;] [#DEVICE.QUEUE.COMMAND;]
 *            [N bytes; ...]
 *
 * TYPE is kernel, copy, copyslo or barrier; how much there is HCC_PROFILE_VERBOSE decides. Lines
 * are not in the order of time. Where only some have a start, the others are in no timeline; where
 * none has they follow each other.
 * Source: LOG_PROFILE in lib/hsa/mcwamp_hsa.cpp of ROCm/hcc.
 */
extern const struct trace_source hcc_source;

#endif
