import AdCore

/// A request that the browser holds until it is told what to do with it.
struct PausedRequest: Hashable, Sendable {
    let number: String
    let session: DevToolsSession
    let url: String
    /// The same with the part that servers never see.
    let landing: String
    let method: String
    let kind: String
    let frame: String
    let headers: [JSON.Member]
    let body: String?
    /// Where it is for a document: the document's loading.
    let load: String

    init?(_ event: DevToolsEvent) {
        guard let session = event.session, let number = event.params["requestId"]?.string,
            let request = event.params["request"], let url = request["url"]?.string
        else { return nil }
        self.number = number
        self.session = session
        self.url = url
        self.landing = url + (request["urlFragment"]?.string ?? "")
        self.method = request["method"]?.string ?? "GET"
        self.kind = event.params["resourceType"]?.string ?? "Other"
        self.frame = event.params["frameId"]?.string ?? ""
        self.body = request["postData"]?.string
        self.load = event.params["networkId"]?.string ?? ""
        guard case .object(let headers)? = request["headers"] else {
            self.headers = []
            return
        }
        self.headers = headers
    }
}

extension PausedRequest {
    /// What becomes of it by where it goes.
    func judged(neighbours: Set<String>) -> [StageOutput] {
        switch RequestRules.verdict(self.url, neighbours: neighbours) {
        case .proceed: return [.say(self.goingOn)]
        case .serve: return [.serve(self)]
        case .refuse(let reason):
            let text = "\(reason): \(Redaction.address(self.url.excerpt(500)))"
            return [.say(self.refusal("BlockedByClient")), .report(.blocked(BlockedAttempt(.other, text)))]
        case .missing: return [.say(self.answer(404, [], nil))]
        }
    }

    /// A header of it, by its name in small letters.
    func header(_ name: String) -> String? { self.headers.first { $0.name.asciiLowercased == name }?.value.string }

    /// The browser makes it.
    var goingOn: DevToolsCommand {
        DevToolsCommand("Fetch.continueRequest", ["requestId": .string(self.number)], in: self.session)
    }

    /// Nobody makes it.
    func refusal(_ reason: String) -> DevToolsCommand {
        let params: JSON = ["requestId": .string(self.number), "errorReason": .string(reason)]
        return DevToolsCommand("Fetch.failRequest", params, in: self.session)
    }

    /// A page of ours.
    func document(_ html: String, _ headers: [(String, String)]) -> DevToolsCommand {
        let type = [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")]
        return self.answer(200, type + headers, Array(html.utf8))
    }

    /// An answer of ours; a body that is nil is none.
    func answer(_ status: Int, _ headers: [(String, String)], _ body: [UInt8]?) -> DevToolsCommand {
        let list = headers.map { JSON.object([.init("name", .string($0.0)), .init("value", .string($0.1))]) }
        var members: [JSON.Member] = [
            .init("requestId", .string(self.number)), .init("responseCode", .int(status)),
            .init("responseHeaders", .array(list)),
        ]
        if let body { members.append(.init("body", .string(Base64.text(body)))) }
        return DevToolsCommand("Fetch.fulfillRequest", .object(members), in: self.session)
    }
}
