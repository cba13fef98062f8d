#ifndef CMDS_RUN_SCREEN_H
#define CMDS_RUN_SCREEN_H

#include "cmds/session/position.h"

/* Texts about a run that several commands show. */

/* tfdbg's run_info of a run: what it fetched and was fed, and how to go on. */
void run_screen_put(struct call *call, const struct run_entry *entry,
                    const struct run_names *names);
/* The logo and the version: above all else, on the first run. */
void run_screen_logo(struct doc *doc);
/* About a run that looks cut short: at which ops it ended, and what to do. */
void run_screen_suspects(struct doc *doc, const struct run_info *info);
/* What comes before help: about the upcoming run, or one that looks cut short; else nothing. */
void run_screen_intro(struct call *call);
/* The menu: list_tensors where there are tensors to list, then run and exit. */
void run_screen_menu(struct call *call);

#endif
