/// Makes messages of what the other side sends, however its bytes arrive.
///
/// ```swift
/// var reader = WebSocketReader(as: .client)
/// try reader.read(bytes) { message in print(message) }
/// ```
public struct WebSocketReader: Sendable {
    /// The longest message that is taken, in bytes.
    public let longest: Int
    /// The longest message that is passed over, in bytes.
    public let longestPassedOver: Int

    private let role: WebSocketRole
    /// The head of the next frame, as far as it is here.
    private var head: [UInt8] = []
    private var frame: FrameHead?
    /// How many bytes of the frame's payload are here.
    private var taken = 0
    /// What the message in pieces is, and what is here of it.
    private var kind: Opcode?
    private var payload: [UInt8] = []
    private var text = UTF8Check()
    /// How many bytes have come of a message that is passed over, and how many of them were told; nil for one that is kept.
    private var passed: (bytes: Int, told: Int)?
    /// What is here of a frame that may stand between the pieces.
    private var control: [UInt8] = []
    private var state = State.open

    private enum State: Hashable, Sendable {
        case open
        case closed
        case failed(WebSocketFault)
    }

    /// A reader for one end of a connection.
    ///
    /// - Parameters:
    ///   - role: Which end reads.
    ///   - longest: The longest message that is taken, in bytes.
    ///   - passingOver: The longest message that is passed over, in bytes: nothing of it is kept, and reading goes on behind
    ///     it. A longer one is a fault, and so is every message beyond `longest` where nothing is said here.
    public init(as role: WebSocketRole, longest: Int = 1 << 20, passingOver: Int = 0) {
        self.role = role
        self.longest = max(125, longest)
        self.longestPassedOver = max(self.longest, passingOver)
    }

    /// How often it is told that a message that is passed over still comes: each time so many bytes have come.
    static let tellingStep = 1 << 20

    /// How many bytes of a message that is not whole yet are held.
    public var pending: Int { self.payload.count }

    /// Takes the next bytes, and gives each message that is whole; behind a closure nothing is read any more.
    ///
    /// Whoever has sent what is none of the protocol is never understood again: the same fault is thrown for ever.
    public mutating func read(
        _ bytes: some Sequence<UInt8>,
        _ each: (WebSocketMessage) -> Void
    ) throws(WebSocketFault) {
        let contiguous = bytes.withContiguousStorageIfAvailable { buffer in
            self.take(UnsafeRawBufferPointer(buffer), each) { _ in }
        }
        let fault = contiguous ?? Array(bytes).withUnsafeBytes { self.take($0, each) { _ in } }
        if let fault { throw fault }
    }

    /// The same for bytes that lie in memory.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - each: Gets each message that is whole.
    ///   - overlong: Gets what becomes of messages that are passed over.
    /// - Throws: What is none of the protocol, then and for ever.
    public mutating func read(
        _ bytes: UnsafeRawBufferPointer,
        _ each: (WebSocketMessage) -> Void,
        overlong: (WebSocketOverlong) -> Void = { _ in }
    ) throws(WebSocketFault) {
        if let fault = self.take(bytes, each, overlong) { throw fault }
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ each: (WebSocketMessage) -> Void,
        _ overlong: (WebSocketOverlong) -> Void
    ) -> WebSocketFault? {
        do throws(WebSocketFault) {
            var left = bytes[...]
            while case .open = self.state, try self.step(&left, each, overlong) {}
        } catch {
            self.state = .failed(error)
            self.payload = []
            self.control = []
            self.passed = nil
        }
        if case .failed(let fault) = self.state { return fault }
        return nil
    }

    /// Goes on by a head, or by what is here of a payload; false where nothing is left to go on with.
    private mutating func step(
        _ left: inout Slice<UnsafeRawBufferPointer>,
        _ each: (WebSocketMessage) -> Void,
        _ overlong: (WebSocketOverlong) -> Void
    ) throws(WebSocketFault) -> Bool {
        guard let frame else {
            guard let byte = left.popFirst() else { return false }
            self.head.append(byte)
            guard self.head.count >= 2, self.head.count == FrameHead.size(self.head[0], self.head[1]) else {
                return true
            }
            let frame = try FrameHead(self.head)
            self.head.removeAll(keepingCapacity: true)
            try self.begin(frame)
            if frame.length == 0 { try self.end(frame, each, overlong) }
            return true
        }
        guard !left.isEmpty else { return false }
        let count = min(frame.length - self.taken, left.count)
        try self.add(left.prefix(count), to: frame, overlong)
        left = left.dropFirst(count)
        if self.taken == frame.length { try self.end(frame, each, overlong) }
        return true
    }

    private mutating func begin(_ frame: FrameHead) throws(WebSocketFault) {
        switch (self.role, frame.mask) {
        case (.client, .some): throw WebSocketFault(.protocolError, "the server has masked a frame")
        case (.server, nil): throw WebSocketFault(.protocolError, "the client has not masked a frame")
        case (.client, nil), (.server, .some): break
        }
        switch frame.opcode {
        case .continuation:
            guard self.kind != nil else {
                throw WebSocketFault(.protocolError, "a message goes on that was not begun")
            }
        case .text, .binary:
            guard self.kind == nil else {
                throw WebSocketFault(.protocolError, "a message begins before the last one was over")
            }
            self.kind = frame.opcode
        case .close, .ping, .pong: break
        }
        if !frame.opcode.isControl { try self.makeRoom(for: frame) }
        self.frame = frame
        self.taken = 0
    }

    /// Lets go of a message that becomes longer than is taken, or refuses it where it is not even passed over.
    private mutating func makeRoom(for frame: FrameHead) throws(WebSocketFault) {
        let before = self.passed?.bytes ?? self.payload.count
        guard frame.length > self.longest - before else { return }
        guard frame.length <= self.longestPassedOver - before else {
            throw WebSocketFault(.tooLarge, "a message has more than \(self.longestPassedOver) bytes")
        }
        self.passed = (before, self.passed?.told ?? 0)
        self.payload = []
    }

    /// Counts bytes that are not kept; whether they are a text is not asked.
    private mutating func passOver(_ count: Int, _ overlong: (WebSocketOverlong) -> Void) {
        guard var passed = self.passed else { return }
        passed.bytes += count
        if passed.bytes - passed.told >= WebSocketReader.tellingStep {
            passed.told = passed.bytes
            overlong(.coming(bytes: passed.bytes))
        }
        self.passed = passed
    }

    private mutating func add(
        _ piece: Slice<UnsafeRawBufferPointer>,
        to frame: FrameHead,
        _ overlong: (WebSocketOverlong) -> Void
    ) throws(WebSocketFault) {
        let offset = self.taken
        self.taken += piece.count
        guard !frame.opcode.isControl else {
            Self.append(piece, to: &self.control, frame.mask, after: offset)
            return
        }
        guard self.passed == nil else { return self.passOver(piece.count, overlong) }
        let start = self.payload.count
        Self.append(piece, to: &self.payload, frame.mask, after: offset)
        guard self.kind == .text else { return }
        let isText = self.payload.withUnsafeBytes { self.text.take(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        guard isText else { throw WebSocketFault(.invalidText, "a text is no UTF-8") }
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

    private mutating func end(
        _ frame: FrameHead,
        _ each: (WebSocketMessage) -> Void,
        _ overlong: (WebSocketOverlong) -> Void
    ) throws(WebSocketFault) {
        self.frame = nil
        switch frame.opcode {
        case .continuation, .text, .binary:
            guard frame.isFinal else { return }
            if let passed {
                self.passed = nil
                self.kind = nil
                self.text = UTF8Check()
                return overlong(.over(bytes: passed.bytes))
            }
            let isText = self.kind == .text
            guard !isText || self.text.isComplete else {
                throw WebSocketFault(.invalidText, "a text ends in the middle of a letter")
            }
            let payload = self.payload
            self.payload = []
            self.kind = nil
            self.text = UTF8Check()
            each(isText ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload))
        case .ping: each(.ping(self.takeControl()))
        case .pong: each(.pong(self.takeControl()))
        case .close:
            let closure = try WebSocketReader.closure(self.takeControl())
            self.state = .closed
            self.payload = []
            self.passed = nil
            each(.close(closure))
        }
    }

    private mutating func takeControl() -> [UInt8] {
        defer { self.control = [] }
        return self.control
    }

    private static func closure(_ bytes: [UInt8]) throws(WebSocketFault) -> WebSocketClosure {
        guard !bytes.isEmpty else { return WebSocketClosure(nil) }
        guard bytes.count >= 2, let code = WebSocketClosure.Code(rawValue: UInt16(bytes[0]) << 8 | UInt16(bytes[1]))
        else { throw WebSocketFault(.protocolError, "a connection is ended with a code that none may have") }
        var check = UTF8Check()
        let isText = bytes.withUnsafeBytes { check.take(UnsafeRawBufferPointer(rebasing: $0[2...])) }
        guard isText, check.isComplete else {
            throw WebSocketFault(.invalidText, "the reason for an end is no UTF-8")
        }
        return WebSocketClosure(code, String(decoding: bytes[2...], as: UTF8.self))
    }
}
