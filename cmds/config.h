#ifndef CMDS_CONFIG_H
#define CMDS_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmds/data.h"
#include "dump/base/err.h"
#include "dump/base/str.h"

/*
 * Settings, and the file they last in: $XDG_CONFIG_HOME/tensordbg/config, lines of commands
 * ("config set NAME VALUE") and # comments. Only config_set writes it, whole and at once; lines it does not know stay.
 */
enum setting { SETTING_GRAPH_RECURSION_DEPTH, SETTING_MOUSE_MODE, N_SETTINGS };

struct config {
	int64_t value[N_SETTINGS];
};

extern const char *const setting_names[N_SETTINGS];

void config_init(struct config *config);                 /* defaults, then the file */
/* Sets and saves. ERR_KEY for a name that is none, ERR_VALUE for a bad value, with Python's text; ERR_IO: set, not saved. */
bool config_set(struct config *config, const char *name, const char *value, enum setting *which, struct err *err);
void config_put_value(const struct config *config, enum setting setting, struct str *out);   /* "20", "True" */
void config_put_data(const struct config *config, enum setting setting, struct data *data);    /* 20, true */

#endif
