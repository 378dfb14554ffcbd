import AdCore

/// The engine's identifier of a held request.
package struct EngineRequestID: Hashable, Sendable {
    package let number: String
    package let target: EngineTarget

    package init(number: String, target: EngineTarget) {
        self.number = number
        self.target = target
    }
}

/// A request that the engine holds until the stage lets it proceed, fails it or answers it.
package struct EngineRequest: Hashable, Sendable {
    /// What a request is for; the raw values are the names in reports.
    package enum Kind: String, Hashable, Sendable {
        case document = "Document"
        case stylesheet = "Stylesheet"
        case image = "Image"
        case media = "Media"
        case font = "Font"
        case script = "Script"
        case textTrack = "TextTrack"
        case xhr = "XHR"
        case fetch = "Fetch"
        case prefetch = "Prefetch"
        case eventSource = "EventSource"
        case webSocket = "WebSocket"
        case manifest = "Manifest"
        case signedExchange = "SignedExchange"
        case ping = "Ping"
        case policyReport = "CSPViolationReport"
        case preflight = "Preflight"
        case credentials = "FedCM"
        case other = "Other"
    }

    /// The error that the page gets.
    package enum Failure: Hashable, Sendable {
        /// The request was cancelled.
        case aborted
        /// The request is not allowed.
        case blocked
        /// The server could not be reached.
        case unreachable
        case other
    }

    package let id: EngineRequestID
    package let url: String
    /// The URL with its fragment, which is not sent to servers.
    package let urlWithFragment: String
    package let method: String
    package let kind: Kind
    package let frame: String
    package let headers: [EngineHeader]
    package let body: [UInt8]?
    /// The identifier of the request's network events, and for a document that of its load.
    package let load: String
    /// The destination if the engine does not resolve this public host; nil otherwise.
    ///
    /// The stage refuses such a request and names the destination, as in "a host name that looks like an IP address".
    package let unresolvedHost: String?

    package var target: EngineTarget { self.id.target }

    package init(
        _ id: EngineRequestID,
        url: String,
        fragment: String = "",
        method: String = "GET",
        kind: Kind,
        frame: String = "",
        headers: [EngineHeader] = [],
        body: [UInt8]? = nil,
        load: String = "",
        unresolvedHost: String? = nil
    ) {
        self.id = id
        self.url = url
        self.urlWithFragment = url + fragment
        self.method = method
        self.kind = kind
        self.frame = frame
        self.headers = headers
        self.body = body
        self.load = load
        self.unresolvedHost = unresolvedHost
    }

    /// The value of a header, by its lowercase name.
    func header(_ name: String) -> String? { self.headers.first { $0.name.asciiLowercased == name }?.value }
}

/// A header of a request or response.
package struct EngineHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The stage's response to a held request.
package struct EngineResponse: Hashable, Sendable {
    package let status: Int
    package let headers: [EngineHeader]
    package let body: [UInt8]?

    package init(_ status: Int, _ headers: [EngineHeader] = [], _ body: [UInt8]? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether an engine may keep it, which the stage forbids for its own documents.
    package var mayBeCached: Bool { !self.headers.contains { $0.name == "Cache-Control" && $0.value == "no-store" } }
}

extension EngineRequest {
    /// The decision of `RequestRules`; `allowed` are the origins on this computer and network, as in `http://127.0.0.1:8080`.
    func decision(allowed: Set<String>) -> RequestRules.Decision {
        RequestRules.decision(self.url, allowed: allowed, unresolved: self.unresolvedHost)
    }

    /// Carries out a decision.
    func decided(_ decision: RequestRules.Decision) -> [StageOutput] {
        switch decision {
        case .proceed: return [.send(self.proceeding)]
        case .fetch: return [.serve(self)]
        case .refuse(let destination):
            let text = "a request to \(destination): \(Redaction.address(self.url.excerpt(500)))"
            return [.send(self.failing(.blocked)), .report(.blocked(BlockedAttempt(.other, text)))]
        case .missing: return [.send(self.response(404))]
        }
    }

    /// The command that sends the request.
    package var proceeding: EngineCommand { .proceed(self.id) }

    /// The command that fails the request.
    package func failing(_ failure: Failure) -> EngineCommand { .fail(self.id, failure) }

    /// The command that answers the request with an HTML document.
    package func response(document html: String, _ headers: [EngineHeader]) -> EngineCommand {
        let type = [
            EngineHeader("Content-Type", "text/html; charset=utf-8"), EngineHeader("Cache-Control", "no-store"),
        ]
        return self.response(200, type + headers, Array(html.utf8))
    }

    /// The command that answers the request.
    package func response(_ status: Int, _ headers: [EngineHeader] = [], _ body: [UInt8]? = nil) -> EngineCommand {
        .answer(self.id, EngineResponse(status, headers, body))
    }
}
