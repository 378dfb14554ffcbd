import AdCore

/// Hears what happens in the sessions of something that is shown, as far as it is the same whatever is shown: ways out,
/// dialogs, downloads, requests, complaints.
struct SessionWatch: Hashable, Sendable {
    private var ways = WaysOut()
    private var requests = RequestLog()
    /// How many gestures of a user were heard of.
    private(set) var gestures = 0
    /// The bytes that were loaded.
    private var loaded = 0
    /// Whether a request is under way.
    var isLoading: Bool { self.requests.isLoading }
    /// What may explain that nothing is visible.
    var blankCreative: BlankCreative { BlankCreative() }
    private var hasTakenTooMuch = false
    /// As many bytes as may be loaded; the largest playables and films take some tens of millions.
    static let mostBytes = 100_000_000

    /// Takes an event; nil where it is none of these.
    mutating func hear(_ event: DevToolsEvent, else session: DevToolsSession?, at now: Duration) -> [StageOutput]? {
        let asked = event.session ?? session
        switch event.method {
        case "Page.windowOpen":
            // None is opened; where it would have led is told all the same.
            guard let url = event.params["url"]?.string, !url.isEmpty, !url.hasPrefix("about:") else { return [] }
            return self.consider(Attempt(means: .window, url: url), in: asked, at: now)
        case "Page.frameRequestedNavigation":
            // To another program, which the browser does not start from here: no request of it will be seen.
            guard let url = event.params["url"]?.string, !SessionWatch.isOfTheBrowser(url) else { return [] }
            return self.consider(Attempt(means: .navigation, url: url), in: asked, at: now)
        case "Page.javascriptDialogOpening":
            let text = event.params["message"]?.string ?? ""
            let kind = event.params["type"]?.string ?? "dialog"
            let answer = DevToolsCommand("Page.handleJavaScriptDialog", ["accept": false], in: event.session)
            return [.say(answer), .report(.blocked(BlockedAttempt(.dialog, "\(kind): \(text.excerpt(200))")))]
        case "Page.downloadWillBegin": return SessionWatch.stopDownload(of: event.params["url"]?.string ?? "")
        case "Log.entryAdded":
            let text = event.params["entry"]?["text"]?.string ?? ""
            return BrowserComplaint.attempt(text).map { [.report(.blocked($0))] } ?? []
        case "Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished",
            "Network.loadingFailed", "Network.webSocketHandshakeResponseReceived", "Network.webSocketClosed":
            return self.requests.hear(event, at: now).map { [.note(.request($0))] } ?? []
        case "Network.webSocketCreated":
            let note = self.requests.hear(event, at: now).map { [StageOutput.note(.request($0))] } ?? []
            return note + SessionWatch.judgeSocket(event.params["url"]?.string ?? "")
        case "Network.dataReceived": return self.count(event.params["dataLength"])
        case "Network.webSocketFrameReceived":
            return self.count((event.params["response"]?["payloadData"]?.string?.utf8.count).map(JSON.int))
        default: return nil
        }
    }

    /// A socket is no request that can be held: where it may not go the browser knows no way, and it is told.
    private static func judgeSocket(_ url: String) -> [StageOutput] {
        let address = url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
        guard case .refuse(let reason) = RequestRules.verdict(address, neighbours: []) else { return [] }
        let words = "a socket, \(reason): \(Redaction.address(url.excerpt(500)))"
        return [.report(.blocked(BlockedAttempt(.other, words)))]
    }

    /// So many bytes more were loaded: who takes too much gets no more.
    private mutating func count(_ bytes: JSON?) -> [StageOutput] {
        let bytes = bytes?.number.flatMap { Int(exactly: $0.rounded()) } ?? 0
        self.loaded += min(max(0, bytes), SessionWatch.mostBytes)
        guard self.loaded > SessionWatch.mostBytes, !self.hasTakenTooMuch else { return [] }
        self.hasTakenTooMuch = true
        let words = "more than \(SessionWatch.mostBytes / 1_000_000) MB were loaded; there is no more"
        // What is on its way already would go on.
        return [.report(.blocked(BlockedAttempt(.other, words))), .setAlarm(.surfeit, after: .zero)]
    }

    /// Lets a request go where it may go.
    func pass(_ request: PausedRequest, neighbours: Set<String>) -> [StageOutput] {
        guard !self.hasTakenTooMuch else { return [.say(request.refusal("BlockedByClient"))] }
        return request.judged(neighbours: neighbours)
    }

    /// Takes what our script in a frame says of the user.
    mutating func hear(guard message: JSON, in session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        switch message["k"]?.string {
        case "gesture":
            self.gestures += 1
            self.ways.note(gesture: message["type"]?.string ?? "", at: now)
            return []
        case "link":
            guard let url = message["url"]?.string else { return [] }
            return self.consider(Attempt(means: .link, url: url), in: session, at: now)
        case "download": return SessionWatch.stopDownload(of: message["url"]?.string ?? "")
        default: return []
        }
    }

    /// Something would lead elsewhere.
    mutating func consider(_ attempt: Attempt, in session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        self.ways.consider(attempt, in: session, at: now)
    }

    /// Nothing more will be known of it.
    mutating func decide(_ attempt: Attempt, at now: Duration) -> [StageOutput] { self.ways.decide(attempt, at: now) }

    /// A download is told; the browser was told to make none.
    static func stopDownload(of url: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.download, Redaction.address(url.excerpt(500)))))]
    }

    /// Whether an address is one that the browser opens by itself.
    private static func isOfTheBrowser(_ url: String) -> Bool {
        let own = ["http:", "https:", "about:", "data:", "blob:", "javascript:", "filesystem:", "chrome-error:"]
        let start = url.prefix(12).asciiLowercased
        return own.contains(where: start.hasPrefix)
    }
}
