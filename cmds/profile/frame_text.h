#ifndef CMDS_FRAME_TEXT_H
#define CMDS_FRAME_TEXT_H

#include "dump/base/str.h"
#include "dump/profile/trace.h"

/* The Python frames around a record of a trace, as text; frame MAP_NONE: nothing is put. */

/* "train.py:12(step)": the innermost that is no library's, else the innermost. */
void put_frame_line(struct str *out, const struct trace *trace, uint32_t frame);
/* "train.py:40(<module>) > train.py:12(step)", the innermost last; no more than the last 64. */
void put_frame_stack(struct str *out, const struct trace *trace, uint32_t frame);
/* "Net_0/Block_1/Conv2d_0": the modules of PyTorch around it. */
void put_frame_modules(struct str *out, const struct trace *trace, uint32_t frame);

#endif
