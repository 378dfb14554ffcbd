import AdCore
import EngineSupport
import WebStage

// The translation of single events, without state.

extension EngineEvent.Kind {
    /// Translates an event; nil if a stage does not need it.
    init?(_ event: DevToolsEvent) {
        let params = event.params
        if event.method.hasPrefix("Network.") {
            guard let network = NetworkEvent(event) else { return nil }
            self = .network(network)
            return
        }
        let kind: EngineEvent.Kind? =
            switch event.method {
            case "Fetch.requestPaused": EngineRequest(event).map(EngineEvent.Kind.requestHeld)
            case "Target.attachedToTarget": AttachedTarget(event).map(EngineEvent.Kind.attached)
            case "Inspector.detached": .closed
            case "Inspector.targetCrashed": .crashed
            case "Page.frameNavigated": EngineDocument(event).map(EngineEvent.Kind.committed)
            case "Page.lifecycleEvent": EngineEvent.Kind(lifecycle: params)
            case "Page.frameStoppedLoading": .loadingStopped(frame: params["frameId"]?.string ?? "")
            case "Page.loadEventFired": .pageLoaded
            case "Page.windowOpen":
                .windowRequested(
                    url: params["url"]?.string ?? "",
                    frame: nil,
                    gesture: params["userGesture"].map { $0 == true }
                )
            case "Page.frameRequestedNavigation": EngineEvent.Kind(navigation: params)
            case "Page.javascriptDialogOpening":
                .dialogOpened(
                    kind: params["type"]?.string ?? "dialog",
                    text: params["message"]?.string ?? ""
                )
            case "Page.downloadWillBegin": .downloadRequested(url: params["url"]?.string ?? "")
            case "Preload.ruleSetUpdated": .speculationRules(params["ruleSet"]?["sourceText"]?.string ?? "")
            case "Log.entryAdded": EngineEvent.Kind(entry: params["entry"])
            case "Runtime.exceptionThrown": ScriptError(exception: event).map(EngineEvent.Kind.scriptError)
            case "Runtime.consoleAPICalled": EngineEvent.Kind(console: event)
            case "Page.screencastFrame": EnginePicture(event).map(EngineEvent.Kind.picture)
            default: nil
            }
        guard let kind else { return nil }
        self = kind
    }

    private init?(lifecycle params: AdJSON) {
        guard let load = params["loaderId"]?.string else { return nil }
        let frame = params["frameId"]?.string ?? ""
        switch params["name"]?.string {
        case "DOMContentLoaded": self = .parsed(frame: frame, load: load)
        case "load": self = .loaded(frame: frame, load: load)
        default: return nil
        }
    }

    /// Reads a navigation that a frame requests; the browser's own error pages are not reported.
    private init?(navigation params: AdJSON) {
        guard let url = params["url"]?.string, !url.prefix(13).asciiLowercased.hasPrefix("chrome-error:") else {
            return nil
        }
        let reasons: Set = [
            "anchorClick", "formSubmissionGet", "formSubmissionPost", "scriptInitiated", "metaTagRefresh",
        ]
        let isByPage = params["reason"]?.string.map(reasons.contains) ?? false
        self = .navigationRequested(url: url, frame: params["frameId"]?.string, gesture: nil, byPage: isByPage)
    }

    /// Reads an entry of the browser's log, which has only a text.
    private init?(entry: AdJSON?) {
        let text = entry?["text"]?.string ?? ""
        if let refusal = EngineRefusal(text, source: entry?["source"]?.string ?? "") {
            self = .requestRefused(refusal)
        } else if let attempt = EngineLogEntry.attempt(text) {
            self = .attemptBlocked(attempt)
        } else {
            return nil
        }
    }
}

extension AttachedTarget {
    init?(_ event: DevToolsEvent) {
        guard let name = event.params["sessionId"]?.string, let info = event.params["targetInfo"],
            let id = info["targetId"]?.string
        else { return nil }
        let kind: Kind =
            switch info["type"]?.string {
            case "iframe": .frame
            case "worker", "shared_worker": .worker
            case "service_worker": .serviceWorker
            case let type: .other(type ?? "window")
            }
        self.init(kind, DevToolsSession(name: name), id: id, url: info["url"]?.string ?? "")
    }
}

extension EngineDocument {
    init?(_ event: DevToolsEvent) {
        guard let frame = event.params["frame"], let id = frame["id"]?.string else { return nil }
        self.init(
            frame: id,
            load: frame["loaderId"]?.string,
            url: frame["url"]?.string,
            isErrorPage: frame["unreachableUrl"]?.string != nil
        )
    }
}

extension EngineRequest {
    init?(_ event: DevToolsEvent) {
        guard let session = event.session, let number = event.params["requestId"]?.string,
            let request = event.params["request"], let url = request["url"]?.string
        else { return nil }
        var headers: [EngineHeader] = []
        if case .object(let members)? = request["headers"] {
            headers = members.compactMap { member in member.value.string.map { EngineHeader(member.name, $0) } }
        }
        self.init(
            EngineRequestID(number: number, target: session),
            url: url,
            fragment: request["urlFragment"]?.string ?? "",
            method: request["method"]?.string ?? "GET",
            kind: Kind(event.params["resourceType"]),
            frame: event.params["frameId"]?.string ?? "",
            headers: headers,
            body: EngineRequest.body(request),
            load: event.params["networkId"]?.string ?? "",
            unresolvedHost: PrivateNumbers.destination(of: url)
        )
    }
}

extension EngineRequest {
    /// The body of a request (`Network.Request`): its parts are bytes, the whole is text.
    fileprivate static func body(_ request: AdJSON) -> [UInt8]? {
        let parts = request["postDataEntries"]?.array?.compactMap { $0["bytes"]?.string.flatMap(Base64.bytes) }
        if let parts, !parts.isEmpty { return Array(parts.joined()) }
        return request["postData"]?.string.map { Array($0.utf8) }
    }
}

extension EngineRequest.Kind {
    /// A resource type (`Network.ResourceType`); reports have the same names.
    init(_ type: AdJSON?) { self = type?.string.flatMap(Self.init(rawValue:)) ?? .other }
}

extension StageRequest.Failure {
    /// Reads `Network.loadingFailed`.
    fileprivate init(_ params: AdJSON) {
        self =
            switch (params["blockedReason"]?.string, params["errorText"]?.string) {
            case ("inspector", _), (nil, "net::ERR_BLOCKED_BY_CLIENT"): .blockedByStage
            case ("mixed-content", _): .refused(.mixedContent)
            case ("csp", _): .refused(.contentSecurityPolicy)
            case (let rule?, _): .refused(.other(rule))
            case (nil, "net::ERR_ABORTED"): .cancelled
            case (nil, let text): .other(text ?? "the request failed")
            }
    }
}

extension NetworkEvent {
    init?(_ event: DevToolsEvent) {
        let params = event.params
        switch event.method {
        case "Network.dataReceived":
            self = .received(params["requestId"]?.string, bytes: Self.integer(params["dataLength"]))
            return
        case "Network.webSocketFrameReceived":
            self = .received(bytes: params["response"]?["payloadData"]?.string?.utf8.count ?? 0)
            return
        default: break
        }
        guard let id = params["requestId"]?.string else { return nil }
        switch event.method {
        case "Network.requestWillBeSent":
            self = Self.sent(id, params)
        case "Network.responseReceived":
            guard let response = params["response"] else { return nil }
            let kind = EngineRequest.Kind(params["type"])
            self = .responded(id, NetworkResponse(response), kind: kind, frame: params["frameId"]?.string)
        case "Network.loadingFinished": self = .finished(id, bytes: Self.integer(params["encodedDataLength"]))
        case "Network.loadingFailed":
            self = .failed(id, StageRequest.Failure(params), kind: EngineRequest.Kind(params["type"]))
        case "Network.webSocketCreated":
            let url = params["url"]?.string ?? ""
            self = .socketCreated(id, url: url, unresolvedHost: PrivateNumbers.destination(of: url))
        case "Network.webSocketHandshakeResponseReceived":
            self = .socketOpened(id, NetworkResponse(params["response"] ?? .null))
        case "Network.webSocketClosed": self = .socketClosed(id)
        default: return nil
        }
    }

    private static func sent(_ id: String, _ params: AdJSON) -> NetworkEvent {
        let request = params["request"]
        return .sent(
            id,
            url: request?["url"]?.string,
            method: request?["method"]?.string,
            kind: EngineRequest.Kind(params["type"]),
            redirect: params["redirectResponse"].map(NetworkResponse.init)
        )
    }

    fileprivate static func integer(_ json: AdJSON?) -> Int { json?.number.flatMap { Int(exactly: $0.rounded()) } ?? 0 }
}

extension NetworkResponse {
    init(_ json: AdJSON) {
        self.init(
            status: NetworkEvent.integer(json["status"]),
            type: json["mimeType"]?.string,
            bytes: NetworkEvent.integer(json["encodedDataLength"]),
            url: json["url"]?.string,
            address: json["remoteIPAddress"]?.string
        )
    }
}

extension EngineEvent.Kind {
    /// Reads a call of the console from `Runtime.consoleAPICalled`.
    fileprivate init?(console event: DevToolsEvent) {
        let words = (event.params["args"]?.array ?? []).prefix(10).map { argument in
            let value = argument["value"].map { $0.string ?? $0.text() }
            let text = value ?? argument["unserializableValue"]?.string ?? argument["description"]?.string ?? "?"
            return String(text.prefix(2_000).prefix { $0 != "\n" })
        }
        let type = event.params["type"]?.string ?? "log"
        let level = ConsoleMessage.Level(rawValue: type) ?? .log
        let text = words.joined(separator: " ")
        let frame = event.params["stackTrace"]?["callFrames"]?.array?.first
        self = .console(level, ScriptError(level == .error ? "console.error: \(text)" : text, at: frame))
    }
}

extension EnginePicture {
    /// Reads `Page.screencastFrame`.
    fileprivate init?(_ event: DevToolsEvent) {
        guard let number = event.params["sessionId"]?.number.flatMap(Int.init(exactly:)),
            let data = event.params["data"]?.string
        else { return nil }
        self.init(number: number, data: data)
    }
}

extension ScriptError {
    /// Reads an uncaught exception or rejected promise from `Runtime.exceptionThrown`.
    init?(exception event: DevToolsEvent) {
        guard event.method == "Runtime.exceptionThrown", let details = event.params["exceptionDetails"] else {
            return nil
        }
        let thrown = details["exception"]
        let value = thrown?["value"].map { $0.string ?? $0.text() }
        // The stack follows the first line of the description.
        let description = thrown?["description"]?.string ?? value ?? ""
        let first = description.prefix(2_000).prefix { $0 != "\n" }
        let text = details["text"]?.string ?? "Uncaught"
        self.init("\(text) \(first)", at: details)
    }

    fileprivate init(_ message: String, at place: AdJSON?) {
        func number(_ name: String) -> Int? { place?[name]?.number.flatMap(Int.init(exactly:)) }
        self.init(
            reported: message,
            url: place?["url"]?.string ?? "",
            line: number("lineNumber"),
            column: number("columnNumber")
        )
    }
}
