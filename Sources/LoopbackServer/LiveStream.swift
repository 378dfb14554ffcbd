import CMicroHTTPD

/// Sends a live body in pieces, and suspends its connection while there are none.
///
/// Only the server's thread uses it, in the callbacks of one connection.
final class LiveStream {
    private let body: LiveBody
    private let connection: Connection
    private let alarms: ConnectionAlarms
    /// The bytes of the last piece that are not sent yet.
    private var rest: ArraySlice<UInt8> = []
    /// When bytes are sent to find out whether the client is still there.
    private var keepAliveTime: ContinuousClock.Instant

    private static let keepAliveInterval = Duration.seconds(15)

    init(_ body: LiveBody, over connection: Connection, alarms: ConnectionAlarms) {
        self.body = body
        self.connection = connection
        self.alarms = alarms
        self.keepAliveTime = .now + LiveStream.keepAliveInterval
    }

    /// Fills a buffer with the next bytes.
    ///
    /// - Returns: The number of bytes; 0 when the connection was suspended, nil at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while self.rest.isEmpty {
            guard !self.alarms.isStopping else { return nil }
            let generation = self.body.waker.generation
            switch self.body.next() {
            case .bytes(let bytes): self.rest = bytes[...]
            case .end: return nil
            case .wait where self.keepAliveTime <= .now: self.rest = self.body.keepAlive[...]
            case .wait:
                let isSuspended = self.alarms.suspend(
                    self.connection,
                    until: self.keepAliveTime,
                    or: self.body.waker,
                    since: generation
                )
                if isSuspended { return 0 }
            }
        }
        self.keepAliveTime = .now + LiveStream.keepAliveInterval
        let piece = self.rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        self.rest.removeFirst(piece.count)
        return piece.count
    }

    /// The stream as a response of libmicrohttpd, which takes ownership of it.
    func makeResponse() -> OpaquePointer? {
        let owned = Unmanaged.passRetained(self).toOpaque()
        let response = MHD_create_response_from_callback(
            // The size is not known (MHD_SIZE_UNKNOWN).
            UInt64.max,
            32 << 10,
            { context, _, buffer, size in
                guard let context, let buffer else { return cmicrohttpd_break_off() }
                let stream = Unmanaged<LiveStream>.fromOpaque(context).takeUnretainedValue()
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return stream.read(into: target) ?? cmicrohttpd_end_of_stream()
            },
            owned,
            { context in
                if let context { Unmanaged<LiveStream>.fromOpaque(context).release() }
            }
        )
        if response == nil { Unmanaged<LiveStream>.fromOpaque(owned).release() }
        return response
    }
}
