#include "CLazy.h"

#if LAZY_LIBRARIES && !defined(YABBI_LINKS_MICROHTTPD)

#include <microhttpd.h>
#include <stdarg.h>

static struct lazy_library library = {"libmicrohttpd.so.12", "libmicrohttpd12", NULL};

LAZY(library, enum MHD_Result, MHD_add_response_header,
     (struct MHD_Response * response, const char *name, const char *value), (response, name, value))
LAZY(library, struct MHD_Response *, MHD_create_response_for_upgrade, (MHD_UpgradeHandler handler, void *context),
     (handler, context))
LAZY(library, struct MHD_Response *, MHD_create_response_from_buffer,
     (size_t size, void *buffer, enum MHD_ResponseMemoryMode mode), (size, buffer, mode))
LAZY(library, struct MHD_Response *, MHD_create_response_from_callback,
     (uint64_t size, size_t block, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release),
     (size, block, read, context, release))
LAZY(library, void, MHD_destroy_response, (struct MHD_Response * response), (response))
LAZY(library, int, MHD_get_connection_values_n,
     (struct MHD_Connection * connection, enum MHD_ValueKind kind, MHD_KeyValueIteratorN each, void *context),
     (connection, kind, each, context))
LAZY(library, const char *, MHD_get_version, (void), ())
LAZY(library, const char *, MHD_lookup_connection_value,
     (struct MHD_Connection * connection, enum MHD_ValueKind kind, const char *key), (connection, kind, key))
LAZY(library, enum MHD_Result, MHD_queue_response,
     (struct MHD_Connection * connection, unsigned int status, struct MHD_Response *response),
     (connection, status, response))
LAZY(library, void, MHD_resume_connection, (struct MHD_Connection * connection), (connection))
LAZY(library, struct MHD_Daemon *, MHD_start_daemon_va,
     (unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *acceptContext,
      MHD_AccessHandlerCallback handle, void *context, va_list options),
     (flags, port, accept, acceptContext, handle, context, options))
LAZY(library, void, MHD_stop_daemon, (struct MHD_Daemon * daemon), (daemon))
LAZY(library, void, MHD_suspend_connection, (struct MHD_Connection * connection), (connection))

LAZY_HIDDEN struct MHD_Daemon *MHD_start_daemon(
    unsigned int flags, uint16_t port, MHD_AcceptPolicyCallback accept, void *acceptContext,
    MHD_AccessHandlerCallback handle, void *context, ...) {
    va_list options;
    va_start(options, context);
    struct MHD_Daemon *daemon = MHD_start_daemon_va(flags, port, accept, acceptContext, handle, context, options);
    va_end(options);
    return daemon;
}

// None of its actions has another argument.
LAZY_OWN(library, MHD_upgrade_action)
LAZY_HIDDEN enum MHD_Result MHD_upgrade_action(
    struct MHD_UpgradeResponseHandle *handle, enum MHD_UpgradeAction action, ...) {
    return own_MHD_upgrade_action()(handle, action);
}

#endif
