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
        var request = request
        switch request.purpose {
        case .tag, .load, .wrapper, .media:
            if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = self.userAgent }
        case .creative, .beacon: break
        }
        guard [.tag, .load, .wrapper].contains(request.purpose) else { return try await self.next.send(request) }
        // A wrapper leads to another server, which must not get the headers and cookies.
        if request.purpose != .wrapper {
            for field in self.simulation.headers { request.headers[field.name] = field.value }
            request.secretHeaders += self.simulation.headers.map(\.name)
        }
        let macros = self.simulation.macros
        if !macros.isEmpty {
            let filled = macros.filled(url: request.url.text)
            guard let url = HTTPURL(filled) else {
                let shown = Redaction.address(filled.excerpt(300))
                throw TransportError(.notSent(.noAddress), "with the values of --macro it is no URL: \(shown)")
            }
            request.url = url
        }
        var response: AdHTTPResponse
        do throws(TransportError) {
            response = try await self.next.send(request)
        } catch {
            self.documents?.addFailure(request.url, error.message)
            throw error
        }
        response.body = macros.filled(response.body)
        let name = Redaction.address(response.url.text)
        self.documents?.add(response.body, from: response.url, called: name, for: request.purpose)
        return response
    }
}
