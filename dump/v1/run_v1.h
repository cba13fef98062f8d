#ifndef DUMP_RUN_V1_H
#define DUMP_RUN_V1_H

#include "dump/model/reader.h"

extern const struct reader reader_v1;

#endif
