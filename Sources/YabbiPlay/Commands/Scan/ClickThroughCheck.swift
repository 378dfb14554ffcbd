import AdCore
import CurlTransport
import PlayScan

/// Follows a click-through URL to the landing page.
enum ClickThroughCheck {
    /// Requests the URL as a browser would, and reads only the status of the page.
    ///
    /// A creative may name any server, so this computer and its network are not requested, except for servers that the
    /// user allows.
    static func follow(_ url: ClickThroughURL, _ services: ScanServices) async -> LandingPage? {
        // Other apps' schemes are opened by the app.
        guard let address = HTTPURL(url.text) else { return nil }
        let isAllowed = services.allowedHosts.contains { $0.origin == address.origin }
        var request = AdHTTPRequest(
            .get,
            address,
            headers: ["User-Agent": services.userAgent, "Accept": "text/html,*/*;q=0.8"],
            limits: .init(total: services.settings.timeout, body: 64 << 10, excess: .discard, redirects: 20),
            reach: isAllowed ? .anywhere : .publicOnly
        )
        request.purpose = .creative
        do throws(TransportError) {
            let response = try await services.browser.transport.send(request)
            let hops = response.hops.map { Redaction.address($0.url.text) } + [Redaction.address(response.url.text)]
            return .reached(status: response.status, host: response.url.host, hops: hops)
        } catch {
            return .failed("\(Redaction.address(address.text)): \(error.message)")
        }
    }
}
