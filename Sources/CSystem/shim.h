#ifndef YABBI_CSYSTEM_SHIM_H
#define YABBI_CSYSTEM_SHIM_H

#include <pthread.h>

// Names the calling thread. glibc declares the function only if GNU extensions are requested before any header.
#if defined(__APPLE__)
static inline void yabbi_name_thread(const char *name) {
    pthread_setname_np(name);
}
#else
extern int pthread_setname_np(pthread_t thread, const char *name);
static inline void yabbi_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
#endif

// Returns free memory to the system. Swift has no module of malloc.h, and only glibc has such a function.
#if defined(__GLIBC__)
extern int malloc_trim(size_t pad);
static inline void yabbi_give_memory_back(void) {
    malloc_trim(0);
}
#else
static inline void yabbi_give_memory_back(void) {
}
#endif

#endif
