import WebStage

/// The requests for documents, to match them with the documents that they result in.
struct DocumentLoads: Hashable, Sendable {
    struct Load: Hashable, Sendable {
        /// The first request of the load.
        let request: String
        /// Nil for a frame that is not known yet.
        let frame: Int?
        fileprivate let url: String
    }

    private var loads: [Load] = []
    /// The requests for documents that were redirected, by frame and by where they lead.
    private var redirected: [Load] = []
    private static let limit = 200

    /// Adds the request for a document; `frame` is nil for a new frame.
    ///
    /// - Returns: The first request of the load: another one if this request follows a redirect.
    mutating func add(_ request: String, url: String, frame: Int?) -> String {
        let url = DocumentLoads.key(url)
        let before = self.redirected.firstIndex { $0.url == url && $0.frame == frame }
        let first = before.map { self.redirected.remove(at: $0).request } ?? request
        self.loads = self.loads.suffix(DocumentLoads.limit - 1)
        self.loads.append(Load(request: first, frame: frame, url: url))
        return first
    }

    /// The load of a document goes on at another address.
    mutating func redirect(_ load: String, to url: String, frame: Int?) {
        self.redirected = self.redirected.suffix(DocumentLoads.limit - 1)
        self.redirected.append(Load(request: load, frame: frame, url: DocumentLoads.key(url)))
    }

    /// Takes the latest load of a document; nil for one without a request, as `about:` and `blob:`.
    mutating func take(url: String, frame: Int) -> Load? {
        let url = DocumentLoads.key(url)
        let found =
            self.loads.lastIndex { $0.url == url && $0.frame == frame }
            ?? self.loads.firstIndex { $0.url == url && $0.frame == nil }
        return found.map { self.loads.remove(at: $0) }
    }

    /// The address without its fragment; a percent sign that begins no code is encoded first in the document's.
    private static func key(_ url: String) -> String { String(url.prefix { $0 != "#" }).replacing("%25", with: "%") }
}
