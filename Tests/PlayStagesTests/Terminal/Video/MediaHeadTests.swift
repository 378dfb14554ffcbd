import AdCore
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayStages

@Suite("The first bytes of a video file")
struct MediaHeadTests {
    private let file: MediaFile

    init() throws { self.file = MediaFile(try #require(HTTPURL("http://m.example/a.mp4?token=x")), type: "video/mp4") }

    private static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(value >> (24 - 8 * UInt32($0)) & 255) }
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        self.number(UInt32(content.count + 8)) + Array(name.utf8) + content
    }

    private static func mp4(scale: UInt32, length: UInt32, version: UInt8 = 0) -> [UInt8] {
        let times: [UInt8] = version == 1 ? Array(repeating: 0, count: 16) : Array(repeating: 0, count: 8)
        let long: [UInt8] = version == 1 ? [0, 0, 0, 0] : []
        let header = [version, 0, 0, 0] + times + self.number(scale) + long + self.number(length)
        return self.box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + self.box("moov", self.box("mvhd", header))
    }

    @Test("contain the duration of an mp4 in both versions of its header")
    func mp4() {
        #expect(MediaHead(Self.mp4(scale: 600, length: 5400))?.duration == .seconds(9))
        #expect(MediaHead(Self.mp4(scale: 1000, length: 1500, version: 1))?.duration == .milliseconds(1500))
        #expect(MediaHead(Self.mp4(scale: 0, length: 1))?.duration == nil)
    }

    @Test("contain the duration of a webm, and other formats are unknown")
    func webm() throws {
        let bits = (10_000.0).bitPattern
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        let bytes: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0, 0, 0x44, 0x89, 0x88] + length
        let head = try #require(MediaHead(bytes))
        #expect(head.duration == .seconds(10) && head.matches("video/webm") && !head.matches("video/mp4"))
        #expect(MediaHead(Array("<html>".utf8)) == nil)
        #expect(MediaHead([]) == nil)
    }

    @Test("deeply nested boxes are read without a crash")
    func nested() {
        let deep = Self.box("ftyp", Array("isom".utf8)) + (0..<8_190).flatMap { _ in Self.box("moov", []) }
        #expect(MediaHead(deep)?.kind == .mp4 && MediaHead(deep)?.duration == nil)
    }

    @Test("truncated or random bytes are read without a crash")
    func damage() {
        let whole = Self.mp4(scale: 600, length: 5400)
        for count in 0...whole.count { _ = MediaHead(Array(whole.prefix(count))) }
        var random = TestRandom(seed: 7)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            _ = MediaHead(bytes)
        }
    }

    @Test(
        "a file that is not playable has its VAST error code, and a message without secrets",
        arguments: [(404, 401), (410, 401), (403, 400), (500, 400), (200, 405)]
    )
    func probed(status: Int, code: Int) {
        let response = AdHTTPResponse(status: status, body: Array("<html>".utf8), url: self.file.url)
        guard case .failure(let failure) = MediaProbe.result(of: response, self.file) else {
            Issue.record("it is not a video")
            return
        }
        #expect(failure.code == code)
        #expect(failure.message.contains("m.example") && !failure.message.contains("token=x"))
        let late = MediaProbe.failure(of: TransportError(.ambiguous(.timedOut), "too late"), self.file)
        #expect(late.code == 402)
        #expect(MediaProbe.failure(of: TransportError(.notSent(.refused), "refused"), self.file).code == 401)
    }

    @Test("the bundled videos have their declared format and duration")
    func bundled() throws {
        let folder = PackageFolder.path + "/Creatives"
        for (name, seconds) in [("pluvello", 15.0), ("sokketri", 6), ("kumuloo", 10)] {
            for (ending, type) in [("mp4", "video/mp4"), ("webm", "video/webm")] {
                let bytes = try FileReading.bytes("\(folder)/media/\(name).\(ending)", upTo: 10_000_000)
                let head = try #require(MediaHead(Array(bytes.prefix(MediaHead.length))))
                #expect(head.matches(type))
                let length = try #require(head.duration)
                #expect(abs(length.inSeconds - seconds) < 0.1, "\(name).\(ending) takes \(length)")
            }
        }
    }
}
