import AdCore
import PlayScan
import SystemSupport
import Testing

@Suite("The files that creatives of a scan share")
struct FetchCacheTests {
    private static let url: HTTPURL = {
        guard let url = HTTPURL("https://cdn.example/ad.mp4") else { preconditionFailure("the URL is valid") }
        return url
    }()

    private static func request(_ purpose: RequestPurpose = .media) -> AdHTTPRequest {
        var request = AdHTTPRequest(.get, Self.url, limits: .init(body: 100 << 20))
        request.purpose = purpose
        return request
    }

    private static func response(_ headers: AdHTTPHeaders, size: Int = 3, status: Int = 200) -> AdHTTPResponse {
        AdHTTPResponse(status: status, headers: headers, body: Array(repeating: 1, count: size), url: Self.url)
    }

    /// Whether a response with these headers is used again after a time.
    private static func isUsedAgain(_ headers: AdHTTPHeaders, after time: Duration = .seconds(1)) -> Bool {
        var cache = FetchCache()
        cache.keep(self.response(headers), to: self.request(), at: .zero)
        return cache.response(to: self.request(), at: time) != nil
    }

    @Test("are kept for as long as their server allows")
    func freshness() {
        #expect(Self.isUsedAgain(["Cache-Control": "public, max-age=60"], after: .seconds(59)))
        #expect(!Self.isUsedAgain(["Cache-Control": "public, max-age=60"], after: .seconds(60)))
        #expect(Self.isUsedAgain(["cache-control": "Max-Age=60", "Vary": "Accept-Encoding"]))
        #expect(Self.isUsedAgain(["Cache-Control": "max-age=60", "Age": "30"], after: .seconds(29)))
        #expect(!Self.isUsedAgain(["Cache-Control": "max-age=60", "Age": "30"], after: .seconds(30)))
        // As servers say "forever"; a year is enough.
        let forever: AdHTTPHeaders = ["Cache-Control": "max-age=99999999999999999999"]
        #expect(Self.isUsedAgain(forever, after: .seconds(31_535_999)))
        #expect(!Self.isUsedAgain(forever, after: .seconds(31_536_000)))
    }

    @Test(
        "are not kept if their server does not allow it, or not clearly",
        arguments: [
            [:], ["Cache-Control": "public"], ["Cache-Control": "max-age=0"], ["Cache-Control": "max-age=soon"],
            ["Cache-Control": "max-age=60, no-store"], ["Cache-Control": "no-cache=\"x\", max-age=60"],
            ["Cache-Control": "max-age=60, max-age=10"], ["Cache-Control": "max-age=60", "Vary": "*"],
            ["Cache-Control": "max-age=60", "Vary": "User-Agent, Accept-Encoding"],
            ["Cache-Control": "max-age=60", "Set-Cookie": "id=1"], ["Cache-Control": "max-age=60", "Age": "61"],
            ["Cache-Control": "max-age=+60"], ["Cache-Control": "x=\"a, max-age=60\""],
            ["Cache-Control": "max-age=60", "Age": "new"],
        ] as [AdHTTPHeaders]
    )
    func refusal(_ headers: AdHTTPHeaders) {
        #expect(!Self.isUsedAgain(headers))
    }

    @Test("are wrappers and media files, not ads, tags or trackers", arguments: RequestPurpose.allCases)
    func purposes(_ purpose: RequestPurpose) {
        var cache = FetchCache()
        cache.keep(Self.response(["Cache-Control": "max-age=60"]), to: Self.request(purpose), at: .zero)
        let kept = cache.response(to: Self.request(purpose), at: .zero)
        #expect((kept != nil) == [.wrapper, .media].contains(purpose))
    }

    @Test("are told apart by URL, headers and which servers the request may reach")
    func keys() throws {
        var cache = FetchCache()
        cache.keep(Self.response(["Cache-Control": "max-age=60"]), to: Self.request(), at: .zero)
        var other = Self.request()
        other.headers["User-Agent"] = "another"
        #expect(cache.response(to: other, at: .zero) == nil)
        other = Self.request()
        // What may be fetched from this network must not be given to a creative that may not reach it.
        other.reach = .publicOnly
        #expect(cache.response(to: other, at: .zero) == nil)
        other = Self.request()
        other.url = try #require(HTTPURL("https://cdn.example/ad.mp4?2"))
        #expect(cache.response(to: other, at: .zero) == nil)
        other = Self.request()
        other.limits.body = 2
        #expect(cache.response(to: other, at: .zero) == nil)
    }

    @Test("are not kept after a redirect, nor for a request that is counted")
    func exceptions() {
        var cache = FetchCache()
        var response = Self.response(["Cache-Control": "max-age=60"])
        response.redirects = 1
        cache.keep(response, to: Self.request(), at: .zero)
        response.redirects = 0
        var request = Self.request()
        request.repetition = .counted
        cache.keep(response, to: request, at: .zero)
        #expect(cache.count == 0)
    }

    @Test("stay within a number and a size; errors and large files are not kept, and the oldest are removed")
    func size() {
        var cache = FetchCache()
        let headers: AdHTTPHeaders = ["Cache-Control": "max-age=60"]
        cache.keep(Self.response(headers, status: 404), to: Self.request(), at: .zero)
        cache.keep(Self.response(headers, size: FetchCache.responseLimit + 1), to: Self.request(), at: .zero)
        #expect(cache.size == 0)
        func numbered(_ number: Int) -> AdHTTPRequest {
            var request = Self.request()
            request.headers["X-Number"] = "\(number)"
            return request
        }
        for number in 0..<6 {
            cache.keep(Self.response(headers, size: 12 << 20), to: numbered(number), at: .zero)
        }
        #expect(cache.size == 60 << 20)
        #expect(cache.response(to: numbered(0), at: .zero) == nil)
        #expect(cache.response(to: numbered(1), at: .zero) != nil)
        for number in 0..<FetchCache.countLimit + 10 {
            cache.keep(Self.response(headers, size: 0), to: numbered(100 + number), at: .zero)
        }
        #expect(cache.count == FetchCache.countLimit && cache.size == 0)
        cache.keep(Self.response(headers, size: 12 << 20), to: numbered(5), at: .zero)
        // A newer response takes the place of the older one.
        cache.keep(Self.response(headers, size: 1 << 20), to: numbered(5), at: .zero)
        #expect(cache.size == 1 << 20)
    }

    @Test("are sent for once")
    func transport() async throws {
        let server = CountingTransport()
        let transport = CachingTransport(server)
        for _ in 0..<3 { _ = try await transport.send(Self.request()) }
        for _ in 0..<3 { _ = try await transport.send(Self.request(.beacon)) }
        #expect(server.counts.withLock { $0 } == [.media: 1, .beacon: 3])
    }
}

/// Answers all requests with a response that may be kept, and counts them.
private final class CountingTransport: Transport, SocketTransport {
    let counts = Locked<[RequestPurpose: Int]>([:])

    func send(_ request: AdHTTPRequest) async throws(TransportError) -> AdHTTPResponse {
        self.counts.withLock { $0[request.purpose, default: 0] += 1 }
        return AdHTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"], body: [1], url: request.url)
    }

    func open(_ request: SocketRequest, report: @escaping @Sendable (SocketEvent) -> Void) -> any SocketConnection {
        fatalError("no test opens a connection")
    }
}
