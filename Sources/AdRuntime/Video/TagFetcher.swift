package import AdCore
package import AdMarkup

/// Fetches and parses a VAST document; failures have their error codes (VAST 4.3 §2.3.6.3).
package struct TagFetcher: Sendable {
    private let transport: any Transport
    private let headers: AdHTTPHeaders
    private let limits: VASTChainLimits
    /// Returns the time that is left for all requests; nil for no limit.
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

    private static let fix = "check the ad tag URI"

    /// Fetches a document; a successful response without a body, as 204 (RFC 9110 §15.3.5), is a document without ads.
    package func fetch(_ url: HTTPURL) async -> Result<(document: VASTDocument, from: HTTPURL), VASTError> {
        // A computed variable, because only failures need it.
        var address: String { Redaction.address(url.text) }
        let timeout = min(self.limits.hopTime, self.timeLeft() ?? self.limits.hopTime)
        guard timeout > .zero else {
            return .failure(VASTError(301, "no time was left to request \(address); use a longer load timeout"))
        }
        var request = AdHTTPRequest(.get, url, headers: self.headers)
        request.purpose = .wrapper
        request.limits.total = timeout
        request.limits.connecting = min(timeout, request.limits.connecting)
        request.limits.body = VASTLimits.standard.bytes
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await self.transport.send(request)
        } catch {
            let text = "\(address) can't be fetched: \(error.message)"
            return .failure(
                error.phase == .tooLarge ? VASTError(100, text) : VASTError(301, "\(text); \(TagFetcher.fix)")
            )
        }
        switch response.status {
        case 200...203 where response.body.contains(where: { $0 > 0x20 }): break
        case 200...299: return .success((VASTDocument.empty, response.url))
        default:
            return .failure(VASTError(301, "\(address) responded with status \(response.status); \(TagFetcher.fix)"))
        }
        do throws(VASTError) {
            return .success((try VASTDocument(parsing: response.body), response.url))
        } catch {
            let kind = MarkupKind(sniffing: response.body)
            let isOther = kind == .html || kind == .json || kind == .text || kind == .binary
            let format = isOther ? "\(kind)" : "a damaged document"
            let text = "\(address) responded with \(format), expected VAST: \(error.message)"
            return .failure(VASTError(error.code, text, line: error.line))
        }
    }
}
