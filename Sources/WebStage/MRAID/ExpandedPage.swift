import AdCore

/// The page of a two-part creative (MRAID 3.0 §5.8, `expand` with a URL): its frame, and what that frame may load.
///
/// The host page requests it under a unique name, which is redirected to the ad's URL. The name distinguishes pages
/// that the ad has opened at the same time or closed again.
struct ExpandedPage: Hashable, Sendable {
    /// The decision on a request for a document.
    enum Decision: Hashable, Sendable {
        /// Redirect the host page's request to the ad's URL.
        case redirect(String)
        /// Load it: it is the page, or a redirect of it.
        case load
        /// Refuse it: the page is loaded, and would navigate away.
        case stop
    }

    /// The URL under which the host page requests it.
    let name: String
    /// The ad's URL.
    private let address: String
    private(set) var frame: String?
    /// The engine's identifier of the document's load.
    private var load: String?
    var target: EngineTarget?
    /// Whether its document is parsed.
    private(set) var hasDocument = false
    /// How long its document may take.
    static let loadLimit = Duration.seconds(10)

    init(_ address: String, name: String) {
        self.address = address
        self.name = name
    }

    /// Decides on a request for a document; nil for other frames.
    mutating func decide(_ request: EngineRequest, page: EngineTarget) -> Decision? {
        if self.frame == nil, request.target == page, request.url == self.name {
            self.frame = request.frame
            self.load = request.load
            return .redirect(self.address)
        }
        guard request.frame == self.frame else { return nil }
        return request.load == self.load && !self.hasDocument ? .load : .stop
    }

    /// Follows the load of its document; true once, when the document is parsed.
    ///
    /// Subresources may still be loading.
    mutating func handleLoad(_ event: EngineEvent) -> Bool {
        guard !self.hasDocument, let target, let load, event.target == target,
            case .parsed(let frame, load) = event.kind, frame == self.frame
        else { return false }
        self.hasDocument = true
        return true
    }

    /// Whether another document has replaced its own: `data:`, `blob:` and `about:` pages are loaded without a request
    /// that could be refused.
    func isReplaced(by document: EngineDocument, in target: EngineTarget?) -> Bool {
        self.hasDocument && target != nil && target == self.target && document.frame == self.frame
            && document.load != self.load
    }

    /// Why its document could not be loaded; nil for other events.
    func failure(_ event: EngineEvent) -> String? {
        guard !self.hasDocument, let load, case .network(.failed(load, let failure, _)) = event.kind else { return nil }
        return failure.reason(for: self.address)
    }
}
