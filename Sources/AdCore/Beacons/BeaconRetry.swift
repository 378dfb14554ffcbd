/// When a beacon is sent again that was not accepted.
enum BeaconRetry {
    /// The pause before the next attempt: one second, doubled with each attempt up to an hour, with random jitter.
    static func backoff(attempt: Int, bits: UInt64) -> Duration {
        let doubled = Duration.seconds(min(3600, 1 << min(max(attempt - 1, 0), 12)))
        return .milliseconds(Int64(Double(doubled.wholeMilliseconds) * Jitter.share(bits)))
    }

    /// The value of `Retry-After` (RFC 9110 §10.2.3), cut to six hours so that a server can't delay a beacon for ever.
    static func retryAfter(_ headers: AdHTTPHeaders, now: WallTime) -> Duration {
        guard let text = headers["Retry-After"]?.trimmed else { return .zero }
        let longest = Duration.seconds(6 * 3600)
        // A number too large for `Int64` still means a long time.
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit), Int64(text) == nil { return longest }
        if let seconds = Int64(text) { return min(max(.zero, .seconds(min(seconds, 1 << 40))), longest) }
        guard let date = HTTPDate.wallTime(text) else { return .zero }
        return min(max(.zero, date - now), longest)
    }
}
