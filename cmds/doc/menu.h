#ifndef CMDS_MENU_H
#define CMDS_MENU_H

#include "cmds/doc/doc.h"

/* The main menu, which some answers have. The entry of the command that is shown is off. */
enum menu_entry { MENU_LIST_TENSORS, MENU_NODE_INFO, MENU_PRINT_TENSOR, MENU_LIST_INPUTS,
                  MENU_LIST_OUTPUTS, MENU_RUN_INFO, MENU_HELP, MENU_NONE };

/* node NULL: the entries about a node are off. */
void menu_put(struct doc *doc, const char *node, enum menu_entry off);
/* The same for a node given by several words: its name, then options to tell it from others. */
void menu_put_words(struct doc *doc, const char *words, enum menu_entry off);

#endif
