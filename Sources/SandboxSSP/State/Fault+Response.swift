import AdCore
import LoopbackServer

extension Sandbox.Fault.Kind {
    /// The response with the fault applied; `normally` creates the normal one.
    func response(to request: ServerRequest, base: String, normally: () -> ServerResponse) -> ServerResponse {
        switch self {
        case .status(let status, let retryAfter, let headers):
            var response = ServerResponse.failure(status, "injected fault: status \(status)")
            if [204, 205, 304].contains(status) { response = ServerResponse(status: status) }
            response.headers["Retry-After"] = retryAfter.map(String.init)
            for (name, value) in headers { response.headers[name] = value }
            return response
        case .delay(let milliseconds):
            var response = normally()
            response.delay += .milliseconds(milliseconds)
            return response
        case .dropBeforeReply:
            // The server processes the request; only the response is lost.
            _ = normally()
            return ServerResponse(status: 200, ending: .dropped)
        case .truncate:
            var response = normally()
            if response.upgrade != nil {
                // A response that opens a socket has no body: the first message is cut off instead.
                response.upgrade?.socketFault = .dropMidFrame
                return response
            }
            let count = response.body.count
            // These statuses have no body that could be cut off (RFC 9110 §15.3.5, §15.3.6, §15.4.5).
            if [204, 205, 304].contains(response.status) { response.status = 200 }
            response.ending =
                count > 1 ? .cut(after: count / 2, declared: count) : .cut(after: count, declared: count + 1)
            return response
        case .garbage:
            _ = normally()
            return ServerResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(Sandbox.Fault.Kind.garbageBytes)
            )
        case .slow(let bytesPerSecond):
            var response = normally()
            response.bytesPerSecond = bytesPerSecond
            return response
        case .socket(let fault):
            var response = normally()
            response.upgrade?.socketFault = fault
            return response
        case .redirectLoop:
            return .redirect(to: base + "/loop?from=" + PercentEncoding.component(request.path))
        }
    }

    /// Bytes that are neither JSON nor UTF-8: a broken JSON start, NUL, a lone continuation byte, and every byte value.
    static let garbageBytes: [UInt8] = Array("{]\u{0}".utf8) + [0xBF, 0xFF, 0xFE, 0xC0, 0x80] + Array(0...255)
}

extension ServerResponse {
    /// A redirect with status 302.
    static func redirect(to location: String) -> ServerResponse {
        var response = ServerResponse(status: 302)
        response.headers["Location"] = location
        return response
    }
}
