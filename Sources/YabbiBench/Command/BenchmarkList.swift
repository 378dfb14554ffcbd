extension Benchmark {
    /// The benchmarks that accept the user's documents.
    static let takingFiles = [parse.name, lint.name]

    /// All benchmarks, in the order of the page.
    static let all = [
        start, load, chain, parse, parseMemory, lint, cards, auction, pool, recording, delivery, queue, wire, fleet,
        ads, slots, frames, echoes, sessions, scale, stage, engines, lab, scan,
    ]

    private static let start = Benchmark(
        name: "start",
        title: "Starts of the command, with a small file to inspect",
        baseline: "An empty program of node.",
        seconds: 6,
        measure: StartBench.run
    )

    // MARK: From a request to an ad

    private static let load = Benchmark(
        name: "load",
        title: "Loading an ad, from the call to an ad that can be shown",
        baseline: "The transport's requests alone, to the same server with the same response.",
        seconds: 5,
        measure: LoadBench.run
    )

    private static let chain = Benchmark(
        name: "chain",
        title: "Resolving VAST wrappers to the ad at the end of the chain",
        baseline: "The requests for the same documents, one after the other; and the same with each response parsed.",
        seconds: 30,
        measure: ChainBench.run
    )

    private static let parse = Benchmark(
        name: "parse",
        title: "Parsing VAST documents",
        baseline: "libxml2's tree of the same bytes, without its interpretation.",
        seconds: 20,
        measure: ParseBench.parse
    )

    private static let parseMemory = Benchmark(
        name: "parse-memory",
        title: "The peak memory of parsing a VAST document, in addition to its bytes",
        baseline: "The bytes of the document.",
        seconds: 2,
        measure: ParseBench.memory
    )

    private static let lint = Benchmark(
        name: "lint",
        title: "Linting VAST documents",
        baseline: "libxml2's tree of the same bytes.",
        seconds: 15,
        measure: ParseBench.lint
    )

    private static let cards = Benchmark(
        name: "cards",
        title: "Parsing feeds of cards, and a load from the offer cache",
        baseline: "Foundation's JSONDecoder with the same bytes; for the load, a GET of them.",
        seconds: 10,
        measure: CardBench.run
    )

    private static let auction = Benchmark(
        name: "auction",
        title: "Holding auctions of five bidders, from the call to an ad that can be shown",
        baseline: "The slowest bidder's request alone.",
        seconds: 25,
        measure: AuctionBench.run
    )

    private static let pool = Benchmark(
        name: "pool",
        title: "Handing out an ad that a pool holds, from the call to an ad that can be shown",
        baseline: "A load of the same ad without a network.",
        seconds: 3,
        measure: PoolBench.run
    )

    // MARK: Beacons

    private static let recording = Benchmark(
        name: "recording",
        title: "Recording beacons durably on disk",
        baseline: "SQLite inserts of the same rows, with the same durability and transaction size.",
        seconds: 20,
        measure: RecordingBench.run
    )

    private static let delivery = Benchmark(
        name: "delivery",
        title: "Delivering beacons, each with a durable write before and after",
        baseline: "The same requests with the same concurrency, without a ledger.",
        seconds: 60,
        measure: DeliveryBench.run
    )

    private static let queue = Benchmark(
        name: "queue",
        title: "Delivering a queue of beacons",
        baseline: nil,
        seconds: 45,
        measure: QueueBench.run
    )

    private static let wire = Benchmark(
        name: "wire",
        title: "The time from a view to the first byte of its beacon, which is recorded durably before",
        baseline: "A request alone, to the same server.",
        seconds: 10,
        measure: WireBench.run
    )

    private static let fleet = Benchmark(
        name: "fleet",
        title: "Beacons in a PostgreSQL database that hosts share",
        baseline: "Inserts of the same rows into a plain table, with the same grouping, over the same connection.",
        seconds: 60,
        measure: FleetBench.run
    )

    // MARK: Long-lived objects

    private static let ads = Benchmark(
        name: "ads",
        title: "Showing ads with running close timers",
        baseline: nil,
        seconds: 20,
        measure: AdBench.run
    )

    private static let slots = Benchmark(
        name: "slots",
        title: "Banner slots: their memory, and 1,000 of them refreshing in simulated time",
        baseline: nil,
        seconds: 10,
        measure: SlotBench.run
    )

    private static let frames = Benchmark(
        name: "frames",
        title: "Parsing WebSocket frames on one core",
        baseline: "Copying and XORing the same bytes.",
        seconds: 5,
        measure: SocketBench.frames
    )

    private static let echoes = Benchmark(
        name: "echoes",
        title: "Echoing texts of 50 bytes over WebSockets",
        baseline: "The same frame over a plain blocking socket.",
        seconds: 25,
        measure: SocketBench.echoes
    )

    private static let sessions = Benchmark(
        name: "sessions",
        title: "Live sessions, with their server in the same process",
        baseline: "For memory: the same number of WebSockets without sessions, both sides.",
        seconds: 80,
        measure: LiveBench.run
    )

    private static let scale = Benchmark(
        name: "scale",
        title: "What one more costs among very many ads, sessions, waiting beacons and linted creatives",
        baseline: nil,
        remark: Page.scalePlan,
        seconds: 240,
        measure: ScaleBench.run
    )

    private static let stage = Benchmark(
        name: "stage",
        title: "Showing ads in a browser",
        baseline: "Playwright doing the same with the same browser (pip install playwright).",
        seconds: 260,
        measure: StageBench.run
    )

    private static let scan = Benchmark(
        name: "scan",
        title: "Scans of creatives: a banner's cost, the time to a verdict, and the memory over many",
        baseline:
            "A script of Playwright with the same browser that loads, waits for paint, taps, takes a picture, and logs.",
        seconds: 700,
        measure: ScanBench.run
    )

    private static let engines = Benchmark(
        name: "engines",
        title: "WebKit: an ad in a cold and in a warm browser, and a scanned banner",
        baseline: "Chromium doing the same.",
        seconds: 330,
        measure: EngineBench.run
    )

    private static let lab = Benchmark(
        name: "lab",
        title: "The lab: from a pasted source to its picture, and from a tap to what it changes",
        baseline: "The stage alone with the same creative: the picture from the browser, without the lab's server.",
        seconds: 120,
        measure: LabBench.run
    )
}
