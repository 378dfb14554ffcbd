extension Sandbox {
    /// How a socket misbehaves on purpose.
    ///
    /// Set as a fault of `/websocket/services` it acts from the first message on. All but `refuseInit` can also be asked
    /// for by a user whose id contains its name: it then acts from the answer to `IDENTIFY` on.
    package enum SocketFault: String, CaseIterable, Hashable, Sendable {
        /// The server never asks whether the other side is still there.
        case noPing
        /// The next message breaks off in the middle of its frame, and with it the connection.
        case dropMidFrame
        /// `IDENTIFY`'s answer comes before `INIT_SESSION`'s, and a popup before `IDENTIFY`'s.
        case wrongOrder
        /// `INIT_SESSION` is refused with `errCode` 1, however often it is sent.
        case refuseInit
        /// `IDENTIFY` is refused with `errCode` 1, however often it is sent.
        case refuseIdentify
        /// Behind `IDENTIFY`'s answer come 500 popups at once.
        case flood
        /// Before the next message come bytes that are no text.
        case binary
        /// Before the next message comes a text that is no UTF-8.
        case invalidUTF8
        /// The next message is masked, as only a client's may be.
        case masked
        /// Before the next message comes one of more than 1 MiB.
        case tooLong
        /// Before the next message comes one whose JSON is nested 100,000 levels deep.
        case deepJSON
        /// Before the next message comes one whose JSON breaks off.
        case brokenJSON
        /// Nothing is ever said again.
        case silence
    }
}

extension Sandbox.SocketFault {
    /// What happens, in a line for the index page.
    var about: String {
        switch self {
        case .noPing: "the server never pings"
        case .dropMidFrame: "the next message breaks off in its frame"
        case .wrongOrder: "6 before 4, or 110 before 6"
        case .refuseInit: "errCode 1 for every INIT_SESSION (as a fault only)"
        case .refuseIdentify: "errCode 1 for every IDENTIFY"
        case .flood: "500 popups at once"
        case .binary: "bytes that are no text, before the next message"
        case .invalidUTF8: "a text that is no UTF-8, before the next message"
        case .masked: "the next message is masked"
        case .tooLong: "a message above 1 MiB, before the next one"
        case .deepJSON: "JSON of 100,000 levels, before the next message"
        case .brokenJSON: "JSON that breaks off, before the next message"
        case .silence: "nothing is ever said again"
        }
    }

    /// The one that a user's id asks for; nil where it asks for none.
    static func asked(by user: String) -> Sandbox.SocketFault? {
        self.allCases.first { $0 != .refuseInit && user.containsWord($0.rawValue) }
    }
}

extension String {
    /// Whether another text stands somewhere in it, byte by byte.
    func containsWord(_ word: String) -> Bool {
        let bytes = Array(self.utf8)
        let wanted = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}
