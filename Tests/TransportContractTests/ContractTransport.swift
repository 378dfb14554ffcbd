import AdCore
import Testing
import TransportSupport

@testable import CurlTransport
@testable import URLSessionTransport

/// The transports that keep the contract.
enum TransportKind: String, CaseIterable, CustomTestStringConvertible {
    case curl, urlSession

    /// Whether it is URLSession over swift-corelibs-foundation, which lacks parts of Apple's.
    var hasCorelibs: Bool {
        #if canImport(FoundationNetworking)
            self == .urlSession
        #else
            false
        #endif
    }

    /// Creates a transport with a limit of concurrent requests to one origin, and with addresses that are treated as
    /// public.
    func transport(perHost: Int = 6, allowing allowed: [String] = []) throws -> ContractTransport {
        let addresses = Set(try allowed.map { try #require(IPAddress(text: $0)) })
        switch self {
        case .curl:
            var configuration = CurlTransport.Configuration()
            configuration.connectionsPerHost = perHost
            configuration.additionalPublicAddresses = addresses
            let transport = try CurlTransport(configuration)
            return ContractTransport(transport: transport) { transport.shutDown() }
        case .urlSession:
            var configuration = URLSessionTransport.Configuration()
            configuration.connectionsPerHost = perHost
            configuration.additionalPublicAddresses = addresses
            let transport = URLSessionTransport(configuration)
            return ContractTransport(transport: transport) { transport.shutDown() }
        }
    }

    var testDescription: String { self.rawValue }
}

/// A transport, and how it is shut down.
struct ContractTransport {
    let transport: any Transport
    let shutDown: @Sendable () -> Void

    /// Sends a request.
    func outcome(_ request: AdHTTPRequest) async -> Result<AdHTTPResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await self.transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request that succeeds.
    func response(_ request: AdHTTPRequest) async throws -> AdHTTPResponse { try await self.outcome(request).get() }

    /// Sends a request that fails; nil if it succeeds.
    func failure(_ request: AdHTTPRequest) async -> TransportError? {
        if case .failure(let error) = await self.outcome(request) { error } else { nil }
    }

    /// How far a request that fails came; nil if it succeeds.
    func phase(_ request: AdHTTPRequest) async -> TransportError.Phase? { await self.failure(request)?.phase }
}

extension HTTPURL {
    /// A URL of a test.
    static func test(_ text: String) throws -> HTTPURL { try #require(HTTPURL(text)) }
}
