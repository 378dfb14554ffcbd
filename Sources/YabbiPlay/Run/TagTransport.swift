import AdCore
import PlayConsole

/// Fills the values of macros into the addresses and documents of tags, and adds the headers of the command line.
struct TagTransport: Transport {
    let next: any Transport
    let simulation: SimulationOptions
    /// The `User-Agent` of requests that have none.
    let userAgent: String
    /// Keeps the documents; nil if nothing reads them.
    var documents: DocumentLog?

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        switch request.purpose {
        case .tag, .load, .wrapper: break
        case .media, .creative, .beacon: return try await self.next.send(request)
        }
        var request = request
        if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = self.userAgent }
        // A wrapper is another server's, which gets neither headers nor cookies.
        if request.purpose != .wrapper {
            for field in self.simulation.headers { request.headers[field.name] = field.value }
            request.secretHeaders += self.simulation.headers.map(\.name)
        }
        let macros = self.simulation.macros
        if !macros.isEmpty, let url = HTTPURL(macros.filled(url: request.url.text)) { request.url = url }
        var response = try await self.next.send(request)
        response.body = macros.filled(response.body)
        let name = Redaction.address(response.url.text)
        self.documents?.add(response.body, from: response.url, called: name, for: request.purpose)
        return response
    }
}
