/// Limits the number of messages that an engine reads of each target, with a token bucket (`burst`, then `rate` per
/// second).
///
/// An engine calls it for each message of a target before it parses the message, so that a flood costs little. A long
/// message counts as several. Messages beyond the limit are dropped unread. The engine reports a flood (`EngineFlood`)
/// when it starts, and with the number of dropped messages when it persists or is over. A flood persists if a full
/// second after the first one has more than `rate` messages, so that the rest of a burst does not count.
package struct FloodMeter: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package enum Decision: Hashable, Sendable {
        case read
        case drop
        /// Drop it, and report the flood.
        case report(EngineFlood)
        /// Report the flood, then read it.
        case readAfter(EngineFlood)
    }

    private struct Bucket {
        var tokens: Double
        var filled: Instant
        var dropped = 0
        /// The start of the flood; nil for none.
        var since: Instant?
        /// The current second of the flood, from 0, and the number of messages in it.
        var second = 0
        var load = 0.0
        var hasLasted = false
    }

    /// The capacity of a bucket; a creative with several hundred requests needs half of it.
    static let burst = 6_000.0
    /// The sustained number of messages per second.
    static let rate = Double(EngineFlood.rate)
    /// A message counts once more for each of this many bytes.
    static let bytes = 4_096
    /// The maximum size that counts for a message about a `data:` URL, which no machine handles.
    package static let inlineByteLimit = 64 << 10

    private static let minCapacity = 1_000
    /// The number of buckets from which full ones are removed.
    private var capacity = FloodMeter.minCapacity

    private var buckets: [EngineTarget: Bucket] = [:]

    package init() {}

    /// Decides on the next message of a target.
    package mutating func admit(_ target: EngineTarget, bytes: Int, at now: Instant) -> Decision {
        if self.buckets[target] == nil { self.forgetFull(at: now) }
        var bucket = self.buckets[target] ?? Bucket(tokens: FloodMeter.burst, filled: now)
        defer { self.buckets[target] = bucket }
        let seconds = max(0, (now - bucket.filled) / .seconds(1))
        bucket.tokens = min(FloodMeter.burst, bucket.tokens + seconds * FloodMeter.rate)
        bucket.filled = now
        let price = 1 + Double(bytes / FloodMeter.bytes)
        guard let since = bucket.since else {
            guard bucket.tokens < price else {
                bucket.tokens -= price
                return .read
            }
            (bucket.since, bucket.second, bucket.load, bucket.dropped) = (now, 0, price, 1)
            return .report(.started)
        }
        // A target is read again only after it was quiet for a second.
        if bucket.tokens >= FloodMeter.rate {
            bucket.tokens -= min(price, bucket.tokens)
            (bucket.since, bucket.hasLasted) = (nil, false)
            return .readAfter(.ended(dropped: bucket.dropped))
        }
        bucket.tokens = max(0, bucket.tokens - price)
        bucket.dropped += 1
        let second = Int(min(max(0, (now - since) / .seconds(1)), 1e9))
        guard second > bucket.second else {
            bucket.load += price
            return .drop
        }
        // A second without messages in between ends the streak.
        let lasts = bucket.second > 0 && second == bucket.second + 1 && bucket.load > FloodMeter.rate
        (bucket.second, bucket.load) = (second, price)
        guard lasts, !bucket.hasLasted else { return .drop }
        bucket.hasLasted = true
        return .report(.persists(dropped: bucket.dropped))
    }

    /// Removes full buckets: a new one has as many tokens.
    private mutating func forgetFull(at now: Instant) {
        guard self.buckets.count >= self.capacity else { return }
        let filling = Duration.seconds(FloodMeter.burst / FloodMeter.rate)
        self.buckets = self.buckets.filter { $0.value.since != nil || now - $0.value.filled < filling }
        self.capacity = max(FloodMeter.minCapacity, 2 * self.buckets.count)
    }
}
