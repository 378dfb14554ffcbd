import AdCore
import PlayConsole
import PlayReport

/// Compares the requests of two ads by method and URL: their number, outcomes, types and sizes.
///
/// Requests that deliver beacons are compared as trackers.
struct RequestComparison {
    private let pair: ComparedPair

    init(_ pair: ComparedPair) { self.pair = pair }

    /// A size changed if it did by more than a fifth of the smaller one, and by more than this.
    static let minBytes = 10_000

    var differences: [RunDifference] {
        if let a = self.pair.a.requests, let b = self.pair.b.requests { return self.differences(a, b) }
        // Those that are events are compared; a trace of an earlier version has none.
        let a = RequestComparison.fetches(in: self.pair.a.events)
        let b = RequestComparison.fetches(in: self.pair.b.events)
        return a.isEmpty || b.isEmpty ? [] : self.differences(a, b)
    }

    private func differences(_ a: [RunRequest], _ b: [RunRequest]) -> [RunDifference] {
        let groups = SideBySide.groups(a.filter { !$0.deliversBeacon }, b.filter { !$0.deliversBeacon }) {
            [$0.method, self.pair.normalization.url($0.url)]
        }
        return groups.compactMap { group in
            guard self.differ(group) else { return nil }
            return self.pair.difference(
                .request,
                group.key.joined(separator: " "),
                a: RequestComparison.text(group.a),
                b: RequestComparison.text(group.b)
            )
        }
    }

    private func differ(_ group: SideBySide<RunRequest>) -> Bool {
        guard group.a.map(\.outcomeClass).sorted() == group.b.map(\.outcomeClass).sorted() else { return true }
        let (a, b) = (RequestComparison.size(group.a), RequestComparison.size(group.b))
        guard let a, let b else { return false }
        let change = a.magnitude > b.magnitude ? a - b : b - a
        return change > RequestComparison.minBytes && change > min(a, b) / 5
    }

    /// The bytes of all responses; nil if none is known.
    private static func size(_ requests: [RunRequest]) -> Int? {
        let sizes = requests.compactMap(\.bytes)
        // The report page may come from anyone, with any numbers.
        return sizes.isEmpty ? nil : sizes.reduce(0) { min($0, 1 << 50) + min($1, 1 << 50) }
    }

    private static func text(_ requests: [RunRequest]) -> String? {
        let outcomes = Times.list(requests.map(\.outcome))
        return outcomes.map { $0 + (self.size(requests).map { ", \(Quantity.bytes($0))" } ?? "") }
    }

    /// The requests that are events, in a trace that has no others.
    private static func fetches(in events: [AdJSON]) -> [RunRequest] {
        events.filter { EventKey.role(of: EventKey.name(of: $0)) == .request }.map { event in
            let what = event["what"]?.string ?? ""
            return RunRequest(
                event["method"]?.string ?? "GET",
                event["url"]?.string ?? "",
                kind: what == "beacon" ? RunRequest.beaconKind : what,
                initiator: what == "creative" ? .creative : .runtime,
                start: 0,
                duration: 0,
                status: event["status"]?.whole(),
                type: event["type"]?.string,
                bytes: event["bytes"]?.whole(Int.self).flatMap { $0 < 0 ? nil : $0 },
                error: event["reason"]?.string
            )
        }
    }
}

extension RunRequest {
    /// Whether the runtime sent it to deliver a beacon.
    fileprivate var deliversBeacon: Bool { self.initiator == .runtime && self.kind == RunRequest.beaconKind }

    /// What decides whether two outcomes are the same: the class of the status and the type, or the kind of failure.
    fileprivate var outcomeClass: String {
        if let error = self.error {
            let kind = error.prefix { $0 != ":" }
            return kind == "blocked" || kind == "cancelled" ? String(kind) : "failed"
        }
        return "\(self.status.map { "\($0 / 100)xx" } ?? "-") \(self.type?.asciiLowercased ?? "")"
    }

    /// The outcome as text, as in `200 image/png`.
    fileprivate var outcome: String {
        if let error = self.error { return self.outcomeClass == "failed" ? "failed: \(error)" : error }
        return ([self.status.map { "\($0)" } ?? "no status"] + [self.type].compactMap(\.self)).joined(separator: " ")
    }
}
