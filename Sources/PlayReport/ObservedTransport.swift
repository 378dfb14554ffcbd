package import AdCore
import WebStage

/// A transport that reports each request with its outcome and real times.
package struct ObservedTransport: Transport {
    private let next: any Transport
    private let elapsed: @Sendable () -> Duration
    private let report: @Sendable (ReportRequest, AdID?) -> Void

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - next: Sends the requests.
    ///   - elapsed: The real time since the start of the run.
    ///   - report: Called with each request that is over, and its ad if that is known.
    package init(
        next: any Transport,
        elapsed: @escaping @Sendable () -> Duration,
        report: @escaping @Sendable (ReportRequest, AdID?) -> Void
    ) {
        self.next = next
        self.elapsed = elapsed
        self.report = report
    }

    package func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        // The engine reports the creative's own requests.
        guard request.purpose != .creative else { return try await self.next.send(request) }
        let start = self.elapsed()
        do throws(TransportError) {
            let response = try await self.next.send(request)
            let type = response.headers["Content-Type"]?.prefix { $0 != ";" }
            let outcome = StageRequest.Outcome.answered(
                status: response.status,
                type: type.map { String($0).excerpt(100) },
                bytes: response.body.count
            )
            self.report(request, to: response.url, via: response.hops, since: start, outcome)
            return response
        } catch {
            self.report(request, to: request.url, via: [], since: start, .failed(.other(error.message)))
            throw error
        }
    }

    private func report(
        _ request: AdHTTPRequest,
        to url: HTTPURL,
        via hops: [RequestHop],
        since start: Duration,
        _ outcome: StageRequest.Outcome
    ) {
        self.report(
            ReportRequest(
                purpose: request.purpose,
                method: request.method.rawValue,
                url: Redaction.address(url.text),
                start: start,
                length: self.elapsed() - start,
                redirects: hops.map { ReportRequest.Redirect(url: Redaction.address($0.url.text), status: $0.status) },
                outcome: outcome
            ),
            request.ad
        )
    }
}
