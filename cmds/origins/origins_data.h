#ifndef CMDS_ORIGINS_DATA_H
#define CMDS_ORIGINS_DATA_H

#include "cmds/doc/data.h"
#include "dump/model/origins.h"

/* An object: the report, and of its origins the first n. */
void origins_put_data(struct data *data, const struct origins_report *report, size_t n);
/* A row, an object. rank 0: it has none. */
void origins_put_row_data(struct data *data, const struct origins_report *report,
                          const struct origin_row *row, size_t rank);

#endif
