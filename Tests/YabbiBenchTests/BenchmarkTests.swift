import AdCore
import SystemSupport
import Testing

@testable import yabbi_bench

@Suite("The benchmarks")
struct BenchmarkTests {
    /// All but what needs a browser.
    private static let names = Benchmark.all.map(\.name).filter { $0 != "stage" }

    @Test("run to their end in the short form, and tell what the README shows of them", arguments: names)
    func short(name: String) async throws {
        let told = Locked<[Record]>([])
        let run = try Run(parsing: [name, "--quick"])
        let isWell = await run.go(run.chosen) { record in
            told.withLock { $0.append(record) }
        } progress: { _ in
        }
        let records = told.withLock { $0 }
        #expect(isWell, "\(records.map(\.line))")
        let whats = Set(records.compactMap { if case .figure(let figure) = $0 { figure.what } else { nil } })
        #expect(!whats.isEmpty)
        for highlight in Highlight.all where highlight.benchmark == name {
            #expect(whats.contains(highlight.what))
        }
        #expect(records.last?.json["record"] == "machine")
    }

    @Test("have names of their own, and each figure that the README shows is one of theirs")
    func registered() {
        let names = Benchmark.all.map(\.name)
        #expect(Set(names).count == names.count)
        for highlight in Highlight.all { #expect(names.contains(highlight.benchmark)) }
    }

    @Test("one that can't run here is told with its reason, and is no fault; one that goes wrong is")
    func gaps() async throws {
        func gap(_ error: any Error) async -> (isWell: Bool, record: Record?) {
            let told = Locked<[Record]>([])
            let benchmark = Benchmark(name: "b", title: "B", floor: nil, seconds: 1) { _ in throw error }
            let isWell = await Run().go([benchmark]) { record in
                told.withLock { $0.append(record) }
            } progress: { _ in
            }
            return (isWell, told.withLock { $0.first })
        }
        let leftOut = await gap(LeftOut(reason: "no browser"))
        #expect(leftOut.isWell)
        #expect(leftOut.record?.line == "b  left out  no browser")
        let failed = await gap(WishError(message: "the disk is full"))
        #expect(!failed.isWell)
        #expect(failed.record?.line == "b  failed  the disk is full")
    }
}
