import AdCore
import WebStage

extension EngineRequest.Kind {
    /// Derives the kind from the headers of a request: `Sec-Fetch-Dest` (Fetch Metadata), which WebKit sends over TLS,
    /// or else what the request accepts.
    init(_ headers: [EngineHeader], method: String) {
        func value(_ name: String) -> String? { headers.first { $0.name.asciiLowercased == name }?.value }
        if value("upgrade")?.asciiLowercased == "websocket" {
            self = .webSocket
            return
        }
        if method == "OPTIONS", value("access-control-request-method") != nil {
            self = .preflight
            return
        }
        let accept = value("accept") ?? ""
        switch value("sec-fetch-dest") {
        case "document", "iframe", "frame", "embed", "object": self = .document
        case "style": self = .stylesheet
        case "image": self = .image
        case "audio", "video": self = .media
        case "track": self = .textTrack
        case "font": self = .font
        case "manifest": self = .manifest
        case "report": self = .policyReport
        case "script", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet": self = .script
        case "empty" where accept.hasPrefix("text/event-stream"): self = .eventSource
        case "empty" where value("cache-control") == "max-age=0" && method == "POST": self = .ping
        case "empty": self = .fetch
        default: self = Self.accepting(accept, hasRange: value("range") != nil)
        }
    }

    private static func accepting(_ accept: String, hasRange: Bool) -> Self {
        if hasRange { return .media }
        if accept.hasPrefix("text/html") { return .document }
        if accept.hasPrefix("text/css") { return .stylesheet }
        return accept.hasPrefix("image/") ? .image : .other
    }
}
