import AdCore
import AdProviders
import AdRuntime
import CurlTransport
import SandboxSSP
import YabbiAds

/// A load, compared with requests for the same bytes.
enum LoadBench {
    static func run(_ bench: BenchContext) async throws {
        for bytes in [1_000, 4_000, 16_000] { try await self.run(markupBytes: bytes, bench) }
    }

    private static func run(markupBytes: Int, _ bench: BenchContext) async throws {
        // The same server sends the same bytes to both, so that the difference is the load's own work.
        let answer = self.answer(markupBytes)
        let server = try FixedServer(json: answer)
        defer { server.stop() }
        let transport = try CurlTransport()
        let app = YabbiApp(publisherID: "bench", bundle: "com.example.bench", name: "Bench")
        let loader = AdLoader.yabbi(
            server.url,
            app: app,
            services: AdServices(transport: transport, opener: NoOpener())
        )
        let request = try await loader.request(for: .banner(unit: "bench"))
        let bare = AdHTTPRequest(.get, server.url)

        let warmUp = bench.full(100, quick: 2)
        var gets = PairedSamples(warmUp: warmUp)
        var posts = PairedSamples(warmUp: warmUp)
        let clock = ContinuousClock()
        for _ in 0..<warmUp + bench.full(1_000, quick: 10) {
            let get = try await clock.measure { _ = try await transport.send(bare) }
            let post = try await clock.measure { _ = try await transport.send(request) }
            let load = try await clock.measure { _ = try await loader.load(.banner(unit: "bench")) }
            gets.add(load.inMicroseconds, baseline: get.inMicroseconds)
            posts.add(load.inMicroseconds, baseline: post.inMicroseconds)
        }
        let size = Figure.Amount(markupBytes, "bytes of markup")
        bench.report("load", gets, against: "a GET", .each("µs"), at: size, target: .atMost(1.3))
        bench.report("load, compared with its POST", posts, against: "the POST alone", .each("µs"), at: size)
    }

    private static func answer(_ markupBytes: Int) -> [UInt8] {
        let tracker = "http://127.0.0.1:9/t"
        let answer: AdJSON = [
            "type": 1, "adm": .string(self.markup(markupBytes)), "closeTimeout": 5000, "width": 320, "height": 50,
            "tracker": ["view": .string("\(tracker)/view?unit=bench&ad=1"), "click": .string("\(tracker)/click?ad=1")],
        ]
        return answer.bytes()
    }

    /// A banner of about the given size.
    private static func markup(_ bytes: Int) -> String {
        var markup = #"<div style="width:320px;height:50px"><a href="https://shop.example/">Buy</a>"#
        var number = 0
        while markup.utf8.count < bytes {
            number += 1
            markup += #"<p class="line" data-n="\#(number)">A line of a banner, number \#(number)</p>"#
        }
        return markup + "</div>"
    }
}
