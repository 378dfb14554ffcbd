import CMicroHTTPD

/// Sends a body in pieces, at its rate and up to its end or cut-off.
///
/// Only the server's thread uses it, in the callbacks of one connection.
final class ResponseStream {
    private let body: ResponseBody
    private let end: Int
    private let pace: Pace?
    private let connection: Connection
    private let alarms: ConnectionAlarms
    private var start: ContinuousClock.Instant?

    init(_ response: ServerResponse, over connection: Connection, alarms: ConnectionAlarms) {
        self.body = response.body
        self.pace = response.bytesPerSecond.map(Pace.init)
        self.connection = connection
        self.alarms = alarms
        switch response.ending {
        case .cut(let after, _): self.end = min(after, response.body.count)
        case .whole, .dropped: self.end = response.body.count
        }
    }

    /// Fills a buffer with the bytes from a position.
    ///
    /// - Returns: The number of bytes; 0 when the connection was suspended first, nil when it must be closed here.
    func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard position < self.end, !self.alarms.isStopping else { return nil }
        var count = min(buffer.count, self.end - position)
        if let pace {
            let start = self.start ?? .now
            self.start = start
            let allowed = pace.allowance(after: .now - start) - position
            guard allowed > 0 else {
                return self.alarms.suspend(self.connection, until: start + pace.due(after: position)) ? 0 : nil
            }
            count = min(count, allowed)
        }
        return self.body.copy(from: position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }

    /// The stream as a response of libmicrohttpd, which takes ownership of it.
    func makeResponse(declared: Int) -> OpaquePointer? {
        let owned = Unmanaged.passRetained(self).toOpaque()
        let response = MHD_create_response_from_callback(
            UInt64(declared),
            64 << 10,
            { context, position, buffer, size in
                guard let context, let buffer else { return cmicrohttpd_break_off() }
                let stream = Unmanaged<ResponseStream>.fromOpaque(context).takeUnretainedValue()
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                return stream.read(at: Int(position), into: target) ?? cmicrohttpd_break_off()
            },
            owned,
            { context in
                if let context { Unmanaged<ResponseStream>.fromOpaque(context).release() }
            }
        )
        if response == nil { Unmanaged<ResponseStream>.fromOpaque(owned).release() }
        return response
    }
}
