import TestSupport
import Testing

@testable import WebStage

@Suite("Animated images")
struct ImageAnimationTests {
    private static func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) }
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] { self.big(number, count).reversed() }

    /// An APNG without pixels; each delay is a fraction of a second.
    private static func png(_ delays: [(Int, Int)], plays: Int) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            self.big(data.count) + Array(type.utf8) + data + [0, 0, 0, 0]
        }
        let frames = delays.enumerated().flatMap { number, delay in
            let place = self.big(number) + self.big(1) + self.big(1) + self.big(0) + self.big(0)
            return chunk("fcTL", place + self.big(delay.0, 2) + self.big(delay.1, 2) + [0, 0]) + chunk("IDAT", [1, 2])
        }
        return [0x89] + Array("PNG\r\n".utf8) + [0x1A, 0x0A]
            + chunk("IHDR", self.big(1) + self.big(1) + [8, 6, 0, 0, 0])
            + chunk("acTL", self.big(delays.count) + self.big(plays)) + frames + chunk("IEND", [])
    }

    /// An animated WebP without pixels; the delays are milliseconds.
    private static func webp(_ delays: [Int], plays: Int) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            Array(type.utf8) + self.little(data.count, 4) + data + (data.count % 2 == 0 ? [] : [0])
        }
        let frames = delays.flatMap { chunk("ANMF", Array(repeating: 0, count: 12) + self.little($0, 3) + [0, 9, 9]) }
        let body = chunk("VP8X", [2, 0, 0, 0, 0, 0, 0, 0, 0, 0]) + chunk("ANIM", [0, 0, 0, 0] + self.little(plays, 2))
        return Array("RIFF".utf8) + self.little(4 + body.count + frames.count, 4) + Array("WEBP".utf8) + body + frames
    }

    @Test("a GIF runs once, so many times more, or without an end")
    func gif() throws {
        let delays = [100, 250]
        #expect(ImageAnimation(AnimatedGIF.bytes(delays, repeats: nil))?.length == .milliseconds(3500))
        #expect(ImageAnimation(AnimatedGIF.bytes(delays, repeats: 3))?.length == .seconds(14))
        let endless = try #require(ImageAnimation(AnimatedGIF.bytes(delays, repeats: 0)))
        #expect(endless.length == nil)
    }

    @Test("a frame without a time is shown for 100 ms, as in browsers")
    func short() {
        #expect(ImageAnimation(AnimatedGIF.bytes([0, 1, 2], repeats: nil))?.length == .milliseconds(220))
    }

    @Test("APNG and WebP state how often they run in total")
    func others() throws {
        let png = ImageAnimation(Self.png([(1, 2), (50, 0), (3, 1000)], plays: 2))
        #expect(png?.length == .milliseconds(2 * (500 + 500 + 100)))
        #expect(ImageAnimation(Self.webp([400, 600], plays: 3))?.length == .seconds(3))
        let endless = try #require(ImageAnimation(Self.webp([400, 600], plays: 0)))
        #expect(endless.length == nil)
        let endlessPNG = try #require(ImageAnimation(Self.png([(1, 2), (1, 2)], plays: 0)))
        #expect(endlessPNG.length == nil)
    }

    @Test("an image of one frame, of another kind or without a body is not animated")
    func still() {
        #expect(ImageAnimation(AnimatedGIF.bytes([100], repeats: 0)) == nil)
        #expect(ImageAnimation(Self.png([(1, 1)], plays: 0)) == nil)
        #expect(ImageAnimation(Array("<svg/>".utf8)) == nil)
        #expect(ImageAnimation([]) == nil)
    }

    @Test("an image that claims to run for longer than a day ends after one")
    func long() {
        let frames = Array(repeating: (65_535, 1), count: 40_000)
        #expect(ImageAnimation(Self.png(frames, plays: Int(UInt32.max)))?.length == .seconds(86_400))
    }

    @Test("images that are cut or damaged end at once, and their sizes are not believed")
    func damaged() {
        let files = [
            AnimatedGIF.bytes([10, 20, 30], repeats: 2), Self.png([(1, 2), (1, 3), (1, 4)], plays: 2),
            Self.webp([100, 200, 300], plays: 2),
        ]
        let seed = TestSeed.chosen ?? 1
        var random = TestRandom(seed: seed)
        for file in files {
            for length in file.indices { _ = ImageAnimation(Array(file.prefix(length))) }
            for _ in 0..<2_000 {
                var changed = file
                for _ in 0..<3 {
                    changed[Int.random(in: file.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let length = ImageAnimation(changed)?.length ?? .zero
                #expect(length >= .zero, "seed \(seed)")
            }
        }
    }
}
