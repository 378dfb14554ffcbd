import AdCore
import CurlTransport
import SystemSupport

/// Fetches documents; its transport, and with it libcurl, starts with the first one, because most inputs are files.
final class DocumentTransport: Transport {
    private let transport = Locked<CurlTransport?>(nil)

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        try await self.start().send(request)
    }

    private func start() throws(TransportError) -> CurlTransport {
        let result = self.transport.withLock { transport -> Result<CurlTransport, AdSetupError> in
            if let transport { return .success(transport) }
            do throws(AdSetupError) {
                let new = try CurlTransport()
                transport = new
                return .success(new)
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let transport): return transport
        case .failure(let error): throw TransportError(.notSent(.other), error.description)
        }
    }
}
