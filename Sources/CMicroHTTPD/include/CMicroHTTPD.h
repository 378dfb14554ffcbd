// What Swift can't say to libmicrohttpd itself: a variadic call, macros with casts, and a socket address.

#ifndef C_MICRO_HTTPD_H
#define C_MICRO_HTTPD_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Called with the request line's target, before it is parsed; what it returns is the request's own pointer.
typedef void *_Nullable (*cmicrohttpd_target_callback)(
    void *_Nullable context, const char *_Nonnull target, struct MHD_Connection *_Nonnull connection);

/// What is called, with the same context each time, on the daemon's thread.
struct cmicrohttpd_callbacks {
    cmicrohttpd_target_callback _Nonnull target;
    MHD_AccessHandlerCallback _Nonnull request;
    MHD_RequestCompletedCallback _Nonnull completed;
    void *_Nullable context;
};

/// Bounds of one daemon.
struct cmicrohttpd_limits {
    unsigned int connections;
    unsigned int idle_seconds;
    size_t header_bytes;
};

/// Listens on 127.0.0.1. Port 0 takes a free one; `chosen` tells which. Returns a socket, or an errno made negative.
int cmicrohttpd_listen(uint16_t port, uint16_t *_Nonnull chosen);

/// Serves a listening socket from a thread of its own; the daemon owns the socket from here on. NULL if it can't.
struct MHD_Daemon *_Nullable cmicrohttpd_start(
    int listener, struct cmicrohttpd_callbacks callbacks, struct cmicrohttpd_limits limits);

/// Ends a connection that was handed over by an upgrade; the daemon closes its socket, which nobody may use any more.
///
/// It may be called from any thread, and must have been called for every such connection before the daemon is stopped.
void cmicrohttpd_end_upgraded(struct MHD_UpgradeResponseHandle *_Nonnull handle);

/// What a content reader returns to close the connection in the middle of an answer.
static inline ssize_t cmicrohttpd_break_off(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

#endif
