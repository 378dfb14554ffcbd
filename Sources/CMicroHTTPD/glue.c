#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int failure(int listener) {
    int reason = errno;
    if (listener >= 0) close(listener);
    return -reason;
}

int cmicrohttpd_listen(uint16_t port, int everywhere, uint16_t *chosen) {
    // A browser that is started from this process must not inherit the port: it would keep it in use.
#ifdef SOCK_CLOEXEC
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return failure(listener);
#else
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0) return failure(listener);
    if (fcntl(listener, F_SETFD, FD_CLOEXEC) < 0) return failure(listener);
    int flags = fcntl(listener, F_GETFL);
    if (flags < 0 || fcntl(listener, F_SETFL, flags | O_NONBLOCK) < 0) return failure(listener);
#endif
    // Without it, a fixed port stays unusable for a minute after a sandbox that had connections.
    int on = 1;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return failure(listener);

    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(everywhere ? INADDR_ANY : INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t length = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, length) < 0) return failure(listener);
    if (listen(listener, SOMAXCONN) < 0) return failure(listener);
    if (getsockname(listener, (struct sockaddr *)&address, &length) < 0) return failure(listener);
    *chosen = ntohs(address.sin_port);
    return listener;
}

struct MHD_Daemon *cmicrohttpd_start(
    int listener, struct cmicrohttpd_callbacks callbacks, struct cmicrohttpd_limits limits) {
    // poll, although there is epoll: that loop of libmicrohttpd (0.9.75 to 1.0.1 at least) goes on waiting after a round
    // of exactly 128 events, with 128 requests in its hands, and does not see a client that sends and closes at once.
    // And not select, which ends at 1,024 sockets.
    unsigned int flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME | MHD_ALLOW_UPGRADE;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, callbacks.request, callbacks.context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks.target, callbacks.context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, callbacks.context,
        MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.header_bytes,
        // A request without Host is refused, as by the servers that an app meets.
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
}

int cmicrohttpd_take_upgraded(MHD_socket socket, struct MHD_UpgradeResponseHandle *handle) {
    // Without TLS the daemon only closes its descriptor, in its next round and without shutdown, so the connection lives
    // on in the duplicate (0.9.75 to 1.0.1). As long as it keeps a connection, it also keeps the memory of its headers.
    int duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
    return duplicate;
}
