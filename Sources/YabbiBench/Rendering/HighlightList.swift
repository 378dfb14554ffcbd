extension Highlight {
    /// The most important figures, in the README's order.
    static let all = [
        Highlight(
            "A file inspected by the command, from its start",
            "start",
            "yabbi-play inspect, from its start to its end"
        ),
        Highlight("A load with 4 KB of markup", "load", "load", at: 4_000),
        Highlight("Five wrappers resolved to their ad", "chain", "chain resolved", at: 5),
        Highlight("A VAST document with ten ads parsed", "parse", "VAST parsed", at: 10),
        Highlight("The same document linted", "lint", "VAST linted", at: 10),
        Highlight(
            "The peak memory of parsing 1,000 ads (1.7 MB)",
            "parse-memory",
            "peak memory of parsing",
            at: 1_000
        ),
        Highlight("A feed of 100 cards parsed", "cards", "feed parsed", at: 100),
        Highlight("A load from the offer cache", "cards", "load from the cache", at: 100),
        Highlight("An auction of five bidders, compared with the slowest bidder", "auction", "an auction", at: 5),
        Highlight("An ad handed out by a pool, compared with a load", "pool", "ad handed out", at: 10),
        Highlight("One of 1,000 banner slots with its ad", "slots", "memory per slot with its ad", at: 1_000),
        Highlight("Beacons recorded on disk, one per transaction", "recording", "beacons recorded", at: 1),
        Highlight("The same, 100 per transaction", "recording", "beacons recorded", at: 100),
        Highlight(
            "Beacons delivered to 8 servers, with a durable write before and after each",
            "delivery",
            "beacons delivered to 8 servers"
        ),
        Highlight("The same to one server without latency", "delivery", "beacons delivered to one server"),
        Highlight(
            "Beacons recorded in PostgreSQL, 100 per transaction",
            "fleet",
            "beacons recorded in PostgreSQL",
            at: 100
        ),
        Highlight(
            "Beacons delivered by four hosts over one PostgreSQL, to trackers that answer at once",
            "fleet",
            "beacons delivered by four hosts to trackers that answer at once"
        ),
        Highlight(
            "The peak memory while 100,000 queued beacons are delivered",
            "queue",
            "peak memory while delivering",
            at: 100_000
        ),
        Highlight(
            "From a view to its beacon on the wire, recorded durably before",
            "wire",
            "from the view to the beacon's first byte"
        ),
        Highlight(
            "One of 10,000 showing ads with running close timers",
            "ads",
            "memory per showing ad",
            at: 10_000
        ),
        Highlight("An echo over a WebSocket, one at a time", "echoes", "echo, one at a time"),
        Highlight(
            "One of 1,000 live sessions, both sides",
            "sessions",
            "memory per session, both sides",
            at: 1_000
        ),
        Highlight(
            "A browser's cold start to the first screenshot of an ad",
            "stage",
            "cold start to the first screenshot"
        ),
        Highlight(
            "Ads shown in a warm browser, one at a time",
            "stage",
            "ads shown with a screenshot, one at a time"
        ),
        Highlight("The same, four at a time", "stage", "ads shown with a screenshot, 4 at a time"),
        Highlight("The browser's memory after 200 ads", "stage", "browser memory", at: 200),
        Highlight(
            "From a source posted to the lab to the ad's first picture",
            "lab",
            "a banner's first picture after its source is posted"
        ),
        Highlight("From a tap in the lab to the changed picture", "lab", "a changed picture after a tap"),
        Highlight("A banner scanned: processor time of all processes", "scan", "processor time per scanned banner"),
        Highlight(
            "A local banner to its verdict, 95th percentile",
            "scan",
            "from a local banner to its verdict, 95th percentile (at most 2 s)"
        ),
        Highlight(
            "The tag of a 15 s video to its verdict, 95th percentile",
            "scan",
            "from the tag of a 15 s video to its verdict, at speed 8, 95th percentile (at most 4 s)"
        ),
        Highlight("The memory of a scan after 2,000 creatives", "scan", "memory of a scan", at: 2_000),
    ]
}
