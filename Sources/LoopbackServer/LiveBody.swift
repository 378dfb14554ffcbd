/// A body whose bytes are produced while the connection is open, as of a stream of events.
///
/// The connection asks for bytes when it can send them, so a client that does not read costs no memory.
package final class LiveBody: Hashable, Sendable {
    /// What follows in a body.
    package enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        /// Nothing yet: wait for the waker.
        case wait
        case end
    }

    /// Wakes the connection when there are bytes.
    let waker: Waker
    /// Sent after a time without bytes, so that a closed connection is noticed.
    let keepAlive: [UInt8]
    let next: @Sendable () -> Piece
    let onEnd: @Sendable () -> Void

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - waker: Wakes the connection when there are bytes.
    ///   - keepAlive: Sent after a time without bytes.
    ///   - next: The next piece; called on the server's thread.
    ///   - onEnd: Called when the connection is closed.
    package init(
        waker: Waker,
        keepAlive: [UInt8],
        next: @escaping @Sendable () -> Piece,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        precondition(!keepAlive.isEmpty, "A stream without bytes to send can't find out whether its client is there.")
        self.waker = waker
        self.keepAlive = keepAlive
        self.next = next
        self.onEnd = onEnd
    }

    // Not when the body has been sent: it may never be sent.
    deinit { self.onEnd() }

    package static func == (left: LiveBody, right: LiveBody) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A response that is not known yet, as of a request that waits for the next picture.
package final class LaterResponse: Hashable, Sendable {
    let waker: Waker
    /// How long the request waits.
    let limit: Duration
    let poll: @Sendable () -> ServerResponse?
    let onEnd: @Sendable () -> Void

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - waker: Wakes the connection when the response may be known.
    ///   - limit: How long the request waits.
    ///   - poll: The response, or nil to wait for the waker; called on the server's thread.
    ///   - onEnd: Called when the response is sent, or when the connection is closed.
    package init(
        waker: Waker,
        limit: Duration,
        poll: @escaping @Sendable () -> ServerResponse?,
        onEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.waker = waker
        self.limit = limit
        self.poll = poll
        self.onEnd = onEnd
    }

    deinit { self.onEnd() }

    /// The response, changed by a closure as soon as it is known.
    package func map(_ change: @escaping @Sendable (ServerResponse) -> ServerResponse) -> LaterResponse {
        // The new response holds this one, so `onEnd` is called when both are released.
        LaterResponse(waker: self.waker, limit: self.limit, poll: { self.poll().map(change) })
    }

    package static func == (left: LaterResponse, right: LaterResponse) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
