import AdCore

/// The page that an ad has expanded to: which frame it is in, and what that frame may load.
///
/// Our page asks for it under a name of its own, which leads on to where the ad wanted: whatever the ad asks for at the
/// same time, or has asked for and taken back, has another.
struct SecondPart: Hashable, Sendable {
    /// What becomes of a request for a document.
    enum Verdict: Hashable, Sendable {
        /// It goes on to where the ad wanted.
        case lead(String)
        /// It is the page, or where it was sent on to.
        case load
        /// The page is there, and would be left.
        case stop
    }

    /// Where our page asks for it.
    let name: String
    /// Where the ad wants to go.
    private let address: String
    /// Its frame.
    private(set) var frame: String?
    /// The loading of its document.
    private var load: String?
    var session: DevToolsSession?
    /// Its document is in its frame.
    private(set) var isThere = false
    /// How long it may take.
    static let patience = Duration.seconds(10)

    init(_ address: String, name: String) {
        self.address = address
        self.name = name
    }

    /// Judges a request for a document; nil where it is another frame's.
    mutating func judge(_ request: PausedRequest, page: DevToolsSession) -> Verdict? {
        if self.frame == nil, request.session == page, request.url == self.name {
            self.frame = request.frame
            self.load = request.load
            return .lead(self.address)
        }
        guard request.frame == self.frame else { return nil }
        return request.load == self.load && !self.isThere ? .load : .stop
    }

    /// Hears of its document; true once, when it is there.
    mutating func progressed(_ event: DevToolsEvent) -> Bool {
        guard !self.isThere, event.session == self.session, self.session != nil, let load,
            event.params["loaderId"]?.string == load, event.params["frameId"]?.string == self.frame,
            // What it loads besides is its own affair: it may begin.
            event.params["name"]?.string == "DOMContentLoaded"
        else { return false }
        self.isThere = true
        return true
    }

    /// Why its document does not come; nil where it is about something else.
    func failure(_ event: DevToolsEvent) -> String? {
        guard event.method == "Network.loadingFailed", !self.isThere, let load,
            event.params["requestId"]?.string == load
        else { return nil }
        return event.params["errorText"]?.string ?? "it failed"
    }
}
