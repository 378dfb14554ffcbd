import AdCore

/// The page that an ad has expanded to: which frame it is in, and what that frame may load.
struct SecondPart: Hashable, Sendable {
    /// What becomes of a request for a document.
    enum Verdict: Hashable, Sendable {
        /// It is the page, or where it was sent on to.
        case load
        /// The page is there, and would be left.
        case stop
    }

    /// Its frame.
    private(set) var frame: String?
    /// The loading of its document.
    private(set) var load: String?
    var session: DevToolsSession?
    /// Its document is in its frame.
    private(set) var isThere = false

    /// Judges a request for a document; nil where it is another frame's. Only our own page can ask for one in a frame of
    /// its own that is not the creative's.
    mutating func judge(_ request: PausedRequest, page: DevToolsSession, root: String?) -> Verdict? {
        guard request.kind == "Document" else { return nil }
        if self.frame == nil, request.session == page, request.frame != root {
            self.frame = request.frame
            self.load = request.load
        }
        guard request.frame == self.frame else { return nil }
        return request.load == self.load ? .load : .stop
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
