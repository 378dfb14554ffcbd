extension Sandbox {
    /// Something that goes wrong on purpose, for a number of requests.
    ///
    /// ```swift
    /// try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 2), Sandbox.Fault(.dropBeforeReply)]])
    /// ```
    package struct Fault: Hashable, Sendable {
        /// What goes wrong.
        package var kind: Kind
        /// For how many requests.
        package var times: Int

        /// A fault for one request, or for several.
        package init(_ kind: Kind, times: Int = 1) {
            self.kind = kind
            self.times = times
        }

        /// What can go wrong.
        package enum Kind: Hashable, Sendable {
            /// The request is answered with a status, and perhaps with `Retry-After` in seconds and other headers.
            case status(Int, retryAfter: Int? = nil, headers: [String: String] = [:])
            /// The normal answer comes this much later.
            case delay(milliseconds: Int)
            /// The request is read, and the connection closed without a byte of an answer.
            case dropBeforeReply
            /// The header declares the whole answer, half of it is sent, and the connection closes; a socket is opened
            /// and breaks off in its first message.
            case truncate
            /// Status 200 with bytes that are neither JSON nor text.
            case garbage
            /// The normal answer's body comes at this pace; an answer without one, and a socket, is not slowed.
            case slow(bytesPerSecond: Int)
            /// A redirect to `/loop`, which redirects to itself for ever.
            case redirectLoop
            /// The request is answered normally, and the socket that it opens misbehaves; nothing happens where it opens
            /// none.
            case socket(SocketFault)
        }
    }
}

extension Sandbox.Fault.Kind {
    /// The names that `POST /sandbox/faults` knows.
    static let names =
        ["status", "delay", "dropBeforeReply", "truncate", "garbage", "slow", "redirectLoop"]
        + Sandbox.SocketFault.allCases.map(\.rawValue)

    /// The name in `POST /sandbox/faults` and in hits.
    var name: String {
        switch self {
        case .status: "status"
        case .delay: "delay"
        case .dropBeforeReply: "dropBeforeReply"
        case .truncate: "truncate"
        case .garbage: "garbage"
        case .slow: "slow"
        case .redirectLoop: "redirectLoop"
        case .socket(let fault): fault.rawValue
        }
    }
}
