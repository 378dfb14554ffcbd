#if canImport(Darwin)
    public import AdCore

    extension URLSessionTransport: SocketTransport {
        /// Opens a connection, and reports its events on a queue of this transport.
        public func open(
            _ request: SocketRequest,
            report: @escaping @Sendable (SocketEvent) -> Void
        ) -> any SocketConnection {
            self.sockets.open(request, report: report)
        }
    }
#endif
