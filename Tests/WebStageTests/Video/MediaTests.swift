import AdCore
import Testing

@testable import WebStage

@Suite("The sound tracks of a media file")
struct MediaAudioTests {
    private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        let size = body.count + 8
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + body
    }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A track; the sample entry has two channels, as encoders write it, whatever there is.
    private static func track(_ codec: String, channels: Int) -> [UInt8] {
        let config = self.number(2 << 11 | 3 << 7 | channels << 3, 2)
        let stream = [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + [5, 0x80, 0x80, 2] + config
        let descriptors = self.number(0, 4) + [3, UInt8(stream.count + 5), 0, 1, 0, 4, UInt8(stream.count)] + stream
        // 48 kHz, 3/2 channels and one for low frequencies.
        let surround = self.number(8 << 17 | 7 << 11 | 1 << 10, 3)
        let boxes = codec == "ac-3" ? self.box("dac3", surround) : self.box("esds", descriptors)
        let sound = [UInt8](repeating: 0, count: 16) + self.number(2, 2) + [UInt8](repeating: 0, count: 10) + boxes
        let samples = self.box("stsd", self.number(0, 4) + self.number(1, 4) + self.box(codec, sound))
        return self.box("trak", self.box("mdia", self.box("minf", self.box("stbl", samples))))
    }

    private static func file(_ tracks: [UInt8]) -> [UInt8] {
        self.box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + self.box("mdat", [1, 2, 3]) + self.box("moov", tracks)
    }

    @Test("codec and channels are read from the description of the samples; pictures are no sound")
    func tracks() {
        let file = Self.file(
            Self.track("avc1", channels: 0) + Self.track("ac-3", channels: 6) + Self.track("mp4a", channels: 6)
        )
        #expect(
            Set(MediaAudio.tracks(of: file)) == [
                MediaAudio(codec: "ac-3", channels: 6), MediaAudio(codec: "mp4a", channels: 6),
            ]
        )
    }

    @Test("a file that is cut off, nested or no MP4 at all has no tracks, and does not trap")
    func broken() {
        let file = Self.file(Self.track("mp4a", channels: 2))
        for count in 0..<file.count { _ = MediaAudio.tracks(of: Array(file[..<count])) }
        #expect(MediaAudio.tracks(of: Array(file.dropLast(40))).isEmpty)
        let deep = (0..<5_000).reduce(into: [UInt8]()) { content, _ in content = Self.box("moov", content) }
        #expect(MediaAudio.tracks(of: Self.box("ftyp", Array("isom".utf8) + [0, 0, 2, 0]) + deep).isEmpty)
        #expect(MediaAudio.tracks(of: Array("WEBVTT but not a film".utf8)).isEmpty)
    }
}

@Suite("Fetching and serving media files")
struct MediaTests {
    private let allowed: Set<String> = ["http://127.0.0.1:9"]

    private func file(_ url: String) throws -> MediaFile {
        MediaFile(try #require(HTTPURL(url)), type: "video/mp4")
    }

    private func fetch(_ url: String = "https://m.example/a.mp4", isClosed: Bool = false) throws -> MediaFetch {
        MediaFetch(try self.file(url), allowed: self.allowed, isClosed: isClosed) {
            "yabbi-play allows it by --allow-host \($0), an app by `allowedHosts` of its ChromiumPresenter"
        }
    }

    private func answer(_ status: Int, _ body: [UInt8] = [], to location: String? = nil) throws -> AdHTTPResponse {
        var headers = AdHTTPHeaders()
        headers["Location"] = location
        return AdHTTPResponse(
            status: status,
            headers: headers,
            body: body,
            url: try #require(HTTPURL("https://m.example/a"))
        )
    }

    private func code(_ step: MediaFetch.Step) -> Int? { if case .fail(let error) = step { error.code } else { nil } }

    private func requested(_ step: MediaFetch.Step) -> String? {
        if case .send(let request) = step { request.url.text } else { nil }
    }

    @Test(
        "a range request is answered with its bytes, up to the limit of one answer",
        arguments: [
            (nil, 10, 0..<10), ("bytes=0-", 10, 0..<10), ("bytes=3-", 10, 3..<10), ("bytes=3-5", 10, 3..<6),
            ("bytes=3-99", 10, 3..<10), ("bytes=-4", 10, 6..<10), ("bytes=-99", 10, 0..<10), ("bytes=10-", 10, 0..<0),
            ("bytes=5-3", 10, 0..<10), ("bytes=a-b", 10, 0..<10), ("bytes=-", 10, 0..<10),
            ("bytes=0-1,4-5", 10, 0..<10),
            ("bytes=99999999999999999999-", 10, 0..<10), ("bytes=-0", 10, 0..<0), ("bytes=0-", 0, 0..<0),
            ("bytes=0-", 5 << 20, 0..<(1 << 20)), ("bytes=-3145728", 5 << 20, (2 << 20)..<(3 << 20)),
        ] as [(String?, Int, Range<Int>)]
    )
    func ranges(header: String?, size: Int, bytes: Range<Int>) {
        let range = MediaRange(header, of: size)
        #expect(range.bytes == bytes)
        let text = bytes.isEmpty ? "*" : "\(bytes.lowerBound)-\(bytes.upperBound - 1)"
        #expect(range.status == (bytes.isEmpty ? 416 : 206))
        #expect(
            range.headers(type: "video/mp4").contains { $0 == EngineHeader("Content-Range", "bytes \(text)/\(size)") }
        )
    }

    @Test("a response is a media file or an error with its VAST code")
    func answers() throws {
        var fetch = try self.fetch()
        #expect(self.requested(fetch.next()) == "https://m.example/a.mp4")
        #expect(fetch.handle(try self.answer(200, [1, 2])) == .done([1, 2], FetchedMedia(size: 2, status: 200)))
        for (status, code) in [(404, 401), (410, 401), (403, 400), (500, 400), (204, 400), (206, 400)] {
            #expect(self.code(fetch.handle(try self.answer(status, [1]))) == code, "\(status)")
        }
        #expect(self.code(fetch.handle(try self.answer(200))) == 405)
    }

    @Test("a failed request has its VAST error code")
    func failures() throws {
        let phases: [(TransportError.Phase, Int)] = [
            (.notSent(.connectTimedOut), 402), (.ambiguous(.timedOut), 402), (.notSent(.refused), 401),
            (.ambiguous(.truncated), 401), (.tooLarge, 400), (.cancelled(sent: true), 401),
        ]
        for (phase, code) in phases {
            #expect(self.code(try self.fetch().handle(TransportError(phase, "x"))) == code, "\(phase)")
        }
    }

    @Test("each redirect is checked, and their number is limited")
    func redirects() throws {
        var fetch = try self.fetch()
        #expect(self.requested(fetch.handle(try self.answer(302, to: "/b.mp4"))) == "https://m.example/b.mp4")
        #expect(self.code(fetch.handle(try self.answer(307, to: "http://10.0.0.1/a.mp4"))) == 401)
        for nowhere in [nil, "ftp://m.example/a"] {
            var lost = try self.fetch()
            #expect(self.code(lost.handle(try self.answer(301, to: nowhere))) == 400)
        }
        var endless = try self.fetch()
        for _ in 0..<5 { #expect(self.requested(endless.handle(try self.answer(302, to: "/again"))) != nil) }
        #expect(self.code(endless.handle(try self.answer(302, to: "/again"))) == 400)
    }

    @Test("all redirects share one time limit")
    func timeLimit() throws {
        var fetch = try self.fetch()
        guard case .send(let first) = fetch.next() else { throw MediaError(code: 0, message: "there is no request") }
        #expect(first.limits.total == .seconds(8) && first.limits.connecting == .seconds(5))
        let step = fetch.handle(try self.answer(302, to: "/b.mp4"), after: .seconds(6))
        guard case .send(let second) = step else { throw MediaError(code: 0, message: "the redirect is not followed") }
        #expect(second.limits.total == .seconds(2) && second.limits.connecting == .seconds(2))
        #expect(self.code(fetch.handle(try self.answer(302, to: "/c.mp4"), after: .seconds(8))) == 402)
    }

    @Test("a server that is not allowed must have a public address")
    func reach() throws {
        func reach(_ step: MediaFetch.Step) -> AdHTTPRequest.Reach? {
            if case .send(let request) = step { request.reach } else { nil }
        }
        var fetch = try self.fetch()
        #expect(reach(fetch.next()) == .publicOnly)
        #expect(reach(fetch.handle(try self.answer(302, to: "http://127.0.0.1:9/a"))) == .anywhere)
        #expect(reach(fetch.handle(try self.answer(302, to: "https://n.example/a"))) == .publicOnly)
    }

    @Test("the error of a file on the local network says how to allow the host")
    func allowHint() throws {
        func message(_ step: MediaFetch.Step) -> String {
            if case .fail(let error) = step { error.message } else { "" }
        }
        #expect(message(try self.fetch("http://127.0.0.1:8/a.mp4").next()).contains("--allow-host http://127.0.0.1:8,"))
        let refusal = TransportError(
            .notSent(.privateAddress),
            "Refused: m.example leads to a private address 10.0.0.5"
        )
        let step = try self.fetch().handle(refusal)
        #expect(self.code(step) == 401)
        #expect(
            message(step)
                == "https://m.example/a.mp4 is not requested: Refused: m.example leads to a private address 10.0.0.5; "
                + "yabbi-play allows it by --allow-host https://m.example:443, an app by `allowedHosts` of its ChromiumPresenter"
        )
    }

    @Test("only allowed hosts on this computer are requested, and no others if the network is closed")
    func places() throws {
        #expect(self.code(try self.fetch("http://127.0.0.1:8/a.mp4").next()) == 401)
        #expect(self.code(try self.fetch("http://printer/a.mp4").next()) == 401)
        #expect(self.requested(try self.fetch("http://127.0.0.1:9/a.mp4", isClosed: true).next()) != nil)
        #expect(self.code(try self.fetch(isClosed: true).next()) == 401)
    }

    @Test("the store keeps fetched files, returns ranges of them, and frees them")
    func store() async throws {
        struct Videos: Transport {
            func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
                AdHTTPResponse(status: 200, body: [1, 2, 3, 4], url: request.url)
            }
        }
        let store = MediaStore(Videos(), allowed: [], isClosed: false)
        let download = MediaDownload(number: 1, file: try self.file("https://m.example/a.mp4"))
        let result = await withCheckedContinuation { continuation in
            store.fetch(download) { continuation.resume(returning: $0) }
        }
        #expect(result == .success(FetchedMedia(size: 4, status: 200)))
        #expect(store.bytes(1..<3, of: 1) == [2, 3] && store.size == 4)
        #expect(store.bytes(0..<5, of: 1) == nil && store.bytes(0..<1, of: 2) == nil)
        store.drop(1)
        #expect(store.bytes(0..<1, of: 1) == nil && store.size == 0)
        store.clear()
        store.fetch(download) { _ in Issue.record("a cleared store fetches a file") }
    }

    @Test("dropping a file cancels its request, without a result")
    func cancelled() async throws {
        struct Never: Transport {
            let begun: AsyncStream<Void>.Continuation
            let ended: AsyncStream<Void>.Continuation

            func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                self.begun.yield()
                await withTaskCancellationHandler {
                    for await _ in stream {}
                } onCancel: {
                    continuation.finish()
                }
                self.ended.yield()
                throw TransportError(.cancelled(sent: true), "given up")
            }
        }
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        let (ended, hasEnded) = AsyncStream<Void>.makeStream()
        let store = MediaStore(Never(begun: hasBegun, ended: hasEnded), allowed: [], isClosed: false)
        store.fetch(MediaDownload(number: 1, file: try self.file("https://m.example/a.mp4"))) { _ in
            Issue.record("a dropped file has a result")
        }
        for await _ in begun { break }
        store.drop(1)
        for await _ in ended { break }
        #expect(store.size == 0)
    }
}

@Suite("Layout of a video's parts")
struct PartLayoutTests {
    private let layout: PartLayout
    private let image: HTTPURL

    init() throws {
        let container = AdContainer.fullScreen(Size(width: 390, height: 844))
        let size = CreativeLayout(.fixed(Size(width: 780, height: 440)), in: container)
        self.layout = PartLayout(geometry: StageGeometry(screen: Size(width: 390, height: 844), size: size))
        self.image = try #require(HTTPURL("https://m.example/a.png"))
    }

    private func part(_ width: Double?, _ height: Double = 20, x: VideoPart.Place? = nil, y: VideoPart.Place? = nil)
        -> VideoPart
    {
        var part = VideoPart(.image(self.image), size: width.map { Size(width: $0, height: height) })
        (part.x, part.y) = (x, y)
        return part
    }

    /// The video is 390 × 220 at 0, 312.
    @Test("an icon is placed in the video by its xPosition and yPosition")
    func icons() {
        let size = Size(width: 20, height: 20)
        func place(_ part: VideoPart) -> [Double]? { self.layout.box(part, as: .icon).map { [$0.left, $0.top] } }
        #expect(place(self.part(20)) == [0, 312] && place(self.part(20, x: .end, y: .end)) == [370, 512])
        #expect(place(self.part(20, x: .points(5), y: .points(7))) == [5, 319])
        #expect(place(self.part(20, x: .points(9_999), y: .points(-3))) == [370, 312])
        #expect(self.layout.box(self.part(nil), as: .icon)?.size == size)
        #expect(self.layout.box(self.part(0, 0), as: .icon)?.size == size)
        #expect(place(self.part(500)) == nil)
    }

    @Test(
        "a part that is too large is scaled down: an end card in the middle, an overlay at the video's lower edge"
    )
    func others() {
        let card = PartBox(left: 0, top: 422 - 146.25, size: Size(width: 640, height: 480), scale: 390 / 640)
        #expect(self.layout.box(self.part(640, 480), as: .endCard) == card)
        let small = PartBox(left: 45, top: 297, size: Size(width: 300, height: 250), scale: 1)
        #expect(self.layout.box(self.part(300, 250), as: .endCard) == small)
        let strip = PartBox(left: 35, top: 482, size: Size(width: 320, height: 50), scale: 1)
        #expect(self.layout.box(self.part(320, 50), as: .overlay) == strip)
        let below = PartBox(left: 45, top: 532, size: Size(width: 300, height: 200), scale: 1)
        #expect(self.layout.box(self.part(300, 200), as: .companion) == below)
        let tall = CreativeLayout(.fixed(Size(width: 390, height: 800)), in: .fullScreen(Size(width: 390, height: 844)))
        let crowded = PartLayout(geometry: StageGeometry(screen: Size(width: 390, height: 844), size: tall))
        #expect(crowded.box(self.part(300, 250), as: .companion) == nil)
    }
}
