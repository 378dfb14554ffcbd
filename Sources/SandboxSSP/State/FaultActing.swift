import AdCore

extension Sandbox.Fault.Kind {
    /// What is answered instead of the normal answer, or what becomes of that.
    func reply(to request: SandboxRequest, base: String, normally: () -> SandboxReply) -> SandboxReply {
        switch self {
        case .status(let status, let retryAfter, let headers):
            var reply = SandboxReply.failure(status, "the sandbox was told to answer \(status)")
            if [204, 205, 304].contains(status) { reply = SandboxReply(status: status) }
            reply.headers["Retry-After"] = retryAfter.map(String.init)
            for (name, value) in headers { reply.headers[name] = value }
            return reply
        case .delay(let milliseconds):
            var reply = normally()
            reply.delay += .milliseconds(milliseconds)
            return reply
        case .dropBeforeReply:
            // The server has done its work, and nobody learns of it.
            _ = normally()
            return SandboxReply(status: 200, ending: .dropped)
        case .truncate:
            var reply = normally()
            if reply.opening != nil {
                // An answer that becomes a socket has no body: what is cut is what the socket says first.
                reply.opening?.fault = .dropMidFrame
                return reply
            }
            let count = reply.body.count
            // A status without a body can't lack part of it.
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

    /// A broken head of JSON, a lone continuation byte, a NUL, and every byte value: no reader makes sense of it.
    static let garbageBytes: [UInt8] = Array("{]\u{0}".utf8) + [0xBF, 0xFF, 0xFE, 0xC0, 0x80] + Array(0...255)
}

extension SandboxReply {
    /// Sends the client elsewhere.
    static func redirect(to location: String) -> SandboxReply {
        var reply = SandboxReply(status: 302)
        reply.headers["Location"] = location
        return reply
    }
}
