package import AdCore
package import AdMarkup

/// Asks a server for VAST, and says by the codes of VAST why there is none.
package struct TagFetcher: Sendable {
    private let transport: any Transport
    private let headers: AdHTTPHeaders
    private let limits: VASTChainLimits
    /// How much time is left for all that is asked; nil for any.
    private let timeLeft: @Sendable () -> Duration?

    package init(
        _ transport: any Transport,
        headers: AdHTTPHeaders,
        limits: VASTChainLimits = .standard,
        timeLeft: @escaping @Sendable () -> Duration? = { nil }
    ) {
        self.transport = transport
        self.headers = headers
        self.limits = limits
        self.timeLeft = timeLeft
    }

    /// Asks an address; an answer without a body is an answer without an ad.
    package func fetch(_ url: HTTPURL) async -> Result<(document: VASTDocument, from: HTTPURL), VASTError> {
        // Only a failure is told.
        var address: String { Redaction.address(url.text) }
        let patience = min(self.limits.hopTime, self.timeLeft() ?? self.limits.hopTime)
        guard patience > .zero else {
            return .failure(VASTError(301, "no time was left to ask \(address); allow the load more time"))
        }
        var request = AdHTTPRequest(.get, url, headers: self.headers)
        request.limits.total = patience
        request.limits.connecting = min(patience, request.limits.connecting)
        request.limits.body = VASTLimits.standard.bytes
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await self.transport.send(request)
        } catch {
            return .failure(
                VASTError(error.phase == .tooLarge ? 100 : 301, "\(address) brought no VAST: \(error.message)")
            )
        }
        switch response.status {
        case 200...203 where response.body.contains(where: { $0 > 0x20 }): break
        case 200...299: return .success((VASTDocument.empty, response.url))
        default: return .failure(VASTError(301, "\(address) answered with status \(response.status)"))
        }
        do throws(VASTError) {
            return .success((try VASTDocument(parsing: response.body), response.url))
        } catch {
            let kind = MarkupKind(sniffing: response.body)
            let isForeign = kind == .html || kind == .json || kind == .text || kind == .binary
            let text = "\(address) did not answer with VAST\(isForeign ? " but with \(kind)" : ""): \(error.message)"
            return .failure(VASTError(error.code, text, line: error.line))
        }
    }
}
