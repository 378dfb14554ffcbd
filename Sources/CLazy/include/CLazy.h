// Loads a shared library when the first of its functions is called, and not when the process starts: libcurl alone brings
// forty libraries, and loading them takes longer than most of what the command does. The header of the library declares
// its functions as always; a C file defines those that are called here, with the macros below. A static link, which
// cannot load a library later, leaves that file out: -DYABBI_LINKS_CURL and the like, and -lcurl.

#ifndef YABBI_CLAZY_H
#define YABBI_CLAZY_H

// On other systems the libraries are linked: their loaders share and cache them.
#ifdef __linux__
#define LAZY_LIBRARIES 1
#else
#define LAZY_LIBRARIES 0
#endif

#include <stdatomic.h>
#include <stddef.h>

struct lazy_library {
    const char *file;
    // Debian's package of it, for the message if it is missing.
    const char *package;
    _Atomic(void *) handle;
};

// Loads the library, and returns why it can't be loaded; NULL if it is.
const char *lazy_load(struct lazy_library *library);

// The library's function of that name. Without it the process ends, with a message, as it does without a library that is
// linked; lazy_load asks first.
void *lazy_function(struct lazy_library *library, const char *name);

// Defines own_NAME(), which returns the library's function.
#define LAZY_OWN(library, name)                                                               \
    static __typeof__(name) *own_##name(void) {                                               \
        static _Atomic(__typeof__(name) *) known;                                             \
        __typeof__(name) *function = atomic_load_explicit(&known, memory_order_acquire);      \
        if (function == NULL) {                                                               \
            function = (__typeof__(name) *)lazy_function(&library, #name);                    \
            atomic_store_explicit(&known, function, memory_order_release);                    \
        }                                                                                     \
        return function;                                                                      \
    }

// Hidden, so that no shared library of the process calls it instead of the library's own.
#define LAZY_HIDDEN __attribute__((visibility("hidden")))

// Defines a function that passes its arguments on to the library's function of the same name.
#define LAZY(library, result, name, parameters, arguments)                                    \
    LAZY_OWN(library, name)                                                                   \
    LAZY_HIDDEN result name parameters { return own_##name() arguments; }

#endif
