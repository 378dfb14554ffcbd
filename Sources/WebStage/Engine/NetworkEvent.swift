/// What an engine reports of its requests, under an identifier for each; that of a request for a document is the document's
/// `load`.
package enum NetworkEvent: Hashable, Sendable {
    /// A request is sent. One that was redirected is sent again under its identifier, with the response that redirected it.
    case sent(String, url: String?, method: String?, kind: String?, redirect: NetworkResponse?)
    /// A response has begun. `kind` is what it is for, as in `Image`, and `frame` is where.
    case responded(String, NetworkResponse, kind: String?, frame: String?)
    /// A response has ended, after so many bytes.
    case finished(String, bytes: Int)
    /// A request failed; the rule of the engine that blocked it, where one did.
    case failed(String, reason: String?, rule: String?, kind: String?)
    /// A socket was created.
    case socketCreated(String, url: String)
    /// A socket was opened.
    case socketOpened(String, NetworkResponse)
    case socketClosed(String)
    /// So many bytes of a response or of a socket came.
    case received(bytes: Int)
}

/// The names that engines use in network events and reports print: Chromium's, which other engines translate theirs to.
enum NetworkName {
    /// What a whole document is requested for.
    static let document = "Document"
    /// What a media file is requested for.
    static let media = "Media"
    /// The reason of a request that its page gave up.
    static let aborted = "net::ERR_ABORTED"
    /// The reason of a request that the stage blocked.
    static let blockedByClient = "net::ERR_BLOCKED_BY_CLIENT"
    /// The rule of a request that the stage blocked.
    static let blockedByStage = "inspector"
}

/// The head of a response.
package struct NetworkResponse: Hashable, Sendable {
    package let status: Int
    package let type: String?
    package let bytes: Int
    package let url: String?
    /// The address of the machine that responded, where the engine reports it.
    package let address: String?

    package init(status: Int, type: String?, bytes: Int, url: String?, address: String?) {
        self.status = status
        self.type = type
        self.bytes = bytes
        self.url = url
        self.address = address
    }
}
