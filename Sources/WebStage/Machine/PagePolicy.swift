import AdCore

/// The rules that all kinds of creatives share: navigations, windows, dialogs, downloads, requests, errors.
struct PagePolicy: Hashable, Sendable {
    private var navigation = NavigationPolicy()
    /// The failed requests and script errors.
    var failures = CreativeFailures()
    private var requests: RequestLog
    /// The number of reported user gestures.
    private(set) var gestures = 0
    /// The number of loaded bytes.
    private var loaded = 0
    /// What may explain that a creative is blank.
    var blankCreative: BlankCreative {
        BlankCreative(requests: self.failures.requests, errors: self.failures.errors, waiting: self.requests.waiting)
    }
    private var isOverLimit = false
    /// Whether http pages can be loaded: in a top-level page, but not in a frame of an https page.
    private let loadsHTTP: Bool
    /// The latest navigations to URLs that the engine does not load.
    private var navigations: [String] = []
    /// Hosts with public names that have resolved to a private address.
    private var privateNames: Set<String> = []
    /// The maximum number of loaded bytes; the largest playable ads have some tens of millions of bytes.
    static let byteLimit = 100_000_000

    /// When a script has last changed the creative, by the clock of its frames; nil before the first change.
    private(set) var lastChange: Duration?

    /// How the frames inside of the creative's own move, by their numbers.
    private(set) var motions: [String: FrameMotion] = [:]
    private static let maxMotions = 50

    /// The images that may be animated.
    var images = LoadedImages()

    /// How many columns the stage has put in front of the document's first line.
    private let firstColumns: Int

    init(of document: String = "", files: StageFiles? = nil, loadsHTTP: Bool = false) {
        self.requests = RequestLog(files)
        self.loadsHTTP = loadsHTTP
        self.firstColumns = FragmentDocument.columns(before: document)
    }

    /// Handles an event; nil for other events.
    mutating func handle(_ event: EngineEvent, fallback target: EngineTarget?, at now: Duration) -> [StageOutput]? {
        let source = event.target ?? target
        switch event.kind {
        case .windowRequested(let url, _, let gesture):
            // No window is opened; the address is an attempt to open a link.
            guard !url.isEmpty, !url.hasPrefix("about:") else { return [] }
            guard !url.prefix(11).asciiLowercased.hasPrefix("javascript:") else {
                self.navigation.taps.recordInertLink(url)
                return []
            }
            let attempt = NavigationAttempt(trigger: .window, url: url, hasGesture: gesture)
            return self.decide(attempt, in: source, at: now).outputs
        case .navigationRequested(let url, _, let gesture, let byPage):
            // There is no request to hold for another app's scheme, or for an http page in a frame of an https page.
            guard !PagePolicy.isLoadable(url) || !self.loadsHTTP && byPage && PagePolicy.isHTTP(url) else { return [] }
            self.navigations = self.navigations.suffix(7) + [url]
            let attempt = NavigationAttempt(trigger: .navigation, url: url, hasGesture: gesture)
            return self.decide(attempt, in: source, at: now).outputs
        case .dialogOpened(let kind, let text):
            let report = StageOutput.report(.blocked(BlockedAttempt(.dialog, "\(kind): \(text.excerpt(200))")))
            return (event.target.map { [.send(.dismissDialog($0))] } ?? []) + [report]
        case .downloadRequested(let url): return PagePolicy.blockDownload(of: url)
        case .requestRefused(let refusal):
            // Navigations are reported as attempts instead.
            return self.navigations.contains(refusal.url) ? [] : self.failures.add(refusal.failedRequest)
        case .attemptBlocked(let attempt): return [.report(.blocked(attempt))]
        case .speculationRules(let rules): return PagePolicy.reportSpeculationRules(rules)
        case .network(let network):
            self.images.handle(network, in: source)
            return self.handle(network, at: now)
        case .scriptError(let error): return self.handle(error.removingColumns(self.firstColumns))
        case .console(let level, let message): return self.handle(level, message.removingColumns(self.firstColumns))
        default: return nil
        }
    }

    private mutating func handle(_ event: NetworkEvent, at now: Duration) -> [StageOutput] {
        switch event {
        case .responded(_, let response, _, _):
            let privateAddressReport = self.reportPrivateAddress(of: response)
            return privateAddressReport + (self.requests.handle(event, at: now).map { [.notify(.request($0))] } ?? [])
        case .sent, .finished, .failed, .socketOpened, .socketClosed: return self.log(event, at: now)
        case .socketCreated(_, let url, let unresolved):
            return self.log(event, at: now) + PagePolicy.reportPrivateSocket(url, unresolved: unresolved)
        case .received(_, let bytes):
            _ = self.requests.handle(event, at: now)
            return self.count(bytes)
        }
    }

    /// Logs a request, and reports a failed one.
    private mutating func log(_ event: NetworkEvent, at now: Duration) -> [StageOutput] {
        guard let request = self.requests.handle(event, at: now) else { return [] }
        return [.notify(.request(request))] + (FailedRequest(request).map { self.failures.add($0) } ?? [])
    }

    /// The requests that are not finished when the ad closes, with what has arrived of them.
    mutating func unfinishedRequests(at now: Duration) -> [StageOutput] {
        self.requests.end(at: now).map { .notify(.request($0)) }
    }

    /// Handles a call of the console.
    private mutating func handle(_ level: ConsoleMessage.Level, _ message: ScriptError) -> [StageOutput] {
        guard level != .error else { return self.failures.add(message) }
        return [.observe(.console(ConsoleMessage(level, message.message, url: message.url, line: message.line)))]
    }

    /// Handles a script error.
    mutating func handle(_ error: ScriptError) -> [StageOutput] {
        self.navigation.taps.recordError(error.message)
        return self.failures.add(error)
    }

    /// Reports a host with a public name that has resolved to a private address.
    ///
    /// The address is known only from the response, so the first request can't be held; further requests are blocked.
    /// The addresses of WebSockets and of failed connections are unknown.
    private mutating func reportPrivateAddress(of response: NetworkResponse) -> [StageOutput] {
        guard let address = response.address, !address.isEmpty,
            let peer = IPAddress(text: address.filter { $0 != "[" && $0 != "]" }), !peer.isPublic,
            let url = response.url, let host = RequestRules.host(of: url),
            self.privateNames.count < PagePolicy.nameLimit, self.privateNames.insert(host).inserted
        else { return [] }
        let text = "a request to the local network: \(host.excerpt(200)) resolved to \(address.excerpt(60))"
        return [.report(.blocked(BlockedAttempt(.other, text)))]
    }

    /// The maximum number of stored names.
    private static let nameLimit = 1_000

    /// Reports a WebSocket to the local network: its handshake can't be held, but the engine does not resolve the name.
    private static func reportPrivateSocket(_ url: String, unresolved: String?) -> [StageOutput] {
        let address = url.hasPrefix("ws") ? "http" + url.dropFirst(2) : url
        let decision = RequestRules.decision(address, allowed: [], unresolved: unresolved)
        guard case .refuse(let destination) = decision else { return [] }
        let text = "a WebSocket to \(destination): \(Redaction.address(url.excerpt(500)))"
        return [.report(.blocked(BlockedAttempt(.other, text)))]
    }

    /// Counts loaded bytes; beyond the limit nothing more is loaded.
    private mutating func count(_ bytes: Int) -> [StageOutput] {
        self.loaded += min(max(0, bytes), PagePolicy.byteLimit)
        guard self.loaded > PagePolicy.byteLimit, !self.isOverLimit else { return [] }
        self.isOverLimit = true
        let text = "more than \(PagePolicy.byteLimit / 1_000_000) MB were loaded; further requests are blocked"
        // Requests in flight would continue, so the creative is ended.
        return [.report(.blocked(BlockedAttempt(.other, text))), .setAlarm(.byteLimit, after: .zero)]
    }

    /// Responds with a file, whose bytes count as loaded.
    mutating func serve(_ request: EngineRequest, from files: StageFiles) -> [StageOutput] {
        guard !self.isOverLimit else { return [.send(request.failing(.blocked))] }
        let response = files.respond(to: request)
        let outputs = self.count(response.size)
        // What is over the limit is not sent: each response is held in memory until the engine has read it.
        guard !self.isOverLimit else { return [.send(request.failing(.blocked))] + outputs }
        return [.send(response.command)] + outputs + (response.failure.map { self.failures.add($0) } ?? [])
    }

    /// Proceeds with, answers or refuses a request by `RequestRules`.
    mutating func applyRules(
        to request: EngineRequest,
        allowed: Set<String>,
        at now: Duration
    ) -> [StageOutput] {
        guard !self.isOverLimit else { return [.send(request.failing(.blocked))] }
        if let host = RequestRules.host(of: request.url), self.privateNames.contains(host) {
            return [.send(request.failing(.blocked))]
        }
        let decision = request.decision(allowed: allowed)
        let outputs = request.decided(decision)
        switch decision {
        case .proceed, .fetch: self.requests.start(request, at: now)
        case .refuse: break
        case .missing: return outputs + self.failures.add(FailedRequest(relative: request.url))
        }
        return outputs
    }

    /// Handles a message of `gesture.js`.
    mutating func handle(gesture message: AdJSON, in target: EngineTarget?, at now: Duration) -> [StageOutput] {
        switch message["k"]?.string {
        case "gesture":
            self.gestures += 1
            return self.navigation.handle(gesture: message, in: target, at: now)
        case "handles": return self.navigation.taps.recordListeners()
        case "reacted":
            self.navigation.taps.recordReaction(message)
            return []
        case "did":
            self.navigation.taps.recordEffect(message["what"]?.string?.excerpt(100) ?? "")
            return []
        case "aside":
            self.navigation.taps.recordInertLink(message["url"]?.string ?? "")
            return []
        case "longtask":
            guard let milliseconds = message["ms"]?.number, (0...600_000).contains(milliseconds) else { return [] }
            return [.observe(.longTask(.milliseconds(Int64(milliseconds))))]
        case "stall":
            // Players wait for a few milliseconds also when nothing is wrong.
            guard let milliseconds = message["ms"]?.number, (50...600_000).contains(milliseconds) else { return [] }
            let position = message["at"]?.number.flatMap { (0...86_400).contains($0) ? Duration.seconds($0) : nil }
            return [.observe(.mediaStall(.milliseconds(Int64(milliseconds)), at: position))]
        case "painted":
            guard let milliseconds = message["ms"]?.number, (0...600_000).contains(milliseconds) else { return [] }
            return [.observe(.painted(after: .seconds(milliseconds / 1000)))]
        case "moved":
            self.recordChange(message)
            return []
        case "motion":
            guard let motion = FrameMotion(message) else { return [] }
            if self.motions.count < PagePolicy.maxMotions || self.motions[motion.frame] != nil {
                self.motions[motion.frame] = motion
            }
            return []
        case "link":
            guard let url = message["url"]?.string else { return [] }
            return self.decide(NavigationAttempt(trigger: .link, url: url), in: target, at: now).outputs
        case "download": return PagePolicy.blockDownload(of: message["url"]?.string ?? "")
        default: return []
        }
    }

    /// Records a change of the creative by a script.
    private mutating func recordChange(_ message: AdJSON) {
        // What a press causes is no movement by itself.
        guard self.gestures == 0, let milliseconds = message["at"]?.number, (0...1e14).contains(milliseconds) else {
            return
        }
        self.lastChange = max(self.lastChange ?? .zero, .seconds(milliseconds / 1000))
    }

    /// Handles a message of `calls.js`.
    mutating func handle(call message: AdJSON) -> [StageOutput] {
        switch message["k"]?.string {
        case "call":
            guard let purpose = message["purpose"]?.string.flatMap(ScriptCall.Purpose.init(rawValue:)),
                let name = message["name"]?.string
            else { return [] }
            return [.observe(.call(ScriptCall(purpose, name.excerpt(60))))]
        case "media":
            guard let element = message["element"]?.string.flatMap(MediaStart.Element.init(rawValue:)) else {
                return []
            }
            let (isAudible, isAfter) = (message["audible"] == true, message["gesture"] == true)
            return [.observe(.media(MediaStart(element, isAudible: isAudible, isAfterGesture: isAfter)))]
        case "moved":
            self.recordChange(message)
            return []
        default: return []
        }
    }

    /// The outcome of each press.
    var taps: TapTracker {
        get { self.navigation.taps }
        set { self.navigation.taps = newValue }
    }

    /// Decides on an attempt, after a ping of the target if needed.
    mutating func decide(_ attempt: NavigationAttempt, in target: EngineTarget?, at now: Duration) -> NavigationDecision
    {
        self.navigation.decide(attempt, in: target, at: now)
    }

    /// Decides on a click that opens no link of its own.
    mutating func click(at now: Duration) -> [StageOutput] { self.navigation.click(at: now) }

    /// Decides on an attempt by the gestures that are known now.
    mutating func decide(_ attempt: NavigationAttempt, at now: Duration) -> NavigationDecision {
        self.navigation.decide(attempt, at: now)
    }

    /// Reports a blocked download.
    static func blockDownload(of url: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.download, Redaction.address(url.excerpt(500)))))]
    }

    /// Whether a URL is http: in a frame of an https page it is mixed content, which the engine blocks without a
    /// request (W3C Mixed Content).
    private static func isHTTP(_ url: String) -> Bool { url.prefix(5).asciiLowercased == "http:" }

    /// Reports the use of an interface that was removed because it bypasses the request rules (WebRTC).
    static func reportRemovedInterface(_ name: String) -> [StageOutput] {
        [.report(.blocked(BlockedAttempt(.other, "\(name.excerpt(60)): not available to ads")))]
    }

    /// Reports speculation rules, which the engine ignores (HTML Living Standard, "Speculative loading").
    private static func reportSpeculationRules(_ rules: String) -> [StageOutput] {
        let text = Redaction.address(rules.excerpt(300))
        return [.report(.blocked(BlockedAttempt(.other, "speculation rules, which load pages ahead: \(text)")))]
    }

    /// Whether an engine loads a URL itself; other schemes would start another app.
    private static func isLoadable(_ url: String) -> Bool {
        let schemes = ["http:", "https:", "about:", "data:", "blob:", "javascript:", "filesystem:"]
        let start = url.prefix(12).asciiLowercased
        return schemes.contains(where: start.hasPrefix)
    }
}
