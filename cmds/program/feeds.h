#ifndef CMDS_PROGRAM_FEEDS_H
#define CMDS_PROGRAM_FEEDS_H

#include "cmds/program/listed.h"

/* The typed rows of pf: the inputs of a step, as a list. */
void feeds_put_data(const struct program *program, uint32_t step, struct data *data);

#endif
