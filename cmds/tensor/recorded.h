#ifndef CMDS_RECORDED_H
#define CMDS_RECORDED_H

#include "cmds/tensor/request.h"

/* The answer about an array of which no value was stored: its type and shape, what was recorded. */
void recorded_show(struct call *call, const struct request *req, const char *why);

#endif
