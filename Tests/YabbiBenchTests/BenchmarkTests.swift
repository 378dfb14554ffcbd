import AdCore
import SystemSupport
import Testing

@testable import yabbi_bench

@Suite("Benchmarks")
struct BenchmarkTests {
    /// All benchmarks that need no browser.
    private static let names = Benchmark.all.map(\.name).filter { !["stage", "engines", "scan"].contains($0) }

    @Test("a quick run succeeds and reports all figures of the README's table", arguments: names)
    func quick(name: String) async throws {
        let reported = Locked<[Record]>([])
        let run = try Run(parsing: [name, "--quick"])
        let succeeded = await run.execute(run.selected) { record in
            reported.withLock { $0.append(record) }
        } progress: { _ in
        }
        let records = reported.withLock { $0 }
        #expect(succeeded, "\(records.map(\.line))")
        let whats = Set(records.compactMap { if case .figure(let figure) = $0 { figure.what } else { nil } })
        #expect(!whats.isEmpty)
        for highlight in Highlight.all where highlight.benchmark == name {
            #expect(whats.contains(highlight.what))
        }
        #expect(records.last?.json["record"] == "machine")
    }

    @Test("names are unique, and every row of the README's table names a benchmark")
    func registered() {
        let names = Benchmark.all.map(\.name)
        #expect(Set(names).count == names.count)
        for highlight in Highlight.all { #expect(names.contains(highlight.benchmark)) }
    }

    @Test("a skipped benchmark is reported with its reason and is not a failure; a failed one is")
    func omissions() async throws {
        func gap(_ error: any Error) async -> (succeeded: Bool, record: Record?) {
            let reported = Locked<[Record]>([])
            let benchmark = Benchmark(name: "b", title: "B", baseline: nil, seconds: 1) { _ in throw error }
            let succeeded = await Run().execute([benchmark]) { record in
                reported.withLock { $0.append(record) }
            } progress: { _ in
            }
            return (succeeded, reported.withLock { $0.first })
        }
        let skipped = await gap(BenchmarkSkipped(reason: "no browser"))
        #expect(skipped.succeeded)
        #expect(skipped.record?.line == "b  skipped  no browser")
        let failed = await gap(BenchError(message: "the disk is full"))
        #expect(!failed.succeeded)
        #expect(failed.record?.line == "b  failed  the disk is full")
    }
}
