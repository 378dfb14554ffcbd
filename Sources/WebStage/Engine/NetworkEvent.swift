/// An event of a request, with the request's identifier; for a document's request, that is the document's `load`.
package enum NetworkEvent: Hashable, Sendable {
    /// A request was sent. A redirected one is sent again with the same identifier, and with the response that
    /// redirected it.
    case sent(String, url: String?, method: String?, kind: EngineRequest.Kind, redirect: NetworkResponse?)
    /// The head of a response arrived.
    case responded(String, NetworkResponse, kind: EngineRequest.Kind, frame: String?)
    /// A response is complete; its size.
    case finished(String, bytes: Int)
    /// A request failed.
    case failed(String, StageRequest.Failure, kind: EngineRequest.Kind)
    /// A WebSocket was created; the destination if the engine does not resolve its host
    /// (`EngineRequest.unresolvedHost`).
    case socketCreated(String, url: String, unresolvedHost: String? = nil)
    /// A WebSocket was opened.
    case socketOpened(String, NetworkResponse)
    case socketClosed(String)
    /// Bytes of a response or WebSocket arrived.
    case received(String? = nil, bytes: Int)
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
