/// An event of a request, with the request's identifier; for a document's request, that is the document's `load`.
package enum NetworkEvent: Hashable, Sendable {
    /// A request was sent. A redirected one is sent again with the same identifier, and with the response that
    /// redirected it.
    case sent(String, url: String?, method: String?, kind: String?, redirect: NetworkResponse?)
    /// The head of a response arrived. `kind` is what the request is for, as in `Image`.
    case responded(String, NetworkResponse, kind: String?, frame: String?)
    /// A response is complete; its size.
    case finished(String, bytes: Int)
    /// A request failed; `rule` is the engine's rule that blocked it.
    case failed(String, reason: String?, rule: String?, kind: String?)
    /// A WebSocket was created.
    case socketCreated(String, url: String)
    /// A WebSocket was opened.
    case socketOpened(String, NetworkResponse)
    case socketClosed(String)
    /// Bytes of a response or WebSocket arrived.
    case received(bytes: Int)
}

/// Names in network events and reports.
///
/// They are Chromium's; other engines translate theirs.
enum NetworkName {
    /// The kind of a document.
    static let document = "Document"
    /// The kind of a media file.
    static let media = "Media"
    /// The error of a request that the page has cancelled.
    static let aborted = "net::ERR_ABORTED"
    /// The error of a request that the stage has blocked.
    static let blockedByClient = "net::ERR_BLOCKED_BY_CLIENT"
    /// The rule of a request that the stage has blocked.
    static let blockedByStage = "inspector"
}

/// The head of a response.
package struct NetworkResponse: Hashable, Sendable {
    package let status: Int
    package let type: String?
    package let bytes: Int
    package let url: String?
    /// The IP address of the server; nil if unknown.
    package let address: String?

    package init(status: Int, type: String?, bytes: Int, url: String?, address: String?) {
        self.status = status
        self.type = type
        self.bytes = bytes
        self.url = url
        self.address = address
    }
}
