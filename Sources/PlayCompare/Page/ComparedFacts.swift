import AdCore
import PlayConsole
import PlayReport

/// What is worth reading next to each other of two ads, whether it differs or not.
enum ComparedFacts {
    struct Row: Hashable {
        let name: String
        /// Nil where a run does not have it.
        let a: String?
        let b: String?
    }

    static func rows(_ pair: ComparedPair) -> [Row] {
        let (a, b) = (self.facts(pair.a), self.facts(pair.b))
        return a.indices.compactMap { index in
            let row = Row(name: a[index].name, a: a[index].text, b: b[index].text)
            return row.a == nil && row.b == nil ? nil : row
        }
    }

    /// The facts of an ad, the same ones in the same order for every ad.
    private static func facts(_ ad: ComparedAd) -> [(name: String, text: String?)] {
        func event(_ name: String) -> AdJSON? { ad.events.last { EventKey.name(of: $0) == name } }
        func count(_ names: Set<String>) -> Int { ad.events.count { names.contains(EventKey.name(of: $0)) } }
        func time(_ event: AdJSON?) -> Int? { event?["t"]?.whole() }
        /// The time between two events, in milliseconds.
        func span(_ from: String, _ to: String) -> String? {
            guard let start = time(event(from)), let end = time(event(to)) else { return nil }
            return self.duration(end &- start)
        }
        let used = event("use")
        return [
            ("time to show", span("loaded", "shown")),
            ("first content", event("painted")?["ms"]?.whole().map(self.duration)),
            ("container", event("shown")?["container"]?.string),
            ("layout size", event("shown")?["resolved"]?.string),
            ("rendered size", event("shown")?["rendered"]?.string),
            ("view counted", span("shown", "view").map { "after \($0)" }),
            ("close button", span("shown", "closeAvailable").map { "after \($0)" }),
            ("closed", event("closed")?["reason"]?.string),
            ("beacons delivered", "\(ad.beacons.count { $0.state == "delivered" }) of \(ad.beacons.count)"),
            ("requests", ad.requests.map(self.requests)),
            ("console messages", "\(count(["console"]))"),
            ("script errors", "\(count(["scriptError"]))"),
            ("blocked attempts", "\(count(["blocked"]))"),
            ("processor time", used?["cpu"]?.whole().map(self.duration)),
            ("memory", used?["memory"]?.whole(Int.self).map { Quantity.bytes(max(0, $0)) }),
        ]
    }

    private static func requests(_ requests: [RunRequest]) -> String {
        let bytes = requests.reduce(0) { min($0, 1 << 50) + min(max(0, $1.bytes ?? 0), 1 << 50) }
        return "\(requests.count), \(Quantity.bytes(bytes))"
    }

    /// A number of milliseconds as text.
    static func duration(_ milliseconds: Int) -> String {
        milliseconds.magnitude < 1_000
            ? "\(milliseconds) ms" : "\(AdJSON.double(Double(milliseconds / 10) / 100).text()) s"
    }
}
