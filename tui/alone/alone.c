/*
 * What libraries ask of the system through shared libraries: in the static program they would be
 * those of whatever system it runs on, and need not fit. readline asks for users ("~name"), SQLite
 * for extensions, which nobody loads: there are none. ld --wrap (see NOT_ASKED in the Makefile) has
 * these called instead.
 */
#include <pwd.h>
#include <stddef.h>

struct passwd *__wrap_getpwnam(const char *name);
struct passwd *__wrap_getpwuid(uid_t uid);
struct passwd *__wrap_getpwent(void);
void __wrap_setpwent(void);
void __wrap_endpwent(void);
void *__wrap_dlopen(const char *file, int mode);

struct passwd *__wrap_getpwnam(const char *name)
{
	(void)name;
	return NULL;
}

struct passwd *__wrap_getpwuid(uid_t uid)
{
	(void)uid;
	return NULL;
}

struct passwd *__wrap_getpwent(void)
{
	return NULL;
}

void __wrap_setpwent(void)
{
}

void __wrap_endpwent(void)
{
}

void *__wrap_dlopen(const char *file, int mode)
{
	(void)file;
	(void)mode;
	return NULL;
}
