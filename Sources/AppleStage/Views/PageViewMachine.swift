import AdCore
import WebStage

/// The decisions of a provider's page in a web view, as `PageMachine` makes them for a browser engine.
///
/// The page may navigate within its origin and sends messages to the app. Every other navigation needs a user's gesture, and
/// is reported to the ad as a click instead; one gesture opens one link.
struct PageViewMachine: Hashable, Sendable {
    /// Something that happens to the page.
    enum Input: Hashable, Sendable {
        /// The main frame has this URL.
        case committed(String)
        /// The main frame is loaded.
        case loaded
        case failed(String)
        /// The status of the main frame's response.
        case responded(status: Int)
        case processEnded
        case message(String, isMainFrame: Bool)
        /// The user lifted a finger from the page.
        case touched(TapPoint)
        case blocked(BlockedAttempt)
        case reveal
        case fadeEnded
        case measured(Double)
        case post(String)
        /// The user pressed the close button, or made the gesture of VoiceOver for it.
        case closePressed
        /// The app took the page's view away.
        case gone
        case close
    }

    /// What the web view does.
    enum Action: Hashable, Sendable {
        case report(StageEvent)
        /// Calls `window.postMessage` with this argument.
        case post(String)
        case fadeIn
        /// The page can't be shown: `present` throws.
        case fail(StageError)
        case end
    }

    /// An attempt to load a document.
    struct Navigation: Hashable, Sendable {
        let url: String
        /// Where: the whole page, a frame in it, or a new window.
        let target: Target

        enum Target: Hashable, Sendable {
            case page
            case frame
            case window
        }
    }

    enum Phase: Hashable, Sendable {
        case loading
        case ready
        case revealed
        case ended
    }

    /// The most bytes of a message to the app.
    static let messageLimit = 1 << 20

    private(set) var phase = Phase.loading
    /// Whether its process has ended: then nothing of it is visible, and its messages are late.
    private(set) var hasCrashed = false
    /// The origin of the page; nil until its first document is committed.
    private var origin: String?
    private var gestures = UserActivation()
    private var lastTouch: TapPoint?
    private var hasFaded = false
    private var share = 0.0
    private var reported = 0.0

    /// Handles an input, and returns what follows.
    mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        guard self.phase != .ended else { return [] }
        switch input {
        case .committed, .loaded, .failed, .responded, .processEnded: return self.handleLoading(input)
        case .reveal, .fadeEnded, .measured: return self.handleView(input)
        case .message(let text, let isMainFrame): return self.handle(message: text, isMainFrame: isMainFrame)
        case .touched(let place):
            self.lastTouch = place
            self.gestures.handle(UserGesture("pointerup", isTouch: true), at: now)
            return []
        case .blocked(let attempt): return [.report(.blocked(attempt))]
        case .post(let text): return self.hasCrashed ? [] : [.post(text)]
        case .closePressed: return self.phase == .revealed ? [.report(.closeRequested(by: .user))] : []
        case .gone:
            self.phase = .ended
            return [.report(.gone), .end]
        case .close:
            self.phase = .ended
            return [.end]
        }
    }

    private mutating func handleLoading(_ input: Input) -> [Action] {
        switch input {
        case .committed(let url): self.origin = HTTPURL(url)?.origin ?? self.origin
        case .loaded where self.phase == .loading && self.origin != nil:
            self.phase = .ready
            return [.report(.ready)]
        case .responded(let status) where self.phase == .loading && status >= 400:
            return self.fail("its server responded with status \(status)")
        case .failed(let reason) where self.phase == .loading: return self.fail("the page did not load: \(reason)")
        case .failed(let reason):
            return [.report(.diagnostic(.requestFailed(FailedRequest(url: self.origin ?? "", reason: reason))))]
        case .processEnded where self.phase == .loading: return self.fail("the page crashed")
        case .processEnded where !self.hasCrashed:
            self.hasCrashed = true
            return self.visible() + [.report(.crashed("the page crashed"))]
        default: break
        }
        return []
    }

    /// Whether an error of the web view says only that a navigation was stopped, by this side or by the next one.
    static func isCancellation(domain: String, code: Int) -> Bool {
        switch domain {
        // NSURLErrorCancelled
        case "NSURLErrorDomain": code == -999
        // "Frame load interrupted": a decision of `decide`, or a download.
        case "WebKitErrorDomain": code == 102
        default: false
        }
    }

    private mutating func fail(_ reason: String) -> [Action] {
        self.phase = .ended
        return [.fail(StageError(reason)), .end]
    }

    private mutating func handleView(_ input: Input) -> [Action] {
        switch input {
        case .reveal where self.phase == .ready:
            self.phase = .revealed
            return [.fadeIn, .report(.revealed)]
        case .fadeEnded: self.hasFaded = self.phase == .revealed
        case .measured(let share): self.share = share.isNaN ? 0 : min(max(share, 0), 1)
        default: break
        }
        return self.visible()
    }

    /// Reports a changed share; a page that fades in, or has crashed, is not visible.
    private mutating func visible() -> [Action] {
        let share = self.phase == .revealed && self.hasFaded && !self.hasCrashed ? self.share : 0
        guard share != self.reported else { return [] }
        self.reported = share
        return [.report(.visible(ratio: share))]
    }

    /// Handles a message to the app, which only the page's main frame may send.
    private func handle(message text: String, isMainFrame: Bool) -> [Action] {
        guard !self.hasCrashed else { return [] }
        guard isMainFrame else {
            return [.report(.blocked(BlockedAttempt(.other, "a nested frame sent a message to the app")))]
        }
        let length = text.utf8.count
        guard length <= PageViewMachine.messageLimit else {
            return [.report(.blocked(BlockedAttempt(.other, "the page sent a message of \(length) bytes")))]
        }
        return [.report(.message(text))]
    }

    // MARK: Navigations

    /// Whether the web view may load a document, and what follows.
    mutating func decide(_ navigation: Navigation, at now: Duration) -> (isAllowed: Bool, actions: [Action]) {
        guard self.phase != .ended, !self.hasCrashed else { return (false, []) }
        let address = HTTPURL(navigation.url)
        switch navigation.target {
        // Redirects of the first document lead to its origin.
        case .page where self.origin == nil && address != nil: return (true, [])
        case .page where address != nil && address?.origin == self.origin: return (true, [])
        case .frame where address != nil || PageViewMachine.isInner(navigation.url): return (true, [])
        case .page, .frame, .window: return (false, self.open(navigation, at: now))
        }
    }

    /// Whether a frame's document comes from the page itself.
    private static func isInner(_ url: String) -> Bool {
        ["about:", "data:", "blob:"].contains { url.lowercased().hasPrefix($0) }
    }

    /// A link out of the page: a click if a user's gesture has led to it.
    private mutating func open(_ navigation: Navigation, at now: Duration) -> [Action] {
        guard let link = ClickThroughURL(navigation.url) else {
            return [self.refuse(navigation, "which can't be opened")]
        }
        switch self.gestures.consume(for: navigation.url, at: now) {
        case .unused: return [.report(.click(link, byUser: true, at: self.lastTouch))]
        // The same press has opened it already: a link and its script, for example.
        case .sameLink: return []
        case nil: return [self.refuse(navigation, "without a user's gesture of its own")]
        }
    }

    private func refuse(_ navigation: Navigation, _ reason: String) -> Action {
        let kind: BlockedAttempt.Kind = navigation.target == .window ? .popup : .navigation
        let shown = Redaction.address(navigation.url.excerpt(500))
        return .report(.blocked(BlockedAttempt(kind, "\(shown), \(reason)")))
    }
}
