import AdCore

/// Hears what happens in the sessions of something that is shown, as far as it is the same whatever is shown: ways out,
/// dialogs, downloads, requests, complaints.
struct SessionWatch: Hashable, Sendable {
    private var ways = WaysOut()
    /// What failed so far.
    var troubles = CreativeTroubles()
    private var requests = RequestLog()
    /// How many gestures of a user were heard of.
    private(set) var gestures = 0
    /// The bytes that were loaded.
    private var loaded = 0
    /// What may explain that nothing is visible.
    var blankCreative: BlankCreative {
        BlankCreative(requests: self.troubles.requests, errors: self.troubles.errors, waiting: self.requests.waiting)
    }
    private var hasTakenTooMuch = false
    /// Whether the browser loads pages of http there: it does where the page around them is one.
    private let loadsHTTP: Bool
    /// Where whole documents were to go last, to pages that the browser does not load.
    private var navigations: [String] = []
    /// Names that were found to lead to this machine or its network, although they look public.
    private var nearNames: Set<String> = []
    /// As many bytes as may be loaded; the largest playables and films take some tens of millions.
    static let mostBytes = 100_000_000

    /// How many columns of the document's first line are the stage's own.
    private let firstColumns: Int

    init(of document: String = "", loadsHTTP: Bool = false) {
        self.loadsHTTP = loadsHTTP
        self.firstColumns = StageFragment.columns(before: document)
    }

    /// Takes an event; nil where it is none of these.
    mutating func hear(_ event: DevToolsEvent, else session: DevToolsSession?, at now: Duration) -> [StageOutput]? {
        let asked = event.session ?? session
        switch event.method {
        case "Page.windowOpen":
            // None is opened; where it would have led is told all the same.
            guard let url = event.params["url"]?.string, !url.isEmpty, !url.hasPrefix("about:") else { return [] }
            guard !url.prefix(11).asciiLowercased.hasPrefix("javascript:") else {
                self.ways.taps.aside(url)
                return []
            }
            return self.consider(Attempt(means: .window, url: url), in: asked, at: now).outputs
        case "Page.frameRequestedNavigation":
            // No request of it will be seen: another program, which the browser does not start from here, or a page that
            // it does not load into one of https.
            guard let url = event.params["url"]?.string,
                !SessionWatch.isOfTheBrowser(url) || !self.loadsHTTP && SessionWatch.isMixedContent(event, url)
            else { return [] }
            self.navigations = self.navigations.suffix(7) + [url]
            return self.consider(Attempt(means: .navigation, url: url), in: asked, at: now).outputs
        case "Page.javascriptDialogOpening":
            let text = event.params["message"]?.string ?? ""
            let kind = event.params["type"]?.string ?? "dialog"
            let answer = DevToolsCommand("Page.handleJavaScriptDialog", ["accept": false], in: event.session)
            return [.say(answer), .report(.blocked(BlockedAttempt(.dialog, "\(kind): \(text.excerpt(200))")))]
        case "Page.downloadWillBegin": return SessionWatch.stopDownload(of: event.params["url"]?.string ?? "")
        case "Log.entryAdded":
            let entry = event.params["entry"]
            let text = entry?["text"]?.string ?? ""
            if let refusal = BrowserRefusal(text, source: entry?["source"]?.string ?? "") {
                // That a whole document was to go there is judged as a way out.
                return self.navigations.contains(refusal.url) ? [] : self.troubles.note(refusal.failedRequest)
            }
            return BrowserComplaint.attempt(text).map { [.report(.blocked($0))] } ?? []
        case "Preload.ruleSetUpdated": return SessionWatch.refuseSpeculation(event.params["ruleSet"]?["sourceText"])
        case "Network.responseReceived":
            let near = self.judgePeer(of: event.params["response"])
            return near + (self.requests.hear(event, at: now).map { [.note(.request($0))] } ?? [])
        case "Network.requestWillBeSent", "Network.loadingFinished",
            "Network.loadingFailed", "Network.webSocketHandshakeResponseReceived", "Network.webSocketClosed":
            return self.follow(event, at: now)
        case "Runtime.exceptionThrown":
            return ScriptError(exception: event).map { self.note($0.written(behind: self.firstColumns)) } ?? []
        case "Runtime.consoleAPICalled":
            guard let error = ScriptError(console: event) else { return [] }
            return self.troubles.note(error.written(behind: self.firstColumns))
        case "Network.webSocketCreated":
            let note = self.follow(event, at: now)
            return note + SessionWatch.judgeSocket(event.params["url"]?.string ?? "")
        case "Network.dataReceived": return self.count(event.params["dataLength"])
        case "Network.webSocketFrameReceived":
            return self.count((event.params["response"]?["payloadData"]?.string?.utf8.count).map(JSON.int))
        default: return nil
        }
    }

    /// The browser tells of a request; one that is over is noted, and one that failed is reported.
    private mutating func follow(_ event: DevToolsEvent, at now: Duration) -> [StageOutput] {
        guard let request = self.requests.hear(event, at: now) else { return [] }
        return [.note(.request(request))] + (FailedRequest(request).map { self.troubles.note($0) } ?? [])
    }

    /// A script failed.
    mutating func note(_ error: ScriptError) -> [StageOutput] {
        self.ways.taps.failed(error.message)
        return self.troubles.note(error)
    }

    /// A name tells nothing of where it leads; the address that has answered does.
    ///
    /// What has answered once can't be taken back: it is reported, and nothing more is asked there. A socket's address is not
    /// known here, and neither is that of a connection that failed.
    private mutating func judgePeer(of response: JSON?) -> [StageOutput] {
        guard let text = response?["remoteIPAddress"]?.string, !text.isEmpty,
            let peer = PeerAddress(text: text.filter { $0 != "[" && $0 != "]" }), !peer.isPublic,
            let url = response?["url"]?.string, let host = RequestRules.host(of: url),
            self.nearNames.count < SessionWatch.mostNames, self.nearNames.insert(host).inserted
        else { return [] }
        let words = "a request to the local network: \(host.excerpt(200)) led to \(text.excerpt(60))"
        return [.report(.blocked(BlockedAttempt(.other, words)))]
    }

    /// So many names are kept.
    private static let mostNames = 1_000

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
    mutating func pass(_ request: PausedRequest, neighbours: Set<String>) -> [StageOutput] {
        guard !self.hasTakenTooMuch else { return [.say(request.refusal("BlockedByClient"))] }
        if let host = RequestRules.host(of: request.url), self.nearNames.contains(host) {
            return [.say(request.refusal("BlockedByClient"))]
        }
        let outputs = request.judged(neighbours: neighbours)
        guard case .missing = RequestRules.verdict(request.url, neighbours: neighbours) else { return outputs }
        return outputs + self.troubles.note(FailedRequest(relative: request.url))
    }

    /// Takes what our script in a frame says of the user.
    mutating func hear(guard message: JSON, in session: DevToolsSession?, at now: Duration) -> [StageOutput] {
        switch message["k"]?.string {
        case "gesture":
            self.gestures += 1
            return self.ways.note(gesture: message, in: session, at: now)
        case "reacted":
            self.ways.taps.reacted(message)
            return []
        case "did":
            self.ways.taps.did(message["what"]?.string?.excerpt(100) ?? "")
            return []
        case "aside":
            self.ways.taps.aside(message["url"]?.string ?? "")
            return []
        case "link":
            guard let url = message["url"]?.string else { return [] }
            return self.consider(Attempt(means: .link, url: url), in: session, at: now).outputs
        case "download": return SessionWatch.stopDownload(of: message["url"]?.string ?? "")
        default: return []
        }
    }

    /// What each press led to.
    var taps: TapTracker {
        get { self.ways.taps }
        set { self.ways.taps = newValue }
    }

    /// Something would lead elsewhere.
    mutating func consider(_ attempt: Attempt, in session: DevToolsSession?, at now: Duration) -> Ruling {
        self.ways.consider(attempt, in: session, at: now)
    }

    /// Nothing more will be known of it.
    mutating func decide(_ attempt: Attempt, at now: Duration) -> Ruling { self.ways.decide(attempt, at: now) }

    /// A download is told; the browser was told to make none.
    static func stopDownload(of url: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.download, Redaction.address(url.excerpt(500)))))]
    }

    /// Whether a whole document is to be led to a page of http, which the browser does not load into a page of https; it
    /// says no more of that than this.
    private static func isMixedContent(_ event: DevToolsEvent, _ url: String) -> Bool {
        let reasons: Set = [
            "anchorClick", "formSubmissionGet", "formSubmissionPost", "scriptInitiated", "metaTagRefresh",
        ]
        return url.prefix(5).asciiLowercased == "http:" && event.params["reason"]?.string.map(reasons.contains) ?? false
    }

    /// The creative wants something that is not there (WebRTC), because it would get past the rules for requests.
    static func missing(_ name: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.other, "\(name.excerpt(60)): not available to ads")))]
    }

    /// The creative has rules for pages to be loaded ahead: the browser is told to load none.
    private static func refuseSpeculation(_ rules: JSON?) -> [StageOutput] {
        let words = Redaction.address((rules?.string ?? "").excerpt(300))
        return [.report(.blocked(BlockedAttempt(.other, "speculation rules, which load pages ahead: \(words)")))]
    }

    /// Whether an address is one that the browser opens by itself.
    private static func isOfTheBrowser(_ url: String) -> Bool {
        let own = ["http:", "https:", "about:", "data:", "blob:", "javascript:", "filesystem:", "chrome-error:"]
        let start = url.prefix(12).asciiLowercased
        return own.contains(where: start.hasPrefix)
    }
}
