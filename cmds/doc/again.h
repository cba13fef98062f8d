#ifndef CMDS_AGAIN_H
#define CMDS_AGAIN_H

#include "cmds/doc/call.h"

/* A command line told again from what was parsed, with long names: "grid w[3, :] --form hex". */

/* The call's arguments with their words in mem, to outlive the call. */
struct args again_keep(const struct call *call, struct arena *mem);

/* What is no option. */
void again_put_words(const struct cmd *cmd, const struct args *args, struct str *out);
void again_toggle(struct opt_value *flag);
/* To the word after the present one; behind the last, and behind a word that is no such: none. */
void again_next_word(struct opt_value *opt, const char *const *words, size_t n);
void again_put(const struct cmd *cmd, const struct args *args, struct str *out);
/* The options from the first to the last of these alone, each after a blank. */
void again_put_options(const struct cmd *cmd, const struct args *args, size_t first, size_t last,
                       struct str *out);

#endif
