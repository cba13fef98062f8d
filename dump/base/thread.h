#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread that takes no signal but those that mean a bug in it (SIGSEGV and its like):
 * signals come to the main thread, which answers them. They are blocked before the thread begins,
 * so none comes to it in its first moments either. False: there can be no thread now.
 */
bool thread_start(pthread_t *thread, void *(*work)(void *), void *arg);

#endif
