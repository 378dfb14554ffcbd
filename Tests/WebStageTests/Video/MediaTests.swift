import AdCore
import Testing

@testable import WebStage

@Suite("How a media file is fetched and given to the page")
struct MediaTests {
    private let allowed: Set<String> = ["http://127.0.0.1:9"]

    private func file(_ url: String) throws -> MediaFile {
        MediaFile(try #require(HTTPURL(url)), type: "video/mp4")
    }

    private func fetch(_ url: String = "https://m.example/a.mp4", isClosed: Bool = false) throws -> MediaFetch {
        MediaFetch(try self.file(url), allowed: self.allowed, isClosed: isClosed)
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

    private func code(_ step: MediaFetch.Step) -> Int? { if case .fail(let fault) = step { fault.code } else { nil } }

    private func asked(_ step: MediaFetch.Step) -> String? {
        if case .send(let request) = step { request.url.text } else { nil }
    }

    @Test(
        "a range is answered with its bytes, and never with more than goes at a time",
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
        let piece = MediaPiece(header, of: size)
        #expect(piece.bytes == bytes)
        let range = bytes.isEmpty ? "*" : "\(bytes.lowerBound)-\(bytes.upperBound - 1)"
        #expect(piece.status == (bytes.isEmpty ? 416 : 206))
        #expect(
            piece.headers(type: "video/mp4").contains { $0 == EngineHeader("Content-Range", "bytes \(range)/\(size)") }
        )
    }

    @Test("a response is a media file, or the reason why there is none")
    func answers() throws {
        var fetch = try self.fetch()
        #expect(self.asked(fetch.next()) == "https://m.example/a.mp4")
        #expect(fetch.answered(try self.answer(200, [1, 2])) == .done([1, 2], FetchedMedia(size: 2, status: 200)))
        for (status, code) in [(404, 401), (410, 401), (403, 400), (500, 400), (204, 400), (206, 400)] {
            #expect(self.code(fetch.answered(try self.answer(status, [1]))) == code, "\(status)")
        }
        #expect(self.code(fetch.answered(try self.answer(200))) == 405)
    }

    @Test("a request that fails is a media file that is late, or missing")
    func failures() throws {
        let phases: [(TransportError.Phase, Int)] = [
            (.notSent(.connectTimedOut), 402), (.ambiguous(.timedOut), 402), (.notSent(.refused), 401),
            (.ambiguous(.truncated), 401), (.tooLarge, 400), (.cancelled(sent: true), 401),
        ]
        for (phase, code) in phases {
            #expect(self.code(try self.fetch().failed(TransportError(phase, "x"))) == code, "\(phase)")
        }
    }

    @Test("each address on the way is judged, and the way has an end")
    func redirects() throws {
        var fetch = try self.fetch()
        #expect(self.asked(fetch.answered(try self.answer(302, to: "/b.mp4"))) == "https://m.example/b.mp4")
        #expect(self.code(fetch.answered(try self.answer(307, to: "http://10.0.0.1/a.mp4"))) == 401)
        for nowhere in [nil, "ftp://m.example/a"] {
            var lost = try self.fetch()
            #expect(self.code(lost.answered(try self.answer(301, to: nowhere))) == 400)
        }
        var endless = try self.fetch()
        for _ in 0..<5 { #expect(self.asked(endless.answered(try self.answer(302, to: "/again"))) != nil) }
        #expect(self.code(endless.answered(try self.answer(302, to: "/again"))) == 400)
    }

    @Test("all the redirects on the way have one time together")
    func patience() throws {
        var fetch = try self.fetch()
        guard case .send(let first) = fetch.next() else { throw MediaFault(code: 0, message: "nothing is asked") }
        #expect(first.limits.total == .seconds(8) && first.limits.connecting == .seconds(5))
        let step = fetch.answered(try self.answer(302, to: "/b.mp4"), after: .seconds(6))
        guard case .send(let second) = step else { throw MediaFault(code: 0, message: "the redirect leads nowhere") }
        #expect(second.limits.total == .seconds(2) && second.limits.connecting == .seconds(2))
        #expect(self.code(fetch.answered(try self.answer(302, to: "/c.mp4"), after: .seconds(8))) == 402)
    }

    @Test("a server that was not named must be one of the world, wherever its name leads")
    func reach() throws {
        func reach(_ step: MediaFetch.Step) -> AdHTTPRequest.Reach? {
            if case .send(let request) = step { request.reach } else { nil }
        }
        var fetch = try self.fetch()
        #expect(reach(fetch.next()) == .publicOnly)
        #expect(reach(fetch.answered(try self.answer(302, to: "http://127.0.0.1:9/a"))) == .anywhere)
        #expect(reach(fetch.answered(try self.answer(302, to: "https://n.example/a"))) == .publicOnly)
    }

    @Test("the error of a file on the local network has its address, and how to allow it")
    func cure() throws {
        func words(_ step: MediaFetch.Step) -> String { if case .fail(let fault) = step { fault.message } else { "" } }
        #expect(words(try self.fetch("http://127.0.0.1:8/a.mp4").next()).contains("--allow-host http://127.0.0.1:8,"))
        let refusal = TransportError(
            .notSent(.privateAddress),
            "Refused: m.example leads to a private address 10.0.0.5"
        )
        let step = try self.fetch().failed(refusal)
        #expect(self.code(step) == 401)
        #expect(
            words(step)
                == "https://m.example/a.mp4 is not asked: Refused: m.example leads to a private address 10.0.0.5; "
                + "yabbi-play allows it by --allow-host https://m.example:443, an app by `allowedHosts` of its ChromiumPresenter"
        )
    }

    @Test("this machine is called only where the host allows it, and no server where the network is closed")
    func places() throws {
        #expect(self.code(try self.fetch("http://127.0.0.1:8/a.mp4").next()) == 401)
        #expect(self.code(try self.fetch("http://printer/a.mp4").next()) == 401)
        #expect(self.asked(try self.fetch("http://127.0.0.1:9/a.mp4", isClosed: true).next()) != nil)
        #expect(self.code(try self.fetch(isClosed: true).next()) == 401)
    }

    @Test("the shelf holds what came, gives pieces of it, and frees it")
    func shelf() async throws {
        struct Films: Transport {
            func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
                AdHTTPResponse(status: 200, body: [1, 2, 3, 4], url: request.url)
            }
        }
        let shelf = MediaStore(Films(), allowed: [], isClosed: false)
        let order = MediaOrder(number: 1, file: try self.file("https://m.example/a.mp4"))
        let result = await withCheckedContinuation { continuation in
            shelf.fetch(order) { continuation.resume(returning: $0) }
        }
        #expect(result == .success(FetchedMedia(size: 4, status: 200)))
        #expect(shelf.bytes(1..<3, of: 1) == [2, 3] && shelf.size == 4)
        #expect(shelf.bytes(0..<5, of: 1) == nil && shelf.bytes(0..<1, of: 2) == nil)
        shelf.drop(1)
        #expect(shelf.bytes(0..<1, of: 1) == nil && shelf.size == 0)
        shelf.clear()
        shelf.fetch(order) { _ in Issue.record("what is over fetches nothing") }
    }

    @Test("a file that is dropped is not waited for: its request is cancelled, and there is no result")
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
        let shelf = MediaStore(Never(begun: hasBegun, ended: hasEnded), allowed: [], isClosed: false)
        shelf.fetch(MediaOrder(number: 1, file: try self.file("https://m.example/a.mp4"))) { _ in
            Issue.record("nobody waits for it any more")
        }
        for await _ in begun { break }
        shelf.drop(1)
        for await _ in ended { break }
        #expect(shelf.size == 0)
    }
}

@Suite("Where the parts of a video stand")
struct PartLayoutTests {
    private let layout: PartLayout
    private let image: HTTPURL

    init() throws {
        let container = AdContainer.fullScreen(Size(width: 390, height: 844))
        let size = CreativeLayout(.fixed(Size(width: 780, height: 440)), in: container)
        self.layout = PartLayout(room: StageRoom(screen: Size(width: 390, height: 844), size: size))
        self.image = try #require(HTTPURL("https://m.example/a.png"))
    }

    private func part(_ width: Double?, _ height: Double = 20, x: VideoPart.Place? = nil, y: VideoPart.Place? = nil)
        -> VideoPart
    {
        var part = VideoPart(.image(self.image), size: width.map { Size(width: $0, height: height) })
        (part.x, part.y) = (x, y)
        return part
    }

    /// The film is 390x220, and begins at 0, 312.
    @Test("an icon is placed in the video as it specifies")
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
        "a part that is larger than its room is drawn smaller: an end card in the middle, an overlay at the video's lower edge"
    )
    func others() {
        let card = PartBox(left: 0, top: 422 - 146.25, size: Size(width: 640, height: 480), scale: 390 / 640)
        #expect(self.layout.box(self.part(640, 480), as: .endCard) == card)
        let small = PartBox(left: 45, top: 297, size: Size(width: 300, height: 250), scale: 1)
        #expect(self.layout.box(self.part(300, 250), as: .endCard) == small)
        let strip = PartBox(left: 35, top: 482, size: Size(width: 320, height: 50), scale: 1)
        #expect(self.layout.box(self.part(320, 50), as: .overlay) == strip)
        let below = PartBox(left: 45, top: 532, size: Size(width: 300, height: 200), scale: 1)
        #expect(self.layout.box(self.part(300, 200), as: .beside) == below)
        let tall = CreativeLayout(.fixed(Size(width: 390, height: 800)), in: .fullScreen(Size(width: 390, height: 844)))
        let crowded = PartLayout(room: StageRoom(screen: Size(width: 390, height: 844), size: tall))
        #expect(crowded.box(self.part(300, 250), as: .beside) == nil)
    }
}
