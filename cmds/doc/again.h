#ifndef CMDS_AGAIN_H
#define CMDS_AGAIN_H

#include "cmds/doc/call.h"

/* Writes a command line from its parsed arguments, with long names: "grid w[3, :] --form hex". */

/* A copy of the call's arguments, words included, in mem: it may outlive the call. */
struct args again_keep(const struct call *call, struct arena *mem);

/* The positional arguments, each after a space. */
void again_put_words(const struct cmd *cmd, const struct args *args, struct str *out);
void again_toggle(struct opt_value *flag);
/* To the word after its present one, the first if not given; after the last one: not given. */
void again_next_word(struct opt_value *opt, const char *const *words, size_t n);
void again_put(const struct cmd *cmd, const struct args *args, struct str *out);
/* Only the options with indexes first to last in the command's table, each after a space. */
void again_put_options(const struct cmd *cmd, const struct args *args, size_t first, size_t last,
                       struct str *out);

#endif
