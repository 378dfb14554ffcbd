package import AdCore
import LoopbackServer

extension Sandbox {
    /// A complete request, or a message of a socket, as it was received.
    ///
    /// A message has the method `WS`, the path of its socket, the number of the socket in its query (`socket=7`), and
    /// no headers.
    ///
    /// It is recorded before the response is sent and before a fault acts: a dropped request is a hit, too.
    package struct Hit: Hashable, Sendable {
        /// The hit's number since the last reset, from 1.
        package let n: Int
        /// When it arrived.
        package let at: WallTime
        /// The method.
        package let method: String
        /// The path, percent-encoded as received.
        package let path: String
        /// The query, percent-encoded as received; empty when there is none.
        package let query: String
        /// The headers, with lowercase names; the values of repeated fields are joined by commas (RFC 9110 §5.3).
        package let headers: [String: String]
        /// The body.
        package let body: [UInt8]
        /// The name of the fault that acted on it; nil when the response was normal.
        package let fault: String?
        /// Whether the server accepted it, regardless of what a fault did to the response.
        ///
        /// A request whose response was late, cut, garbled or never sent was accepted. One that was answered with a
        /// status other than 2xx was not, nor one that Smartico's protocol answers with an error.
        package let isCounted: Bool
        /// Whether it was an ad request.
        package let isAdRequest: Bool
        /// The kind of billable call; nil when it is not billable.
        let billed: BillableCall?

        /// The `Idempotency-Key`, which identifies duplicates of a beacon.
        package var key: String? { self.headers["idempotency-key"] }

        init(
            _ request: ServerRequest,
            n: Int,
            at: WallTime,
            fault: String?,
            isCounted: Bool,
            isAdRequest: Bool,
            billed: BillableCall?
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
    /// The approximate size in memory.
    var cost: Int {
        self.headers.reduce(into: 256 + self.path.utf8.count + self.query.utf8.count + self.body.count) {
            $0 += $1.key.utf8.count + $1.value.utf8.count + 64
        }
    }

    /// The hit as a JSON object of `GET /sandbox/hits`.
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
        // Decoding replaces invalid UTF-8; bytes that are equal afterwards were valid.
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
