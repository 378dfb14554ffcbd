extension Benchmark {
    /// Those that take documents of the user's.
    static let takingFiles = [parse.name, lint.name]

    /// All of them, in the order of the page.
    static let all = [
        load, chain, parse, parseMemory, lint, cards, recording, delivery, queue, wire, ads, frames, echoes, sessions,
        stage,
    ]

    // MARK: From a request to an ad

    private static let load = Benchmark(
        name: "load",
        title: "A load, from the call to the ad that can be shown",
        floor: "The transport's bare requests to the same server, which answers with the same bytes.",
        seconds: 5,
        measure: LoadBench.run
    )

    private static let chain = Benchmark(
        name: "chain",
        title: "VAST wrappers followed to the ad at their end",
        floor: "The bare requests for the same documents, one after the other; and these with each answer read.",
        seconds: 30,
        measure: ChainBench.run
    )

    private static let parse = Benchmark(
        name: "parse",
        title: "Documents of VAST read into values, whole",
        floor: "The tree that libxml2 builds of the same bytes, of which nothing is understood yet.",
        seconds: 20,
        measure: ParseBench.parse
    )

    private static let parseMemory = Benchmark(
        name: "parse-memory",
        title: "The memory that reading a document of VAST takes at its most, besides its bytes",
        floor: "The bytes of the document.",
        seconds: 2,
        measure: ParseBench.memory
    )

    private static let lint = Benchmark(
        name: "lint",
        title: "Documents of VAST looked at by the linter",
        floor: "The tree that libxml2 builds of the same bytes.",
        seconds: 15,
        measure: ParseBench.lint
    )

    private static let cards = Benchmark(
        name: "cards",
        title: "Feeds of cards read, and a load that needs no request",
        floor: "A pass of Foundation's JSONDecoder over the same bytes; for the load a bare GET of them.",
        seconds: 10,
        measure: CardBench.run
    )

    // MARK: Beacons

    private static let recording = Benchmark(
        name: "recording",
        title: "Beacons written to disk for good",
        floor: "A bare loop of inserts of the same rows into SQLite, as durable and as many in each transaction.",
        seconds: 20,
        measure: RecordingBench.run
    )

    private static let delivery = Benchmark(
        name: "delivery",
        title: "Beacons delivered, each written down before and after",
        floor: "The same requests, as many at once, and nothing written down.",
        seconds: 60,
        measure: DeliveryBench.run
    )

    private static let queue = Benchmark(
        name: "queue",
        title: "Beacons that wait, and then leave at once",
        floor: nil,
        seconds: 45,
        measure: QueueBench.run
    )

    private static let wire = Benchmark(
        name: "wire",
        title: "From a view to the first byte of its beacon, two durable writes between",
        floor: "A bare request to the same server.",
        seconds: 10,
        measure: WireBench.run
    )

    // MARK: What lives for long

    private static let ads = Benchmark(
        name: "ads",
        title: "Ads alive with their close timers running",
        floor: nil,
        seconds: 20,
        measure: AdBench.run
    )

    private static let frames = Benchmark(
        name: "frames",
        title: "Frames of a websocket read, on one core",
        floor: "A bare copy and mix of the same bytes, without a look at them.",
        seconds: 5,
        measure: SocketBench.frames
    )

    private static let echoes = Benchmark(
        name: "echoes",
        title: "Texts of 50 bytes said over websockets, and said back",
        floor: "The same frame over a bare socket that waits where it is asked.",
        seconds: 25,
        measure: SocketBench.echoes
    )

    private static let sessions = Benchmark(
        name: "sessions",
        title: "Live sessions and their server in one process",
        floor: "Of memory: as many bare websockets, both ends.",
        seconds: 80,
        measure: LiveBench.run
    )

    private static let stage = Benchmark(
        name: "stage",
        title: "Ads shown in a browser",
        floor: "Playwright doing the same with the same browser; pip install playwright.",
        seconds: 260,
        measure: StageBench.run
    )
}
