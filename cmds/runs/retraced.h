#ifndef CMDS_RETRACED_H
#define CMDS_RETRACED_H

#include "dump/model/program.h"

/*
 * A function that was traced anew has other graphs, of the same names but for the numbers that
 * they end in. Which of the graphs in `now` stands for each of those in `before`: of several of a
 * name in one graph the first for the first, and so on. Of each of program->graphs; PROGRAM_NONE:
 * none does, or it is not in `before`. The caller frees it.
 */
uint32_t *retraced_graphs(const struct program *program, uint32_t now, uint32_t before);

#endif
