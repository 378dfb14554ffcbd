package import AdCore

/// Stands for the server of a document that was read from a file, an address or standard input.
///
/// Providers parse HTTP responses, so the document becomes the response of a host that no network has: RFC 6761 §6.4
/// reserves `.invalid`.
package enum LocalDocument {
    /// The URL of the response.
    package static let url: HTTPURL = {
        guard let url = HTTPURL("http://document.invalid/") else { preconditionFailure("the URL is valid") }
        return url
    }()

    /// The document as an HTTP response.
    package static func response(_ body: [UInt8]) -> AdHTTPResponse {
        AdHTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body, url: self.url)
    }
}
