import AdCore
import AdRuntime
import SQLiteLedger
import SandboxSSP
import SystemLock
import YabbiAds

/// Beacons written down against bare inserts, beacons delivered against bare requests, each pair turn by turn; the memory
/// that a full ledger takes, and how soon after a view its beacon is on the wire.
enum BeaconBench {
    static func run() async throws -> [JSON] {
        let folder = try BenchFolder()
        defer { folder.remove() }
        return [
            try await self.recording(folder, group: 1, groups: 2_000),
            try await self.recording(folder, group: 100, groups: 200),
            try await self.recording(folder, group: 1_000, groups: 20),
            try await self.delivering(folder, origins: 8, each: 500),
            try await self.delivering(folder, origins: 1, each: 2_000),
            try await self.delivering(folder, origins: 1, each: 400, delay: .milliseconds(10)),
            try await self.queued(folder, count: 100_000),
            try await self.latency(folder, views: 1_000),
        ]
    }

    // MARK: Writing down

    private static func recording(_ folder: BenchFolder, group: Int, groups: Int) async throws -> JSON {
        guard let url = HTTPURL("http://t.example/view?ad=1&unit=banner-320x50") else { return .null }
        let clock = ContinuousClock()
        var own: [Double] = []
        var bare: [Double] = []
        for round in 0..<7 {
            let ledger = SQLiteLedger(file: folder.file("own-\(group)-\(round)"))
            _ = try await ledger.open()
            let batches = (0..<groups).map { batch in
                (0..<group).map { self.beacon("r\(round)-\(batch)-\($0)", at: url) }
            }
            let now = SystemClock().wallTime
            let floor = folder.file("bare-\(group)-\(round)")
            let plain = try BareInserts.measure(batches.flatMap { $0 }, file: floor, group: group, at: now)
            let durable = try await clock.measure {
                for batch in batches { _ = try await ledger.record(batch, at: now) }
            }
            await ledger.close()
            guard round > 0 else { continue }
            own.append(Double(group * groups) / durable.inSeconds)
            bare.append(Double(group * groups) / plain.inSeconds)
        }
        let (rate, floor) = (ProcessFigures.median(own), ProcessFigures.median(bare))
        return [
            "benchmark": "record",
            "group": .int(group),
            "beaconsPerSecond": ProcessFigures.rounded(rate),
            "bareInsertsPerSecond": ProcessFigures.rounded(floor),
            "ratio": ProcessFigures.rounded(rate / floor),
        ]
    }

    private static func beacon(_ name: String, at url: HTTPURL) -> Beacon {
        let headers: HTTPHeaders = ["User-Agent": "Mozilla/5.0 (bench) yabbi/0.1"]
        let call = BeaconCall(.get, TrackingURL(url), headers: headers, isBilling: true)
        return Beacon(BeaconKey(ad: AdID(name), event: .view), call, of: "bench")
    }

    // MARK: Delivering

    private static func delivering(
        _ folder: BenchFolder,
        origins: Int,
        each: Int,
        delay: Duration = .zero
    ) async throws -> JSON {
        let servers = try (0..<origins).map { _ in try FixedServer(json: Array("{}".utf8), delay: delay) }
        defer { for server in servers { server.stop() } }
        let transport = try CurlTransport()
        let clock = ContinuousClock()
        let width = Courier.Limits().perOrigin.upperBound
        var own: [Double] = []
        var bare: [Double] = []
        for round in 0..<6 {
            let beacons = (0..<origins * each).map {
                self.beacon("d\(round)-\($0)", at: servers[$0 % origins].url)
            }
            // As many at once to each origin as a beacon's origin gets, and no ledger.
            let plain = await clock.measure {
                await withTaskGroup(of: Void.self) { group in
                    for origin in 0..<origins {
                        for lane in 0..<width {
                            let share = stride(from: origin + lane * origins, to: beacons.count, by: origins * width)
                            let part = share.map { beacons[$0] }
                            group.addTask {
                                for beacon in part {
                                    if let request = try? beacon.request() { _ = try? await transport.send(request) }
                                }
                            }
                        }
                    }
                }
            }
            let name = "deliver-\(origins)-\(delay.wholeMilliseconds)-\(round)"
            let ledger = SQLiteLedger(file: folder.file(name))
            _ = try await ledger.record(beacons, at: SystemClock().wallTime)
            let dispatcher = self.dispatcher(ledger, transport)
            let whole = await clock.measure {
                dispatcher.deliver()
                await dispatcher.settle(within: .seconds(120))
            }
            let delivered = try await ledger.summary().delivered
            guard delivered == beacons.count else {
                throw WishError(message: "\(delivered) of \(beacons.count) arrived")
            }
            await ledger.close()
            guard round > 0 else { continue }
            own.append(Double(beacons.count) / whole.inSeconds)
            bare.append(Double(beacons.count) / plain.inSeconds)
        }
        let (rate, floor) = (ProcessFigures.median(own), ProcessFigures.median(bare))
        return [
            "benchmark": "deliver",
            "origins": .int(origins),
            "serverMilliseconds": .int(delay.wholeMilliseconds),
            "beaconsPerSecond": ProcessFigures.rounded(rate),
            "bareRequestsPerSecond": ProcessFigures.rounded(floor),
            "ratio": ProcessFigures.rounded(rate / floor),
        ]
    }

    private static func dispatcher(_ ledger: SQLiteLedger, _ transport: CurlTransport) -> BeaconDispatcher {
        BeaconDispatcher(
            ledger: ledger,
            transport: transport,
            clock: SystemClock(),
            random: { .random(in: .min ... .max) },
            observer: nil
        )
    }

    // MARK: Memory

    private static func queued(_ folder: BenchFolder, count: Int) async throws -> JSON {
        let arrived = Locked(0)
        let servers = try (0..<8).map { _ in
            try FixedServer(json: Array("{}".utf8)) { arrived.withLock { $0 += 1 } }
        }
        defer { for server in servers { server.stop() } }
        let ledger = SQLiteLedger(file: folder.file("queued"))
        let transport = try CurlTransport()
        let dispatcher = self.dispatcher(ledger, transport)
        func record(_ range: Range<Int>) async throws {
            let beacons = range.map { self.beacon("q\($0)", at: servers[$0 % 8].url) }
            _ = try await ledger.record(beacons, at: SystemClock().wallTime)
        }
        // What is needed once is not what is measured.
        for batch in 0..<20 { try await record(batch * 100..<batch * 100 + 100) }
        let before = ProcessFigures.residentBytes
        for batch in 20..<count / 100 { try await record(batch * 100..<batch * 100 + 100) }
        let queued = ProcessFigures.residentBytes
        ProcessFigures.resetPeak()
        let passed = await ContinuousClock().measure {
            dispatcher.deliver()
            await dispatcher.settle(within: .seconds(600))
        }
        let peak = ProcessFigures.peakBytes
        // The ledger forgets most of what was delivered; the servers have counted.
        let delivered = arrived.withLock { $0 }
        await ledger.close()
        return [
            "benchmark": "queued",
            "beacons": .int(count),
            "delivered": .int(delivered),
            "mibWhileQueued": ProcessFigures.rounded(Double(queued - before) / 1_048_576),
            "mibAtMostWhileDelivered": ProcessFigures.rounded(Double(peak - before) / 1_048_576),
            "beaconsPerSecond": ProcessFigures.rounded(Double(delivered) / passed.inSeconds),
        ]
    }

    // MARK: From the view to the wire

    private static func latency(_ folder: BenchFolder, views: Int) async throws -> JSON {
        let arrival = Stamp()
        let view = Stamp()
        let tracker = try FixedServer(json: Array("{}".utf8)) { arrival.set() }
        defer { tracker.stop() }
        let ledger = SQLiteLedger(file: folder.file("latency"))
        let transport = try CurlTransport()
        let services = AdServices(transport: transport, ledger: ledger, observer: ViewWatch(stamp: view))
        let loader = AdLoader(OfferProvider(endpoint: tracker.url), services: services)
        let offer = Offer(
            provider: "bench",
            creative: .html(HTMLCreative(markup: "<p>bench</p>", document: "<p>bench</p>")),
            terms: ShowTerms(.interstitial, closeTimeout: .zero),
            size: .adaptive,
            beacons: [BeaconTemplate(.view, BeaconCall(.get, TrackingURL(tracker.url), isBilling: true))]
        )
        var own: [Double] = []
        var bare: [Double] = []
        for round in 0..<views + 100 {
            let ad = try await loader.load(offer)
            try await ad.show(on: StillPresenter())
            await services.beacons.settle(within: .seconds(10))
            ad.destroy()
            let passed = arrival.passed(since: view)
            view.set()
            _ = try await transport.send(HTTPRequest(.get, tracker.url, repetition: .counted))
            guard round >= 100 else { continue }
            own.append(passed * 1e6)
            bare.append(arrival.passed(since: view) * 1e6)
        }
        await ledger.close()
        func quantile(_ values: [Double], _ share: Double) -> JSON {
            ProcessFigures.rounded(values.sorted()[Int(Double(values.count - 1) * share)])
        }
        return [
            "benchmark": "viewToWire",
            "views": .int(views),
            "p50Microseconds": quantile(own, 0.5),
            "p99Microseconds": quantile(own, 0.99),
            "bareRequestP50Microseconds": quantile(bare, 0.5),
            "bareRequestP99Microseconds": quantile(bare, 0.99),
        ]
    }
}
