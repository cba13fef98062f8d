#ifndef DUMP_XSPACE_H
#define DUMP_XSPACE_H

#include "dump/profile/trace_source.h"

/*
 * XSpace, which the profilers of TensorFlow 2 and JAX write (HOST.xplane.pb): planes (devices, the
 * host) of lines (streams, threads) of events.
 *
 *   kernels  events of /device:GPU:N with launch details, of /device:TPU:N those of "XLA Ops";
 *            lines that are derived from others are never counted
 *   copies   events of the same lines that copy or set memory
 *   host     ops of /host:CPU: "NODE:Type", "Iterator::...", and whatever names an HLO op
 *   steps    events of /host:CPU that have a step number
 *
 * Times are ps in the file; here ns, half up. Besides the records memory is needed for one plane's
 * names at a time: 64 bytes a kind of event, at most 32 MB.
 * Source: xplane.proto and xplane_schema.cc of openxla/xla.
 */
extern const struct trace_source xspace_source;

#endif
