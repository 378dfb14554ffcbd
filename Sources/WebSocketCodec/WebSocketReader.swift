/// Parses the frames of the other side into messages, from any chunks of bytes (RFC 6455 §5, §6.2).
///
/// ```swift
/// var reader = WebSocketReader(as: .client)
/// try reader.read(bytes) { message in print(message) }
/// ```
package struct WebSocketReader: Sendable {
    /// The maximum size of a message, in bytes.
    package let maxMessageSize: Int
    /// The maximum size of a message that is skipped, in bytes.
    package let maxSkippedSize: Int

    private let role: WebSocketRole
    /// The received bytes of the next frame header.
    private var header: [UInt8] = []
    private var frame: FrameHeader?
    /// The number of received payload bytes of the frame.
    private var receivedCount = 0
    /// The type of the current message, and its received payload.
    private var messageOpcode: Opcode?
    private var payload: [UInt8] = []
    private var validator = UTF8Validator()
    /// The received bytes of a message that is skipped, and how many of them were reported; nil if it isn't skipped.
    private var skipped: (bytes: Int, reported: Int)?
    /// The received payload of a control frame.
    private var control: [UInt8] = []
    private var state = State.open

    private enum State: Hashable, Sendable {
        case open
        case closed
        case failed(WebSocketError)
    }

    /// Creates a reader for one side of a connection.
    ///
    /// - Parameters:
    ///   - role: The side that reads.
    ///   - maxMessageSize: The maximum size of a message, in bytes.
    ///   - maxSkippedSize: The maximum size of a message that is skipped, in bytes: it is not stored, and reading
    ///     continues after it. A longer one is an error; without this parameter, so is any message beyond
    /// `maxMessageSize`.
    package init(as role: WebSocketRole, maxMessageSize: Int = 1 << 20, maxSkippedSize: Int = 0) {
        self.role = role
        self.maxMessageSize = max(125, maxMessageSize)
        self.maxSkippedSize = max(self.maxMessageSize, maxSkippedSize)
    }

    /// The number of received bytes after which a skipped message is reported again.
    static let reportInterval = 1 << 20

    /// The number of stored bytes of an incomplete message.
    package var pending: Int { self.payload.count }

    /// Parses the next bytes, and calls the closure with each complete message.
    ///
    /// After a Close frame, bytes are ignored (§1.4). After an error, every call throws the same error.
    package mutating func read(
        _ bytes: some Sequence<UInt8>,
        _ onMessage: (WebSocketMessage) -> Void
    ) throws(WebSocketError) {
        let contiguous = bytes.withContiguousStorageIfAvailable { buffer in
            self.parse(UnsafeRawBufferPointer(buffer), onMessage) { _ in }
        }
        let error = contiguous ?? Array(bytes).withUnsafeBytes { self.parse($0, onMessage) { _ in } }
        if let error { throw error }
    }

    /// Parses the next bytes of a buffer, and calls the closures with complete and skipped messages.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - onMessage: Called with each complete message.
    ///   - onOverlong: Called with the progress of skipped messages.
    /// - Throws: `WebSocketError` for a protocol violation, also in every later call.
    package mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ onMessage: (WebSocketMessage) -> Void,
        overlong onOverlong: (WebSocketSkippedMessage) -> Void = { _ in }
    ) throws(WebSocketError) {
        if let error = self.parse(bytes, onMessage, onOverlong) { throw error }
    }

    private mutating func parse(
        _ bytes: UnsafeRawBufferPointer,
        _ onMessage: (WebSocketMessage) -> Void,
        _ onOverlong: (WebSocketSkippedMessage) -> Void
    ) -> WebSocketError? {
        do throws(WebSocketError) {
            var left = bytes[...]
            while case .open = self.state, try self.step(&left, onMessage, onOverlong) {}
        } catch {
            self.state = .failed(error)
            self.payload = []
            self.control = []
            self.skipped = nil
        }
        if case .failed(let error) = self.state { return error }
        return nil
    }

    /// Parses one header byte or the available payload; false if no bytes are left.
    private mutating func step(
        _ left: inout Slice<UnsafeRawBufferPointer>,
        _ onMessage: (WebSocketMessage) -> Void,
        _ onOverlong: (WebSocketSkippedMessage) -> Void
    ) throws(WebSocketError) -> Bool {
        guard let frame else {
            guard let byte = left.popFirst() else { return false }
            self.header.append(byte)
            guard self.header.count >= 2, self.header.count == FrameHeader.size(self.header[0], self.header[1]) else {
                return true
            }
            let frame = try FrameHeader(self.header)
            self.header.removeAll(keepingCapacity: true)
            try self.startFrame(frame)
            if frame.length == 0 { try self.finishFrame(frame, onMessage, onOverlong) }
            return true
        }
        guard !left.isEmpty else { return false }
        let count = min(frame.length - self.receivedCount, left.count)
        try self.appendPayload(left.prefix(count), to: frame, onOverlong)
        left = left.dropFirst(count)
        if self.receivedCount == frame.length { try self.finishFrame(frame, onMessage, onOverlong) }
        return true
    }

    private mutating func startFrame(_ frame: FrameHeader) throws(WebSocketError) {
        // A client masks all its frames, a server none (§5.1).
        switch (self.role, frame.mask) {
        case (.client, .some): throw WebSocketError(.protocolError, "the server masked a frame")
        case (.server, nil): throw WebSocketError(.protocolError, "the client did not mask a frame")
        case (.client, nil), (.server, .some): break
        }
        switch frame.opcode {
        case .continuation:
            // Fragments of messages are not interleaved (§5.4).
            guard self.messageOpcode != nil else {
                throw WebSocketError(.protocolError, "a continuation frame has no message to continue")
            }
        case .text, .binary:
            guard self.messageOpcode == nil else {
                throw WebSocketError(.protocolError, "a message starts before the previous one has ended")
            }
            self.messageOpcode = frame.opcode
        case .close, .ping, .pong: break
        }
        if !frame.opcode.isControl { try self.checkSize(for: frame) }
        self.frame = frame
        self.receivedCount = 0
    }

    /// Skips a message that exceeds the limit, or throws if it exceeds the limit for skipped ones (§10.4).
    private mutating func checkSize(for frame: FrameHeader) throws(WebSocketError) {
        let before = self.skipped?.bytes ?? self.payload.count
        guard frame.length > self.maxMessageSize - before else { return }
        guard frame.length <= self.maxSkippedSize - before else {
            throw WebSocketError(.tooLarge, "a message has more than \(self.maxSkippedSize) bytes")
        }
        self.skipped = (before, self.skipped?.reported ?? 0)
        self.payload = []
    }

    /// Counts the bytes of a skipped message; its UTF-8 is not validated.
    private mutating func skip(_ count: Int, _ onOverlong: (WebSocketSkippedMessage) -> Void) {
        guard var skipped = self.skipped else { return }
        skipped.bytes += count
        if skipped.bytes - skipped.reported >= WebSocketReader.reportInterval {
            skipped.reported = skipped.bytes
            onOverlong(.coming(bytes: skipped.bytes))
        }
        self.skipped = skipped
    }

    private mutating func appendPayload(
        _ piece: Slice<UnsafeRawBufferPointer>,
        to frame: FrameHeader,
        _ onOverlong: (WebSocketSkippedMessage) -> Void
    ) throws(WebSocketError) {
        let offset = self.receivedCount
        self.receivedCount += piece.count
        guard !frame.opcode.isControl else {
            Self.append(piece, to: &self.control, frame.mask, after: offset)
            return
        }
        guard self.skipped == nil else { return self.skip(piece.count, onOverlong) }
        let start = self.payload.count
        Self.append(piece, to: &self.payload, frame.mask, after: offset)
        guard self.messageOpcode == .text else { return }
        let isText = self.payload.withUnsafeBytes {
            self.validator.validate(UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
        // Invalid UTF-8 fails the connection (§8.1).
        guard isText else { throw WebSocketError(.invalidText, "a text is not valid UTF-8") }
    }

    private static func append(
        _ piece: Slice<UnsafeRawBufferPointer>,
        to bytes: inout [UInt8],
        _ mask: Mask?,
        after offset: Int
    ) {
        let start = bytes.count
        bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece))
        guard let mask else { return }
        bytes.withUnsafeMutableBytes { buffer in
            mask.apply(to: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), after: offset)
        }
    }

    private mutating func finishFrame(
        _ frame: FrameHeader,
        _ onMessage: (WebSocketMessage) -> Void,
        _ onOverlong: (WebSocketSkippedMessage) -> Void
    ) throws(WebSocketError) {
        self.frame = nil
        switch frame.opcode {
        case .continuation, .text, .binary:
            guard frame.isFinal else { return }
            if let skipped {
                self.skipped = nil
                self.messageOpcode = nil
                self.validator = UTF8Validator()
                return onOverlong(.over(bytes: skipped.bytes))
            }
            let isText = self.messageOpcode == .text
            guard !isText || self.validator.isComplete else {
                throw WebSocketError(.invalidText, "a text ends within a UTF-8 sequence")
            }
            let payload = self.payload
            self.payload = []
            self.messageOpcode = nil
            self.validator = UTF8Validator()
            onMessage(isText ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload))
        case .ping: onMessage(.ping(self.drainControl()))
        case .pong: onMessage(.pong(self.drainControl()))
        case .close:
            let closure = try WebSocketReader.closure(self.drainControl())
            self.state = .closed
            self.payload = []
            self.skipped = nil
            onMessage(.close(closure))
        }
    }

    private mutating func drainControl() -> [UInt8] {
        defer { self.control = [] }
        return self.control
    }

    private static func closure(_ bytes: [UInt8]) throws(WebSocketError) -> WebSocketClosure {
        // The body is empty, or a two-byte code and an optional UTF-8 reason (§5.5.1).
        guard !bytes.isEmpty else { return WebSocketClosure(nil) }
        guard bytes.count >= 2, let code = WebSocketClosure.Code(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        else { throw WebSocketError(.protocolError, "a Close frame has an invalid code") }
        var validator = UTF8Validator()
        let isText = bytes.withUnsafeBytes { validator.validate(UnsafeRawBufferPointer(rebasing: $0[2...])) }
        guard isText, validator.isComplete else {
            throw WebSocketError(.invalidText, "the reason of a Close frame is not valid UTF-8")
        }
        return WebSocketClosure(code, String(decoding: bytes[2...], as: UTF8.self))
    }
}
