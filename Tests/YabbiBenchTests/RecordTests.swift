import AdCore
import Testing

@testable import yabbi_bench

@Suite("The records of a run")
struct RecordTests {
    @Test("a record can be parsed from its JSON line", arguments: Sample.records)
    func lines(record: Record) throws {
        #expect(Record(try AdJSON(parsing: record.json.text())) == record)
    }

    @Test("the error names a line that is not a record")
    func otherLines() {
        #expect(throws: BenchError(message: "line 2 is not a benchmark record")) {
            try Record.all(in: Sample.records[0].json.text() + "\n{}\n")
        }
    }

    @Test("a target is met or missed by the median of the ratios, or of the values")
    func targets() {
        let baseline = Sample.baseline
        func figure(_ target: Figure.Target?) -> Figure {
            Figure("load", "a load", .each("µs"), Sample.distribution, baseline: baseline, target: target)
        }
        #expect(figure(.atMost(2)).isMet == true && figure(.atMost(1.9)).isMet == false)
        #expect(figure(.atLeast(2)).isMet == true && figure(.atLeast(2.1)).isMet == false)
        #expect(figure(.valueAtMost(20)).isMet == true && figure(.valueAtMost(19)).isMet == false)
        #expect(figure(nil).isMet == nil)
        let alone = Figure("load", "a load", .each("µs"), Sample.distribution, target: .atMost(2))
        #expect(alone.isMet == nil, "there is no ratio without a baseline")
    }

    @Test("a kernel's name keeps only the version number of its release")
    func kernels() {
        #expect(RunEnvironment.kernel("Linux", "6.1.0-28-somebody-amd64") == "Linux 6.1.0")
        #expect(RunEnvironment.kernel("Linux", "next") == "Linux")
    }

    @Test("a record is one line on the terminal")
    func terminal() {
        let lines = Sample.records.map(\.line)
        #expect(
            lines == [
                "load  a load, 10 bytes  20 µs (15 to 25)  a bare GET 10 µs  2× (1.50 to 2.50)  target at most 1.3×, missed",
                "load  a load, 100 bytes  30 µs (25 to 35)  a bare GET 10 µs  2× (1.50 to 2.50)  target at most 1.3×, missed",
                "ads  ads shown, 1,000 ads  20 ads/s (15 to 25)",
                "ads  memory of an ad, 1,000 ads  20 KiB (15 to 25)  target at most 25 KiB, met",
                "ads  skipped  pictures: no browser",
                "ads  failed  the disk is full",
                "machine  cores 2, memory 4 GiB, kernel Linux 6.1.0, Swift 6.3, build release, took 7 s, date 2026-01-02, commit abc",
                "two hosts  0 billed twice  9 s",
            ]
        )
    }
}
