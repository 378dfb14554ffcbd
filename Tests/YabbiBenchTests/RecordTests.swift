import AdCore
import Testing

@testable import yabbi_bench

@Suite("What a run tells")
struct RecordTests {
    @Test("can be read back from its line of JSON", arguments: Sample.records)
    func lines(record: Record) throws {
        #expect(Record(try AdJSON(parsing: record.json.text())) == record)
    }

    @Test("says on which line something else stands")
    func strangers() {
        #expect(throws: WishError(message: "line 2 is no record of a benchmark")) {
            try Record.all(in: Sample.records[0].json.text() + "\n{}\n")
        }
    }

    @Test("an aim is met or missed by the median of the ratios")
    func aims() {
        let floor = Sample.floor
        func figure(_ aim: Figure.Aim?) -> Figure {
            Figure("load", "a load", .each("µs"), Sample.spread, floor: floor, aim: aim)
        }
        #expect(figure(.atMost(2)).isMet == true && figure(.atMost(1.9)).isMet == false)
        #expect(figure(.atLeast(2)).isMet == true && figure(.atLeast(2.1)).isMet == false)
        #expect(figure(nil).isMet == nil)
    }

    @Test("of a kernel's name only the numbers are told, not whose it is")
    func kernels() {
        #expect(Machine.kernel("Linux", "6.1.0-28-somebody-amd64") == "Linux 6.1.0")
        #expect(Machine.kernel("Linux", "next") == "Linux")
    }

    @Test("stands on one line of the terminal")
    func terminal() {
        let lines = Sample.records.map(\.line)
        #expect(
            lines == [
                "load  a load, 10 bytes  20 µs (15 to 25)  a bare GET 10 µs  2× (1.50 to 2.50)  aim at most 1.3×, missed",
                "load  a load, 100 bytes  30 µs (25 to 35)  a bare GET 10 µs  2× (1.50 to 2.50)  aim at most 1.3×, missed",
                "ads  ads shown, 1,000 ads  20 ads/s (15 to 25)",
                "ads  left out  pictures: no browser",
                "ads  failed  the disk is full",
                "machine  cores 2, memory 4 GiB, kernel Linux 6.1.0, Swift 6.3, build release, took 7 s, date 2026-01-02, commit abc",
            ]
        )
    }
}
