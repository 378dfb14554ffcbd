extension Sandbox {
    /// A fault that the server injects, for a number of requests.
    ///
    /// ```swift
    /// try sandbox.setFaults(["/t/": [Sandbox.Fault(.status(503), times: 2), Sandbox.Fault(.dropBeforeReply)]])
    /// ```
    package struct Fault: Hashable, Sendable {
        /// The kind of fault.
        package var kind: Kind
        /// The number of requests that it affects.
        package var times: Int

        /// Creates a fault.
        package init(_ kind: Kind, times: Int = 1) {
            self.kind = kind
            self.times = times
        }

        /// The kinds of faults.
        package enum Kind: Hashable, Sendable {
            /// The response is this status, with an optional `Retry-After` in seconds and other headers.
            case status(Int, retryAfter: Int? = nil, headers: [String: String] = [:])
            /// The normal response starts this much later.
            case delay(milliseconds: Int)
            /// The request is processed, and the connection closed without a response.
            case dropBeforeReply
            /// `Content-Length` declares the whole response, half of it is sent, and the connection closes; a socket is
            /// opened and its first message is cut off.
            case truncate
            /// Status 200 with bytes that are neither JSON nor UTF-8.
            case garbage
            /// The normal body is sent at this rate; responses without a body, and sockets, are not affected.
            case slow(bytesPerSecond: Int)
            /// A redirect to `/loop`, which redirects to itself.
            case redirectLoop
            /// The response is normal, and the socket that it opens misbehaves; without effect on a request that opens
            /// none.
            case socket(SocketFault)
        }
    }
}

extension Sandbox.Fault.Kind {
    /// The names that `POST /sandbox/faults` accepts.
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
