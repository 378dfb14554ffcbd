import AdCore

extension Sandbox.Fault.Kind {
    /// The response with the fault applied; `normally` creates the normal one.
    func reply(to request: SandboxRequest, base: String, normally: () -> SandboxReply) -> SandboxReply {
        switch self {
        case .status(let status, let retryAfter, let headers):
            var reply = SandboxReply.failure(status, "injected fault: status \(status)")
            if [204, 205, 304].contains(status) { reply = SandboxReply(status: status) }
            reply.headers["Retry-After"] = retryAfter.map(String.init)
            for (name, value) in headers { reply.headers[name] = value }
            return reply
        case .delay(let milliseconds):
            var reply = normally()
            reply.delay += .milliseconds(milliseconds)
            return reply
        case .dropBeforeReply:
            // The server processes the request; only the response is lost.
            _ = normally()
            return SandboxReply(status: 200, ending: .dropped)
        case .truncate:
            var reply = normally()
            if reply.opening != nil {
                // A response that opens a socket has no body: the first message is cut off instead.
                reply.opening?.fault = .dropMidFrame
                return reply
            }
            let count = reply.body.count
            // These statuses have no body that could be cut off (RFC 9110 §6.4.1).
            if [204, 205, 304].contains(reply.status) { reply.status = 200 }
            reply.ending = count > 1 ? .cut(after: count / 2, declared: count) : .cut(after: count, declared: count + 1)
            return reply
        case .garbage:
            _ = normally()
            return SandboxReply(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: .bytes(Sandbox.Fault.Kind.garbageBytes)
            )
        case .slow(let bytesPerSecond):
            var reply = normally()
            reply.bytesPerSecond = bytesPerSecond
            return reply
        case .socket(let fault):
            var reply = normally()
            reply.opening?.fault = fault
            return reply
        case .redirectLoop:
            return .redirect(to: base + "/loop?from=" + PercentEncoding.component(request.path))
        }
    }

    /// Bytes that are neither JSON nor UTF-8: a broken JSON start, NUL, a lone continuation byte, and every byte value.
    static let garbageBytes: [UInt8] = Array("{]\u{0}".utf8) + [0xBF, 0xFF, 0xFE, 0xC0, 0x80] + Array(0...255)
}

extension SandboxReply {
    /// A redirect with status 302.
    static func redirect(to location: String) -> SandboxReply {
        var reply = SandboxReply(status: 302)
        reply.headers["Location"] = location
        return reply
    }
}
