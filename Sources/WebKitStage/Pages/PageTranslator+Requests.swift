import AdCore
import WebStage

// The requests of a page, which the helper's proxy holds.

extension PageTranslator {
    /// A request: number, method, URL, frame if it is for a document, body, and the names and values of its headers.
    mutating func handleRequest(_ message: WireMessage) -> [Action] {
        let headers = stride(from: 7, to: message.fields.count - 1, by: 2).map {
            self.header(message.text($0), message.text($0 + 1))
        }
        let number = message.text(2)
        let kind = EngineRequest.Kind(headers, method: message.text(3))
        let frame = kind == .document ? Int(message.text(5)) : nil
        frame.map { self.frames.requests($0) }
        let url = message.text(4)
        if kind == .document { self.isUsersNavigation = false }
        let load = kind == .document ? self.loads.add(number, url: url, frame: frame) : number
        let body = message.bytes(6)
        let target = self.target(requesting: url, kind, in: frame)
        let known = frame ?? (kind == .document ? nil : self.frames.frame(of: target))
        let request = EngineRequest(
            EngineRequestID(number: number, target: target),
            url: url,
            method: message.text(3),
            kind: kind,
            frame: known.map(self.frames.name) ?? FrameTargets.name(requesting: load),
            headers: headers,
            body: body.isEmpty ? nil : body,
            load: load
        )
        guard kind != .webSocket else { return self.refuseSocket(request) }
        guard body.count <= PageTranslator.bodyByteLimit else { return self.refuseBody(request) }
        if self.isMixedContent(request), let secure = self.upgrade(request) { return [.send(secure)] }
        self.requests[number] = request
        let sent = NetworkEvent.sent(number, url: url, method: request.method, kind: kind, redirect: nil)
        let held: [Action] = [
            self.network(sent, of: request), .event(EngineEvent(.requestHeld(request), in: request.target)),
        ]
        // The stage decides too, because it reports a request to this computer or network.
        guard self.isMixedContent(request) else { return held }
        return held + [.send(WireCommand("fail", self.page, [number]))] + self.finish(number, .refused(.mixedContent))
    }

    /// The target of a request.
    ///
    /// The frame of what a document loads is unknown. The host page itself loads only from its own address, so the rest
    /// is of its frames: of the first one.
    private func target(requesting url: String, _ kind: EngineRequest.Kind, in frame: Int?) -> EngineTarget {
        guard kind != .document else { return frame.flatMap(self.frames.target(of:)) ?? self.target }
        let isHostPages = !self.isHostPage || StageDomain.hostPage.contains(url)
        return isHostPages ? self.target : self.frames.firstChild ?? self.target
    }

    /// Redirects a request for a picture or film to TLS, as engines do by themselves (Mixed Content, "Upgrade a mixed
    /// content request to a potentially trustworthy URL"); nil for other requests.
    private func upgrade(_ request: EngineRequest) -> WireCommand? {
        guard request.kind == .image || request.kind == .media else { return nil }
        let headers = [
            EngineHeader("Location", "https" + request.url.dropFirst(4)),
            EngineHeader("Access-Control-Allow-Origin", "*"),
        ]
        return self.command(request.id.number, EngineResponse(307, headers))
    }

    /// Whether a request without TLS is of a page with TLS (Mixed Content, "Should fetching request be blocked as mixed
    /// content?"); this computer is trustworthy without it (Secure Contexts, "Is origin potentially trustworthy?").
    private func isMixedContent(_ request: EngineRequest) -> Bool {
        guard self.isSecure, request.url.hasPrefix("http://"), HTTPURL(request.url)?.isLoopback != true else {
            return false
        }
        return request.kind != .document || request.target != self.target || request.frame != FrameTargets.mainName
    }

    /// A header, with the language of the simulated device.
    private func header(_ name: String, _ value: String) -> EngineHeader {
        guard let locale = self.device?.locale, name.asciiLowercased == "accept-language" else {
            return EngineHeader(name, value)
        }
        return EngineHeader(name, locale)
    }

    /// Refuses a WebSocket: the transport of the presenter sends requests only.
    private func refuseSocket(_ request: EngineRequest) -> [Action] {
        let number = request.id.number
        let url = request.url.hasPrefix("http") ? "ws" + request.url.dropFirst(4) : request.url
        let text = "a WebSocket, which this engine does not open: \(Redaction.address(url.excerpt(500)))"
        return [
            self.network(.socketCreated(number, url: url), of: request),
            .event(EngineEvent(.attemptBlocked(BlockedAttempt(.other, text)), in: nil)),
            .send(WireCommand("fail", self.page, [number])), self.network(.socketClosed(number), of: request),
        ]
    }

    /// A request to a port of another protocol (Fetch, "Port blocking"), which WebKit refuses before its proxy gets it;
    /// nil for another entry of the log.
    func refusedPort(_ text: String) -> [Action]? {
        guard text.hasPrefix("Not allowed to use restricted network port "), let start = text.firstRange(of: ": ")
        else { return nil }
        let url = String(text[start.upperBound...])
        let number = "refused \(url)"
        let target = self.target(requesting: url, .other, in: nil)
        let frame = self.frames.frame(of: target).map(self.frames.name) ?? FrameTargets.mainName
        let request = EngineRequest(
            EngineRequestID(number: number, target: target),
            url: url,
            kind: .other,
            frame: frame,
            load: number
        )
        let sent = NetworkEvent.sent(number, url: url, method: "GET", kind: .other, redirect: nil)
        // The stage reports a request to this computer or network.
        return [
            self.network(sent, of: request), .event(EngineEvent(.requestHeld(request), in: target)),
            self.network(.failed(number, .other("the engine refuses its port"), kind: .other), of: request),
        ]
    }

    /// The maximum size of a request's body, in bytes; the helper cuts a longer one behind the first byte too much.
    private static let bodyByteLimit = 4 << 20

    /// Refuses a request whose body is too large.
    private func refuseBody(_ request: EngineRequest) -> [Action] {
        let (number, url) = (request.id.number, request.url)
        let text =
            "a request of more than \(PageTranslator.bodyByteLimit >> 20) MB: \(Redaction.address(url.excerpt(500)))"
        let sent = NetworkEvent.sent(number, url: url, method: request.method, kind: request.kind, redirect: nil)
        return [
            self.network(sent, of: request),
            .event(EngineEvent(.attemptBlocked(BlockedAttempt(.other, text)), in: nil)),
            .send(WireCommand("fail", self.page, [number])),
            self.network(.failed(number, .blockedByStage, kind: request.kind), of: request),
        ]
    }

    private func network(_ event: NetworkEvent, of request: EngineRequest) -> Action {
        // The frame of what a document loads is unknown.
        .event(EngineEvent(.network(event), in: request.kind == .document ? request.target : nil))
    }

    /// The events of an answered request.
    mutating func answered(_ number: String, _ response: EngineResponse, from address: String? = nil) -> [Action] {
        guard let request = self.requests.removeValue(forKey: number) else { return [] }
        let type = response.headers.first { $0.name.asciiLowercased == "content-type" }?.value
        let essence = type.map { String($0.prefix { $0 != ";" }) }
        let size = response.body?.count ?? 0
        if request.kind == .image, let body = response.body { self.images.add(number, body) }
        let head = NetworkResponse(status: response.status, type: essence, bytes: 0, url: request.url, address: address)
        let responded = NetworkEvent.responded(number, head, kind: request.kind, frame: request.frame)
        return [responded, .received(number, bytes: size), .finished(number, bytes: size)].map {
            self.network($0, of: request)
        }
    }

    /// Remembers where a document's load goes on.
    mutating func followRedirect(_ response: EngineResponse, to number: String) {
        guard let request = self.requests[number], request.kind == .document, (300..<400).contains(response.status),
            let location = response.headers.first(where: { $0.name.asciiLowercased == "location" })?.value,
            let target = try? HTTPURL(request.url)?.resolving(location)
        else { return }
        self.loads.redirect(request.load, to: target.text, frame: self.frames.identifier(of: request.frame))
    }

    /// The event of a request that has failed; none if it was answered before.
    mutating func finish(_ number: String, _ failure: StageRequest.Failure) -> [Action] {
        guard let request = self.requests.removeValue(forKey: number) else { return [] }
        return [self.network(.failed(number, failure, kind: request.kind), of: request)]
    }
}

extension StageRequest.Failure {
    /// Why a request failed, by the stage's decision.
    init(_ failure: EngineRequest.Failure) {
        self =
            switch failure {
            case .aborted: .cancelled
            case .blocked: .blockedByStage
            case .unreachable: .other("the server can't be reached")
            case .other: .other("the request failed")
            }
    }
}
