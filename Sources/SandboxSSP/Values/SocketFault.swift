import LoopbackServer

extension Sandbox {
    /// A fault of a socket.
    ///
    /// As a fault of `/websocket/services` it acts from the first message on. A user whose id contains its name also
    /// gets it, from the response to `IDENTIFY` on; `refuseInit` is available as a fault only.
    package enum SocketFault: String, CaseIterable, Hashable, Sendable {
        /// The server sends no pings of the protocol.
        case noPing
        /// The next message is cut off in the middle of its frame, and the connection closes.
        case dropMidFrame
        /// The response to `IDENTIFY` comes before that to `INIT_SESSION`, and a popup before that to `IDENTIFY`.
        case wrongOrder
        /// Every `INIT_SESSION` is refused with `errCode` 1.
        case refuseInit
        /// Every `IDENTIFY` is refused with `errCode` 1.
        case refuseIdentify
        /// After the response to `IDENTIFY` come 500 popups at once.
        case flood
        /// A binary message comes before the next message.
        case binary
        /// A text message with invalid UTF-8 comes before the next message.
        case invalidUTF8
        /// The next message is masked, which only a client's may be (RFC 6455 §5.1).
        case masked
        /// A message of more than 1 MiB comes before the next message.
        case tooLong
        /// A message with JSON nested 100,000 levels deep comes before the next message.
        case deepJSON
        /// A message with truncated JSON comes before the next message.
        case brokenJSON
        /// The server sends no more messages.
        case silence
    }
}

extension Sandbox.SocketFault {
    /// The description on the index page.
    var about: String {
        switch self {
        case .noPing: "the server never pings"
        case .dropMidFrame: "the next message is cut off in its frame"
        case .wrongOrder: "6 before 4, or 110 before 6"
        case .refuseInit: "errCode 1 for every INIT_SESSION (as a fault only)"
        case .refuseIdentify: "errCode 1 for every IDENTIFY"
        case .flood: "500 popups at once"
        case .binary: "a binary message before the next message"
        case .invalidUTF8: "a text message with invalid UTF-8 before the next message"
        case .masked: "the next message is masked"
        case .tooLong: "a message of more than 1 MiB before the next message"
        case .deepJSON: "JSON nested 100,000 levels deep before the next message"
        case .brokenJSON: "truncated JSON before the next message"
        case .silence: "no more messages"
        }
    }

    /// The fault that a user's id selects; nil when it contains no name of one.
    static func selected(by user: String) -> Sandbox.SocketFault? {
        self.allCases.first { $0 != .refuseInit && user.containsWord($0.rawValue) }
    }
}

extension SocketUpgrade {
    /// The upgrade with a fault.
    init(_ fault: Sandbox.SocketFault?) { self.init(fault: fault?.rawValue) }

    /// The fault of the socket; nil when there is none.
    var socketFault: Sandbox.SocketFault? {
        get { self.fault.flatMap(Sandbox.SocketFault.init) }
        set { self.fault = newValue?.rawValue }
    }
}

extension String {
    /// Whether a text contains another, compared by bytes.
    func containsWord(_ word: String) -> Bool {
        let bytes = Array(self.utf8)
        let wanted = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
