package import AdCore

extension Sandbox {
    /// A request, or a message over a socket, that arrived whole, as it stood on the wire.
    ///
    /// A message has the method `WS`, the path of its socket, the number of the socket in its query (`socket=7`), and no
    /// headers.
    ///
    /// It is recorded before it is answered, and before a fault acts: a dropped request is a hit.
    package struct Hit: Hashable, Sendable {
        /// Counts the hits since the last reset, from 1.
        package let n: Int
        /// When it had arrived.
        package let at: WallTime
        /// The method.
        package let method: String
        /// The path with its escapes.
        package let path: String
        /// What stood behind the question mark, with its escapes; empty where there was none.
        package let query: String
        /// Names in lower case; what came under one name several times is joined by commas.
        package let headers: [String: String]
        /// The body.
        package let body: [UInt8]
        /// The kind of the fault that it met; nil where it was answered normally.
        package let fault: String?
        /// Whether the server took it, whatever became of its answer.
        ///
        /// An answer that was late, cut, garbled or never sent leaves a request that was read and acted upon; one with
        /// a status other than 2xx refused it, or sent it elsewhere; so does an error inside Smartico's answers.
        package let isCounted: Bool
        /// Whether it asked for an ad.
        package let isAdRequest: Bool
        /// How it stands on the bill; nil where it costs nothing.
        let billed: BilledCall?

        /// The `Idempotency-Key`, which marks repetitions of one beacon.
        package var key: String? { self.headers["idempotency-key"] }

        init(
            _ request: SandboxRequest,
            n: Int,
            at: WallTime,
            fault: String?,
            isCounted: Bool,
            isAdRequest: Bool,
            billed: BilledCall?
        ) {
            self.n = n
            self.at = at
            self.method = request.method
            self.path = request.path
            self.query = request.query
            self.headers = request.headers
            self.body = request.body
            self.fault = fault
            self.isCounted = isCounted
            self.isAdRequest = isAdRequest
            self.billed = billed
        }
    }
}

extension Sandbox.Hit {
    /// About how much memory it takes.
    var cost: Int {
        self.headers.reduce(into: 256 + self.path.utf8.count + self.query.utf8.count + self.body.count) {
            $0 += $1.key.utf8.count + $1.value.utf8.count + 64
        }
    }

    /// The hit as `GET /sandbox/hits` tells it.
    var json: AdJSON {
        let headers = self.headers.sorted { $0.key < $1.key }.map { AdJSON.Member($0.key, .string($0.value)) }
        var members: [AdJSON.Member] = [
            .init("n", .int(self.n)),
            .init("at", .int(self.at.milliseconds)),
            .init("method", .string(self.method)),
            .init("path", .string(self.path)),
            .init("query", .string(self.query)),
            .init("headers", .object(headers)),
        ]
        // Decoding repairs what is no UTF-8; a text that comes back byte for byte was none of that.
        let text = String(decoding: self.body, as: UTF8.self)
        if text.utf8.elementsEqual(self.body) {
            members.append(.init("body", .string(text)))
        } else {
            members.append(.init("body", .string(Base64.text(self.body))))
            members.append(.init("bodyEncoding", "base64"))
        }
        members.append(.init("key", .text(self.key)))
        members.append(.init("fault", .text(self.fault)))
        members.append(.init("counted", .bool(self.isCounted)))
        return .object(members)
    }
}
