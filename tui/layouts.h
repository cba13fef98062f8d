#ifndef TUI_LAYOUTS_H
#define TUI_LAYOUTS_H

#include <stdbool.h>

#include "cmds/session/config.h"
#include "dump/base/err.h"
#include "dump/base/str.h"

/* Layouts by name: the built-in ones, and "layout NAME TEXT" lines of the config (tui/plan.h). */

/* Its text; beside: there is room for panes side by side. False: no such name. */
bool layouts_find(const char *name, bool beside, struct str *text);
/* "single", "detail" ...; of the texts that say the same as this one. "": none. */
void layouts_put_name(const char *text, bool beside, struct str *out);
void layouts_put_names(struct str *out);         /* all, a comma and a blank between two */
/* Into the config. ERR_VALUE for a name that is none or built in; ERR_IO. */
bool layouts_save(const char *name, const char *text, struct err *err);
void layouts_check(struct config_complaint *complaint);  /* what is wrong with the config's */

#endif
