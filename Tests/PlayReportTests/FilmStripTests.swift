import Testing

@testable import PlayReport

@Suite("The film strip")
struct FilmStripTests {
    @Test("a still ad has one picture, and a moving one few a second")
    func few() {
        var strip = FilmStrip()
        strip.add([1], at: 0)
        #expect(strip.all.map(\.number) == [1])
        for number in 1...60 { strip.add([UInt8(number)], at: Int64(number * 16)) }
        let times = strip.pictures.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 190 })
        #expect(strip.all.last?.number == 61)
    }

    @Test("the last picture before a pause is kept, because it was shown for long")
    func last() {
        var strip = FilmStrip()
        for time: Int64 in [0, 20, 40] { strip.add([UInt8(time)], at: time) }
        strip.add([9], at: 5_000)
        #expect(strip.all.map(\.time) == [0, 40, 5_000])
    }

    @Test("a long ad keeps pictures of its whole time, within its limits")
    func long() {
        var strip = FilmStrip()
        let picture = [UInt8](repeating: 0, count: 40_000)
        for number in 0..<20_000 { strip.add(picture, at: Int64(number) * 33) }
        #expect(strip.pictures.count <= 240 && strip.pictures.reduce(0) { $0 + $1.bytes.count } <= 24 << 20)
        let times = strip.all.map(\.time)
        #expect(times.first ?? .max < 2_000 && times.last == 19_999 * 33)
        // No part of its time is without pictures.
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < 20_000 })
    }
}
