#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define TENSORDBG_VERSION "0.1"

#endif
