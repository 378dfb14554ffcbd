import AdCore
import AdRuntime
import SQLiteLedger
import YabbiAds

/// Recording beacons, compared with SQLite inserts of the same rows.
enum RecordingBench {
    static func run(_ bench: BenchContext) async throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let few = bench.full(200, quick: 2)
        try await self.run(folder, group: 1, groups: few * 10, bench)
        try await self.run(folder, group: 10, groups: few * 5, bench)
        try await self.run(folder, group: 100, groups: few, bench)
        if !bench.isQuick { try await self.run(folder, group: 1_000, groups: few / 10, bench) }
    }

    private static func run(_ folder: BenchFolder, group: Int, groups: Int, _ bench: BenchContext) async throws {
        guard let url = HTTPURL("http://t.example/view?ad=1&unit=banner-320x50") else {
            preconditionFailure("The URL literal is invalid.")
        }
        let clock = ContinuousClock()
        var rates = PairedSamples(warmUp: 1)
        for round in 0...bench.full(8, quick: 1) {
            let ledger = SQLiteLedger(file: folder.file("own-\(group)-\(round)"))
            _ = try await ledger.open()
            let batches = (0..<groups).map { batch in
                (0..<group).map { BenchBeacons.beacon("r\(round)-\(batch)-\($0)", at: url) }
            }
            let now = SystemClock().wallTime
            let baseline = folder.file("bare-\(group)-\(round)")
            let plain = try BaselineInserts.measure(batches.flatMap { $0 }, file: baseline, group: group, at: now)
            let durable = try await clock.measure {
                for batch in batches { _ = try await ledger.record(batch, at: now) }
            }
            await ledger.close()
            let count = Double(group * groups)
            rates.add(count / durable.inSeconds, baseline: count / plain.inSeconds)
        }
        let size = Figure.Amount(group, "beacons per transaction")
        bench.report(
            "beacons recorded",
            rates,
            against: "inserts",
            .rate("beacons"),
            at: size,
            target: .atLeast(0.85)
        )
    }
}
