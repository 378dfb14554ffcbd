import AdCore

/// The page that an ad has expanded to: which frame it is in, and what that frame may load.
///
/// Our page requests it under a name of its own, which is redirected to the ad's address: a page that the ad requests at the
/// same time, or has closed again, has another name.
struct SecondPart: Hashable, Sendable {
    /// What becomes of a request for a document.
    enum Verdict: Hashable, Sendable {
        /// It is redirected to the ad's address.
        case redirect(String)
        /// It is for the page, or where that was redirected to.
        case load
        /// The page is there, and would be left.
        case stop
    }

    /// The address under which our page requests it.
    let name: String
    /// The ad's address.
    private let address: String
    /// Its frame.
    private(set) var frame: String?
    /// The identifier of the loading of its document.
    private var load: String?
    var target: EngineTarget?
    /// Its document is in its frame.
    private(set) var hasDocument = false
    /// How long it may take.
    static let loadLimit = Duration.seconds(10)

    init(_ address: String, name: String) {
        self.address = address
        self.name = name
    }

    /// Judges a request for a document; nil where it is another frame's.
    mutating func judge(_ request: EngineRequest, page: EngineTarget) -> Verdict? {
        if self.frame == nil, request.target == page, request.url == self.name {
            self.frame = request.frame
            self.load = request.load
            return .redirect(self.address)
        }
        guard request.frame == self.frame else { return nil }
        return request.load == self.load && !self.hasDocument ? .load : .stop
    }

    /// Follows the loading of its document; true once, when the document was parsed: what it loads besides may still be on
    /// its way.
    mutating func hasProgressed(by event: EngineEvent) -> Bool {
        guard !self.hasDocument, let target, let load, event.target == target,
            case .parsed(let frame, load) = event.kind, frame == self.frame
        else { return false }
        self.hasDocument = true
        return true
    }

    /// Why its document could not be loaded; nil where the event is about something else.
    func failure(_ event: EngineEvent) -> String? {
        guard !self.hasDocument, let load, case .network(.failed(load, let reason, _, _)) = event.kind else {
            return nil
        }
        return reason ?? "it failed"
    }
}
