#include "CLazy.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

const char *lazy_load(struct lazy_library *library) {
    if (atomic_load(&library->handle) != NULL) return NULL;
    // Two threads may both do it: the library is loaded once, and both get the same handle.
    void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return dlerror();
    atomic_store(&library->handle, handle);
    return NULL;
}

void *lazy_function(struct lazy_library *library, const char *name) {
    const char *error = lazy_load(library);
    void *function = error == NULL ? dlsym(atomic_load(&library->handle), name) : NULL;
    if (function == NULL) {
        fprintf(stderr, "yabbi: %s; install the package %s\n", error == NULL ? dlerror() : error, library->package);
        _Exit(1);
    }
    return function;
}
