extension Highlight {
    /// The figures that matter most, in the README's order.
    static let all = [
        Highlight("A whole load with 4 KB of markup", "load", "a whole load", at: 4_000),
        Highlight("Five wrappers followed to their ad", "chain", "a chain followed", at: 5),
        Highlight("A document of VAST with ten ads read whole", "parse", "VAST read whole", at: 10),
        Highlight("The same looked at by the linter", "lint", "VAST linted", at: 10),
        Highlight(
            "The most memory that reading 1,000 ads (1.7 MB) takes",
            "parse-memory",
            "the most memory that reading takes",
            at: 1_000
        ),
        Highlight("A feed of 100 cards read", "cards", "a feed read", at: 100),
        Highlight("A load that is answered by what was kept", "cards", "a load of what was kept", at: 100),
        Highlight("Beacons written to disk for good, one by one", "recording", "beacons written down", at: 1),
        Highlight("The same, a hundred at once", "recording", "beacons written down", at: 100),
        Highlight(
            "Beacons delivered to 8 servers, each written down before and after",
            "delivery",
            "beacons delivered to 8 servers"
        ),
        Highlight("The same to one server that takes no time", "delivery", "beacons delivered to one server"),
        Highlight(
            "The most memory while 100,000 waiting beacons leave",
            "queue",
            "memory at most while they leave",
            at: 100_000
        ),
        Highlight(
            "From a view to its beacon on the wire, two durable writes between",
            "wire",
            "from a view to its beacon's first byte at the server"
        ),
        Highlight(
            "One of 10,000 ads alive with their close timers running",
            "ads",
            "memory of an ad alive",
            at: 10_000
        ),
        Highlight("An echo over a websocket, one at a time", "echoes", "an echo, one at a time"),
        Highlight(
            "One of a thousand live sessions, with its server's side",
            "sessions",
            "memory of a session and its server's side",
            at: 1_000
        ),
        Highlight(
            "A browser from its start to the first picture of an ad",
            "stage",
            "a browser from its start to the first picture"
        ),
        Highlight(
            "Ads shown in a warm browser, one at a time",
            "stage",
            "ads shown, photographed and closed, one at a time"
        ),
        Highlight("The same, four at a time", "stage", "ads shown, photographed and closed, 4 at a time"),
        Highlight("The browser's memory after 200 ads", "stage", "the browser's memory", at: 200),
    ]
}
