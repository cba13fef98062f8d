#ifndef CMDS_ORIGINS_ANSWER_H
#define CMDS_ORIGINS_ANSWER_H

#include "cmds/doc/call.h"
#include "dump/model/origins.h"

/* The options of `origins`, the same for all kinds of dumps. */
enum { ORIGINS_ALL, ORIGINS_N, ORIGINS_EXIT_CODE, N_ORIGINS_OPTIONS };
extern const struct opt origins_options[N_ORIGINS_OPTIONS];

/* Answers with the report, and takes it over. */
void origins_answer(struct call *call, struct origins_report *report);

#endif
