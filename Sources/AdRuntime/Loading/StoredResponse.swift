package import AdCore

/// A response that was read before, such as that of a file: its ads are loaded without a request.
package struct StoredResponse<Placement: Sendable>: AdProvider {
    /// Parses the response for a placement.
    package typealias Read = @Sendable (Placement, AdContext) throws(AdError) -> OfferBatch

    package let name: ProviderName
    /// The name of the response in errors.
    let document: String
    let read: Read

    package init(_ name: ProviderName, document: String, read: @escaping Read) {
        self.name = name
        self.document = document
        self.read = read
    }

    /// Throws, because nothing is requested.
    package func request(for placement: Placement, in context: AdContext) throws(AdError) -> AdHTTPRequest {
        throw AdError(.invalidRequest, "\(self.document) was read before, and is not requested")
    }

    /// The ads of this response, whatever a server responds.
    package func offers(
        from response: AdHTTPResponse,
        for placement: Placement,
        in context: AdContext
    ) throws(AdError) -> OfferBatch { try self.read(placement, context) }
}
