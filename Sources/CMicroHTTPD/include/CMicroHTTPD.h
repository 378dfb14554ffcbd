// The parts of libmicrohttpd that Swift can't use: a variadic function, macros with casts, and a socket address.

#ifndef C_MICRO_HTTPD_H
#define C_MICRO_HTTPD_H

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Called with the request line's target, before it is parsed; the result becomes the request's own pointer.
typedef void *_Nullable (*cmicrohttpd_target_callback)(
    void *_Nullable context, const char *_Nonnull target, struct MHD_Connection *_Nonnull connection);

/// The callbacks, which get the same context each time, on the daemon's thread.
struct cmicrohttpd_callbacks {
    cmicrohttpd_target_callback _Nonnull target;
    MHD_AccessHandlerCallback _Nonnull request;
    MHD_RequestCompletedCallback _Nonnull completed;
    void *_Nullable context;
};

/// The limits of a daemon.
struct cmicrohttpd_limits {
    unsigned int connections;
    unsigned int idle_seconds;
    size_t header_bytes;
};

/// Listens on 127.0.0.1, or on all addresses. With port 0 the system picks one, which is stored in `chosen`. Returns a
/// socket, or -errno.
int cmicrohttpd_listen(uint16_t port, int everywhere, uint16_t *_Nonnull chosen);

/// Serves a listening socket, which it then owns, from a thread of its own. Returns NULL on failure.
struct MHD_Daemon *_Nullable cmicrohttpd_start(
    int listener, struct cmicrohttpd_callbacks callbacks, struct cmicrohttpd_limits limits);

/// Takes the socket of a connection that is handed over by an upgrade. The daemon forgets the connection, and its own
/// socket must not be used any more. Returns a socket, or -1 when the process has no descriptor left.
///
/// It is called once for each upgrade, by the function that the daemon calls for it.
int cmicrohttpd_take_upgraded(MHD_socket socket, struct MHD_UpgradeResponseHandle *_Nonnull handle);

/// The result of a content reader that closes the connection in the middle of a response.
static inline ssize_t cmicrohttpd_break_off(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

/// The result of a content reader whose response is complete.
static inline ssize_t cmicrohttpd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

#endif
