import AdCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// The longest time limit that is passed to URLSession, in seconds.
    static let longestTimeout: Int64 = 7 * 86_400

    /// Creates the request that URLSession sends.
    static func make(_ request: AdHTTPRequest) -> Result<URLRequest, TransferSessions.Refusal> {
        guard let url = URL(string: PercentEncoding.withoutBrackets(request.url.text)) else {
            return .failure(.unsendable("Foundation holds no such URL"))
        }
        let body = request.sentBody
        guard request.method == .post || body == nil else {
            return .failure(.unsendable("URLSession sends no body with GET; use POST"))
        }
        var made = URLRequest(url: url)
        made.httpMethod = request.method.rawValue
        made.httpShouldHandleCookies = false
        // The exchange has the deadline. This limit starts anew with each byte, and must never pass before.
        let seconds = min(max(0, request.limits.total.components.seconds), URLRequest.longestTimeout)
        made.timeoutInterval = TimeInterval(seconds + 60)
        for field in request.headers.fields where !field.isSetByTransport {
            made.addValue(field.value.trimmed, forHTTPHeaderField: field.name)
        }
        if let body {
            made.httpBody = Data(body)
            // URLSession would declare a form. A body without a type is one of this type (RFC 9110 §8.3).
            if !body.isEmpty, request.headers["Content-Type"] == nil {
                made.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            }
        }
        return .success(made)
    }
}

extension ResponseStart {
    /// Creates the start of an HTTP response; nil for any other.
    init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        let fields = response.allHeaderFields.compactMap { name, value -> (name: String, value: String)? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
        self.init(status: response.statusCode, fields: fields)
    }
}

extension SendEvidence {
    /// Reads the metrics of a transfer; nil if they describe no request, as those of swift-corelibs-foundation.
    init?(_ metrics: URLSessionTaskMetrics) {
        let requests = metrics.transactionMetrics.filter { $0.resourceFetchType != .localCache }
        guard !requests.isEmpty else { return nil }
        self.init(
            wasSent: requests.contains { $0.requestStartDate != nil || $0.countOfRequestHeaderBytesSent > 0 },
            peers: requests.compactMap(\.remoteAddress)
        )
    }
}

extension TransferError {
    /// Reads an error of URLSession.
    init(_ error: any Error) {
        let code = (error as? URLError)?.code ?? .unknown
        self.init(kind: Kind(code), detail: error.localizedDescription)
    }
}

extension TransferError.Kind {
    private static let kinds: [URLError.Code: TransferError.Kind] = [
        .cannotFindHost: .unknownHost, .dnsLookupFailed: .unknownHost,
        .cannotConnectToHost: .noConnection,
        .notConnectedToInternet: .offline, .dataNotAllowed: .offline, .internationalRoamingOff: .offline,
        .callIsActive: .offline,
        .appTransportSecurityRequiresSecureConnection: .forbidden,
        .serverCertificateUntrusted: .untrusted, .serverCertificateHasBadDate: .untrusted,
        .serverCertificateHasUnknownRoot: .untrusted, .serverCertificateNotYetValid: .untrusted,
        .secureConnectionFailed: .secureConnection, .clientCertificateRejected: .secureConnection,
        .clientCertificateRequired: .secureConnection,
        .networkConnectionLost: .lost, .timedOut: .timedOut,
        .cannotParseResponse: .undecodable, .cannotDecodeRawData: .undecodable, .cannotDecodeContentData: .undecodable,
        .badURL: .badURL,
        // All URLs are http or https: swift-corelibs-foundation has this code for a response that is not HTTP.
        .unsupportedURL: hasCorelibs ? .undecodable : .badURL,
        // There it is the code for a connection that the server closed without a response.
        .badServerResponse: hasCorelibs ? .lost : .undecodable,
        .cancelled: .cancelled, .unknown: .unexplained,
    ]

    /// Whether URLSession is that of swift-corelibs-foundation, which uses some codes for other causes.
    private static var hasCorelibs: Bool {
        #if canImport(FoundationNetworking)
            true
        #else
            false
        #endif
    }

    init(_ code: URLError.Code) { self = Self.kinds[code] ?? .other }
}
