/// What became of one attempt to deliver a beacon.
public enum DeliveryOutcome: Hashable, Sendable {
    /// It arrived.
    case delivered
    /// It did not arrive and is tried again.
    case retry(at: WallTime, reason: String)
    /// It may have arrived; it is not sent again.
    case unconfirmed(reason: String)
    /// It will never arrive.
    case dead(reason: String)
}

extension DeliveryOutcome {
    /// What an attempt's outcome means for the beacon.
    ///
    /// - Parameters:
    ///   - outcome: What the transport returned.
    ///   - call: The beacon's call.
    ///   - attempt: Which attempt it was, counted from 1.
    ///   - recorded: When the beacon was recorded, by the same calendar as `now`.
    ///   - now: The present.
    ///   - bits: 64 random bits, for the jitter.
    /// - Returns: What is written down about the beacon.
    package static func judged(
        _ outcome: Result<AdHTTPResponse, TransportError>,
        of call: BeaconCall,
        attempt: Int,
        recorded: WallTime,
        now: WallTime,
        bits: UInt64
    ) -> DeliveryOutcome {
        func again(_ reason: String, after least: Duration = .zero) -> DeliveryOutcome {
            let deadline = recorded + call.lifetime
            let next = now + max(least, self.backoff(attempt: attempt, bits: bits))
            guard next <= deadline else {
                return .dead(reason: "\(reason); given up after \(attempt) attempts")
            }
            return .retry(at: next, reason: reason)
        }
        func inDoubt(_ reason: String) -> DeliveryOutcome {
            call.guarantee == .atLeastOnce ? again(reason) : .unconfirmed(reason: reason)
        }

        switch outcome {
        case .success(let response):
            switch (response.status, call.verdict) {
            case (200...299, .errCodeZero): return self.judged(errCode: response.body) ?? inDoubt(self.unreadable)
            case (200...299, .okNotFalse): return self.refused(ok: response.body) ?? .delivered
            case (200, _), (201...299, .success): return .delivered
            case (408, _) where response.redirects > 0, (429, _) where response.redirects > 0,
                (500...599, _) where response.redirects > 0:
                // The first server has answered, and may have counted: it is not asked again.
                let hops = response.redirects == 1 ? "a redirect" : "\(response.redirects) redirects"
                return inDoubt("status \(response.status) after \(hops)")
            case (408, _), (429, _), (500...599, _):
                return again("status \(response.status)", after: self.retryAfter(response.headers, now: now))
            default: return .dead(reason: "status \(response.status)")
            }
        case .failure(let error):
            switch error.phase {
            case .notSent, .cancelled(sent: false): return again(error.message)
            case .ambiguous where self.isCounted(outcome, call): return .delivered
            case .ambiguous, .cancelled(sent: true): return inDoubt(error.message)
            case .tooLarge: return inDoubt(error.message)
            }
        }
    }

    /// Whether the server has answered, with a redirect that nobody can follow, a call that only had to arrive.
    ///
    /// A tracker counts before it redirects to `file://`, `intent://` or `market://`. A POST may have been handed on uncounted (RFC 9110
    /// §15.4.8), and stays in doubt.
    private static func isCounted(_ outcome: Result<AdHTTPResponse, TransportError>, _ call: BeaconCall) -> Bool {
        guard case .failure(let error) = outcome else { return false }
        return error.phase == .ambiguous(.badRedirect) && call.method == .get && call.verdict == .success
    }

    /// What is wrong with an attempt that counts as delivered all the same.
    package static func issue(of outcome: Result<AdHTTPResponse, TransportError>, of call: BeaconCall) -> AdIssue? {
        guard self.isCounted(outcome, call), case .failure(let error) = outcome else { return nil }
        let tracker = Redaction.address(call.address.text.excerpt(200))
        let text =
            "the tracker \(tracker) has answered, and counts as called, but \(error.message); let it answer without a redirect"
        return AdIssue("beacon.redirect", at: .whole, text)
    }

    private static let unreadable = "the answer is no JSON with a number errCode"

    /// What a body means of which `errCode` counts; one that can't be read says nothing either way.
    private static func judged(errCode body: [UInt8]) -> DeliveryOutcome? {
        guard let answer = try? AdJSON(parsing: body), let code = answer["errCode"]?.number else { return nil }
        guard code != 0 else { return .delivered }
        let words = answer["errMsg"]?.string.map { ": " + $0.excerpt(100) } ?? ""
        return .dead(reason: "errCode \(AdJSON.double(code).text())\(words)")
    }

    /// What a body means in which `ok` is false; nil for every other body.
    ///
    /// The server has received the event and refuses it: sent again, the same bytes are refused again.
    private static func refused(ok body: [UInt8]) -> DeliveryOutcome? {
        guard let answer = try? AdJSON.reading(body).json, answer["ok"] == .bool(false) else { return nil }
        let words = (answer["error"] ?? answer["message"])?.string.map { ": " + $0.excerpt(100) } ?? ""
        return .dead(reason: "the server answered ok false\(words)")
    }

    /// One second, doubled with each attempt up to an hour, of which a random half is taken off at most.
    static func backoff(attempt: Int, bits: UInt64) -> Duration {
        let doubled = Duration.seconds(min(3600, 1 << min(max(attempt - 1, 0), 12)))
        return .milliseconds(Int64(Double(doubled.wholeMilliseconds) * Jitter.share(bits)))
    }

    /// What the server asked for, at most six hours: a server can't park a beacon for ever.
    static func retryAfter(_ headers: AdHTTPHeaders, now: WallTime) -> Duration {
        guard let text = headers["Retry-After"]?.trimmed else { return .zero }
        let longest = Duration.seconds(6 * 3600)
        // More digits than a number has are a long time all the same.
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit), Int64(text) == nil { return longest }
        if let seconds = Int64(text) { return min(max(.zero, .seconds(min(seconds, 1 << 40))), longest) }
        guard let date = HTTPDate.wallTime(text) else { return .zero }
        return min(max(.zero, date - now), longest)
    }
}
