#ifndef YABBI_CSYSTEM_SHIM_H
#define YABBI_CSYSTEM_SHIM_H

#include <pthread.h>

// Names the thread that calls. glibc shows its function only to those who ask for GNU extensions before any header.
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

// Gives free memory back to the system. Swift sees no malloc.h; other libraries than glibc have no such call.
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
