import AdCore

/// Judges what happens in the targets of something that is shown, as far as it is the same for all kinds: navigations,
/// windows, dialogs, downloads, requests, errors.
struct PagePolicy: Hashable, Sendable {
    private var navigation = NavigationPolicy()
    /// What failed so far.
    var troubles = CreativeTroubles()
    private var requests = RequestLog()
    /// How many gestures of a user were reported.
    private(set) var gestures = 0
    /// The bytes that were loaded.
    private var loaded = 0
    /// What may explain that nothing is visible.
    var blankCreative: BlankCreative {
        BlankCreative(requests: self.troubles.requests, errors: self.troubles.errors, waiting: self.requests.waiting)
    }
    private var isOverLimit = false
    /// Whether the engine loads pages of http there: it does in a whole page.
    private let loadsHTTP: Bool
    /// The last navigations of whole documents to pages that the engine does not load.
    private var navigations: [String] = []
    /// Names that led to this machine or its network, although they look public.
    private var nearNames: Set<String> = []
    /// The most bytes that may be loaded; the largest playables and videos have some tens of millions.
    static let byteLimit = 100_000_000

    /// How many columns of the document's first line are the stage's own.
    private let firstColumns: Int

    init(of document: String = "", loadsHTTP: Bool = false) {
        self.loadsHTTP = loadsHTTP
        self.firstColumns = FragmentDocument.columns(before: document)
    }

    /// Handles an event; nil where it is none of these.
    mutating func handle(_ event: EngineEvent, else target: EngineTarget?, at now: Duration) -> [StageOutput]? {
        let source = event.target ?? target
        switch event.kind {
        case .windowRequested(let url):
            // None is opened; its address is judged all the same.
            guard !url.isEmpty, !url.hasPrefix("about:") else { return [] }
            guard !url.prefix(11).asciiLowercased.hasPrefix("javascript:") else {
                self.navigation.taps.inertLink(url)
                return []
            }
            return self.judge(Attempt(means: .window, url: url), in: source, at: now).outputs
        case .navigationRequested(let url, let byPage):
            // No request of it will be held: another program, which the engine does not start from here, or a page that it
            // does not load into one of https.
            guard !PagePolicy.isLoadable(url) || !self.loadsHTTP && byPage && PagePolicy.isHTTP(url) else { return [] }
            self.navigations = self.navigations.suffix(7) + [url]
            return self.judge(Attempt(means: .navigation, url: url), in: source, at: now).outputs
        case .dialogOpened(let kind, let text):
            let report = StageOutput.report(.blocked(BlockedAttempt(.dialog, "\(kind): \(text.excerpt(200))")))
            return (event.target.map { [.send(.dismissDialog($0))] } ?? []) + [report]
        case .downloadRequested(let url): return PagePolicy.blockDownload(of: url)
        case .requestRefused(let refusal):
            // A navigation of a whole document is judged as an attempt.
            return self.navigations.contains(refusal.url) ? [] : self.troubles.add(refusal.failedRequest)
        case .attemptBlocked(let attempt): return [.report(.blocked(attempt))]
        case .speculationRules(let rules): return PagePolicy.refuseSpeculation(rules)
        case .network(let event): return self.handle(event, at: now)
        case .scriptError(let error): return self.handle(error.written(behind: self.firstColumns))
        case .consoleError(let error): return self.troubles.add(error.written(behind: self.firstColumns))
        default: return nil
        }
    }

    private mutating func handle(_ event: NetworkEvent, at now: Duration) -> [StageOutput] {
        switch event {
        case .responded(_, let response, _, _):
            let near = self.judgePeer(of: response)
            return near + (self.requests.handle(event, at: now).map { [.note(.request($0))] } ?? [])
        case .sent, .finished, .failed, .socketOpened, .socketClosed: return self.follow(event, at: now)
        case .socketCreated(_, let url): return self.follow(event, at: now) + PagePolicy.judgeSocket(url)
        case .received(let bytes): return self.count(bytes)
        }
    }

    /// Logs a request; one that is over is noted, and one that failed is reported.
    private mutating func follow(_ event: NetworkEvent, at now: Duration) -> [StageOutput] {
        guard let request = self.requests.handle(event, at: now) else { return [] }
        return [.note(.request(request))] + (FailedRequest(request).map { self.troubles.add($0) } ?? [])
    }

    /// A script failed.
    mutating func handle(_ error: ScriptError) -> [StageOutput] {
        self.navigation.taps.failed(error.message)
        return self.troubles.add(error)
    }

    /// Reports a name that leads to the local network: only the address that has responded shows that.
    ///
    /// What has answered once can't be taken back: it is reported, and nothing more is asked there. A socket's address is not
    /// known here, and neither is that of a connection that failed.
    private mutating func judgePeer(of response: NetworkResponse) -> [StageOutput] {
        guard let address = response.address, !address.isEmpty,
            let peer = PeerAddress(text: address.filter { $0 != "[" && $0 != "]" }), !peer.isPublic,
            let url = response.url, let host = RequestRules.host(of: url),
            self.nearNames.count < PagePolicy.nameLimit, self.nearNames.insert(host).inserted
        else { return [] }
        let text = "a request to the local network: \(host.excerpt(200)) led to \(address.excerpt(60))"
        return [.report(.blocked(BlockedAttempt(.other, text)))]
    }

    /// The most names that are kept.
    private static let nameLimit = 1_000

    /// Reports a socket to the local network: its request can't be held, and the engine does not resolve the name.
    private static func judgeSocket(_ url: String) -> [StageOutput] {
        let address = url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
        guard case .refuse(let reason) = RequestRules.verdict(address, allowed: []) else { return [] }
        let text = "a socket, \(reason): \(Redaction.address(url.excerpt(500)))"
        return [.report(.blocked(BlockedAttempt(.other, text)))]
    }

    /// Counts loaded bytes: beyond the limit nothing more is loaded.
    private mutating func count(_ bytes: Int) -> [StageOutput] {
        self.loaded += min(max(0, bytes), PagePolicy.byteLimit)
        guard self.loaded > PagePolicy.byteLimit, !self.isOverLimit else { return [] }
        self.isOverLimit = true
        let text = "more than \(PagePolicy.byteLimit / 1_000_000) MB were loaded; there is no more"
        // What is on its way already would go on.
        return [.report(.blocked(BlockedAttempt(.other, text))), .setAlarm(.byteLimit, after: .zero)]
    }

    /// Lets a request go where it may go.
    mutating func pass(_ request: EngineRequest, allowed: Set<String>) -> [StageOutput] {
        guard !self.isOverLimit else { return [.send(request.failing(.blocked))] }
        if let host = RequestRules.host(of: request.url), self.nearNames.contains(host) {
            return [.send(request.failing(.blocked))]
        }
        let outputs = request.judged(allowed: allowed)
        guard case .missing = RequestRules.verdict(request.url, allowed: allowed) else { return outputs }
        return outputs + self.troubles.add(FailedRequest(relative: request.url))
    }

    /// Handles a message of our gesture script in a frame.
    mutating func handle(gesture message: AdJSON, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        switch message["k"]?.string {
        case "gesture":
            self.gestures += 1
            return self.navigation.handle(gesture: message, in: target, at: now)
        case "reacted":
            self.navigation.taps.reacted(message)
            return []
        case "did":
            self.navigation.taps.did(message["what"]?.string?.excerpt(100) ?? "")
            return []
        case "aside":
            self.navigation.taps.inertLink(message["url"]?.string ?? "")
            return []
        case "link":
            guard let url = message["url"]?.string else { return [] }
            return self.judge(Attempt(means: .link, url: url), in: target, at: now).outputs
        case "download": return PagePolicy.blockDownload(of: message["url"]?.string ?? "")
        default: return []
        }
    }

    /// The outcome of each press.
    var taps: TapTracker {
        get { self.navigation.taps }
        set { self.navigation.taps = newValue }
    }

    /// Something would lead elsewhere.
    mutating func judge(_ attempt: Attempt, in target: EngineTarget?, at now: Duration) -> Ruling {
        self.navigation.judge(attempt, in: target, at: now)
    }

    /// Decides an attempt of which nothing more will be reported.
    mutating func decide(_ attempt: Attempt, at now: Duration) -> Ruling { self.navigation.decide(attempt, at: now) }

    /// Reports a download, which the engine blocks.
    static func blockDownload(of url: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.download, Redaction.address(url.excerpt(500)))))]
    }

    /// Whether an address is a page of http: mixed content in a frame of a page of https, which an engine blocks without a
    /// request (W3C Mixed Content §5).
    private static func isHTTP(_ url: String) -> Bool { url.prefix(5).asciiLowercased == "http:" }

    /// Reports that the creative uses an interface that is not available (WebRTC), because it would bypass the rules for
    /// requests.
    static func missing(_ name: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.other, "\(name.excerpt(60)): not available to ads")))]
    }

    /// Reports speculation rules, by which the engine loads no page.
    private static func refuseSpeculation(_ rules: String) -> [StageOutput] {
        let text = Redaction.address(rules.excerpt(300))
        return [.report(.blocked(BlockedAttempt(.other, "speculation rules, which load pages ahead: \(text)")))]
    }

    /// Whether an engine loads an address by itself, and starts no other program for it.
    private static func isLoadable(_ url: String) -> Bool {
        let schemes = ["http:", "https:", "about:", "data:", "blob:", "javascript:", "filesystem:"]
        let start = url.prefix(12).asciiLowercased
        return schemes.contains(where: start.hasPrefix)
    }
}
