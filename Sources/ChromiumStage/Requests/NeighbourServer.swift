import AdCore

/// Asks servers on this machine for what a creative wants of them: the browser lets no page do that.
struct NeighbourServer: Sendable {
    private let transport: any Transport
    /// The longest answer that is taken.
    private static let longest = 64 << 20
    /// Headers that are about a connection, or that the browser makes for itself.
    private static let ownHeaders: Set<String> = [
        "connection", "content-length", "transfer-encoding", "content-encoding", "keep-alive", "host", "te", "trailer",
        "upgrade", "proxy-authorization", "proxy-authenticate",
        // Twice in an answer it would allow nobody.
        "access-control-allow-origin",
    ]

    init(_ transport: any Transport) { self.transport = transport }

    /// Asks, and gives what the browser is to be told to a closure.
    func serve(_ request: PausedRequest, answer: @escaping @Sendable (DevToolsCommand) -> Void) {
        guard let url = HTTPURL(request.url), let method = HTTPRequest.Method(rawValue: request.method) else {
            return answer(request.refusal("Failed"))
        }
        var headers = HTTPHeaders()
        for member in request.headers {
            guard let value = member.value.string, !NeighbourServer.ownHeaders.contains(member.name.asciiLowercased)
            else {
                continue
            }
            headers[member.name] = value
        }
        // The page follows redirects by itself, so that each of them is looked at.
        let limits = HTTPRequest.Limits(total: .seconds(30), body: NeighbourServer.longest, redirects: 0)
        // What counts at its server is sent once.
        let wanted = HTTPRequest(
            method,
            url,
            headers: headers,
            body: request.body.map { Array($0.utf8) },
            limits: limits,
            repetition: .counted
        )
        Task {
            do throws(TransportError) {
                let reply = try await self.transport.send(wanted)
                let kept = reply.headers.fields.filter { !NeighbourServer.ownHeaders.contains($0.name.asciiLowercased) }
                // A page of another site asks, and this machine's test servers seldom say whom they allow.
                let list = kept.map { ($0.name, $0.value) } + [("Access-Control-Allow-Origin", "*")]
                answer(request.answer(reply.status, list, reply.body))
            } catch {
                answer(request.refusal("ConnectionFailed"))
            }
        }
    }
}
