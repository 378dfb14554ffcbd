/// The outcome of one attempt to deliver a beacon.
public enum DeliveryOutcome: Hashable, Sendable {
    /// The server received it.
    case delivered
    /// The server did not receive it, and it is sent again.
    case retry(at: WallTime, reason: String)
    /// Whether the server received it is unknown; it is not sent again.
    case unconfirmed(reason: String)
    /// It can't be delivered and is given up.
    case dead(reason: String)
}

extension DeliveryOutcome {
    /// Decides from the result of an attempt.
    ///
    /// - Parameters:
    ///   - outcome: The transport's result.
    ///   - call: The beacon's call.
    ///   - attempt: The number of the attempt, from 1.
    ///   - recorded: When the beacon was recorded.
    ///   - now: The current time.
    ///   - bits: 64 random bits, for the jitter.
    /// - Returns: The outcome to record.
    package static func decided(
        _ outcome: Result<AdHTTPResponse, TransportError>,
        of call: BeaconCall,
        attempt: Int,
        recorded: WallTime,
        now: WallTime,
        bits: UInt64
    ) -> DeliveryOutcome {
        func retry(_ reason: String, after minimum: Duration = .zero) -> DeliveryOutcome {
            let deadline = recorded + call.lifetime
            let next = now + max(minimum, BeaconRetry.backoff(attempt: attempt, bits: bits))
            guard next <= deadline else {
                return .dead(reason: "\(reason); given up after \(attempt) attempts")
            }
            return .retry(at: next, reason: reason)
        }
        func unconfirmed(_ reason: String) -> DeliveryOutcome {
            call.guarantee == .atLeastOnce ? retry(reason) : .unconfirmed(reason: reason)
        }

        switch outcome {
        case .success(let response):
            switch (response.status, call.successRule) {
            case (200...299, .errCodeZero): return self.decided(errCode: response.body) ?? unconfirmed(self.unreadable)
            case (200...299, .okNotFalse): return self.refused(ok: response.body) ?? .delivered
            case (200, _), (201...299, .success): return .delivered
            case (408, _) where response.redirects > 0, (429, _) where response.redirects > 0,
                (500...599, _) where response.redirects > 0:
                // The first server answered with a redirect and may have counted the beacon.
                let hops = response.redirects == 1 ? "a redirect" : "\(response.redirects) redirects"
                return unconfirmed("status \(response.status) after \(hops)")
            case (408, _), (429, _), (500...599, _):
                return retry("status \(response.status)", after: BeaconRetry.retryAfter(response.headers, now: now))
            default: return .dead(reason: "status \(response.status)")
            }
        case .failure(let error):
            switch error.phase {
            case .notSent, .cancelled(sent: false): return retry(error.message)
            case .ambiguous where self.isCounted(outcome, call): return .delivered
            case .ambiguous, .cancelled(sent: true): return unconfirmed(error.message)
            case .tooLarge: return unconfirmed(error.message)
            }
        }
    }

    /// Whether the server counted the beacon although its response is a redirect that can't be followed.
    ///
    /// A tracker counts a GET before it redirects to `file://`, `intent://` or `market://`. A POST may have been
    /// redirected without being counted (RFC 9110 §15.4.8), so it stays unconfirmed.
    private static func isCounted(_ outcome: Result<AdHTTPResponse, TransportError>, _ call: BeaconCall) -> Bool {
        guard case .failure(let error) = outcome else { return false }
        return error.phase == .ambiguous(.badRedirect) && call.method == .get && call.successRule == .success
    }

    /// The issue of an attempt that counts as delivered in spite of an invalid redirect.
    package static func issue(of outcome: Result<AdHTTPResponse, TransportError>, of call: BeaconCall) -> AdIssue? {
        guard self.isCounted(outcome, call), case .failure(let error) = outcome else { return nil }
        let tracker = Redaction.address(call.address.text.excerpt(200))
        let text =
            "the tracker \(tracker) counts as delivered, but \(error.message); remove the redirect"
        return AdIssue("beacon.redirect", at: .whole, text)
    }

    private static let unreadable = "the response has no JSON number errCode"

    /// The outcome by the body's `errCode`; nil if the body has none.
    private static func decided(errCode body: [UInt8]) -> DeliveryOutcome? {
        guard let json = try? AdJSON(parsing: body), let code = json["errCode"]?.number else { return nil }
        guard code != 0 else { return .delivered }
        let message = json["errMsg"]?.string.map { ": " + $0.excerpt(100) } ?? ""
        return .dead(reason: "errCode \(AdJSON.double(code).text())\(message)")
    }

    /// `dead` for a body in which `ok` is false; nil for every other body.
    ///
    /// The server has received the event and refuses it, and would refuse the same bytes again.
    private static func refused(ok body: [UInt8]) -> DeliveryOutcome? {
        guard let json = try? AdJSON.reading(body).json, json["ok"] == .bool(false) else { return nil }
        let message = (json["error"] ?? json["message"])?.string.map { ": " + $0.excerpt(100) } ?? ""
        return .dead(reason: "the server answered ok false\(message)")
    }
}
