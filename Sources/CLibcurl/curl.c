// The checks of types are macros with the names of the functions.
#define CURL_DISABLE_TYPECHECK

#include "CLazy.h"
#include "CLibcurl.h"

#if LAZY_LIBRARIES && !defined(YABBI_LINKS_CURL)

#include <stdarg.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_share_setopt
#undef curl_multi_setopt

static struct lazy_library library = {"libcurl.so.4", "libcurl4", NULL};

LAZY(library, CURLcode, curl_global_init, (long flags), (flags))
LAZY(library, curl_version_info_data *, curl_version_info, (CURLversion version), (version))
LAZY(library, struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), (list, text))
LAZY(library, void, curl_slist_free_all, (struct curl_slist * list), (list))

LAZY(library, CURL *, curl_easy_init, (void), ())
LAZY(library, void, curl_easy_cleanup, (CURL * easy), (easy))
LAZY(library, void, curl_easy_reset, (CURL * easy), (easy))
LAZY(library, CURLcode, curl_easy_recv, (CURL * easy, void *bytes, size_t size, size_t *count),
     (easy, bytes, size, count))
LAZY(library, CURLcode, curl_easy_send, (CURL * easy, const void *bytes, size_t size, size_t *count),
     (easy, bytes, size, count))
LAZY(library, const char *, curl_easy_strerror, (CURLcode code), (code))

LAZY(library, CURLM *, curl_multi_init, (void), ())
LAZY(library, CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi))
LAZY(library, CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL *easy), (multi, easy))
LAZY(library, CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL *easy), (multi, easy))
LAZY(library, CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), (multi, left))
LAZY(library, CURLMcode, curl_multi_perform, (CURLM * multi, int *running), (multi, running))
LAZY(library, CURLMcode, curl_multi_poll,
     (CURLM * multi, struct curl_waitfd *descriptors, unsigned int count, int milliseconds, int *ready),
     (multi, descriptors, count, milliseconds, ready))
LAZY(library, CURLMcode, curl_multi_socket_action, (CURLM * multi, curl_socket_t socket, int events, int *running),
     (multi, socket, events, running))
LAZY(library, const char *, curl_multi_strerror, (CURLMcode code), (code))
LAZY(library, CURLMcode, curl_multi_wakeup, (CURLM * multi), (multi))

LAZY(library, CURLSH *, curl_share_init, (void), ())
LAZY(library, CURLSHcode, curl_share_cleanup, (CURLSH * share), (share))

// Passes on a function with one argument of any type, a pointer or a number of the same size.
#define LAZY_OPTION(result, name, handle_type, option_type)                                   \
    LAZY_OWN(library, name)                                                                   \
    LAZY_HIDDEN result name(handle_type *handle, option_type option, ...) {                   \
        va_list arguments;                                                                    \
        va_start(arguments, option);                                                          \
        void *value = va_arg(arguments, void *);                                              \
        va_end(arguments);                                                                    \
        return own_##name()(handle, option, value);                                           \
    }

_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "a number has another size");

LAZY_OPTION(CURLcode, curl_easy_setopt, CURL, CURLoption)
LAZY_OPTION(CURLcode, curl_easy_getinfo, CURL, CURLINFO)
LAZY_OPTION(CURLMcode, curl_multi_setopt, CURLM, CURLMoption)
LAZY_OPTION(CURLSHcode, curl_share_setopt, CURLSH, CURLSHoption)

const char *yabbi_curl_error(void) { return lazy_load(&library); }

#else

const char *yabbi_curl_error(void) { return NULL; }

#endif
