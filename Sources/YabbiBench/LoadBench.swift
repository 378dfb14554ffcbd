import AdCore
import AdRuntime
import SandboxSSP
import YabbiAds

/// A whole load against the transport's bare GET of the same bytes, turn by turn in one run.
enum LoadBench {
    static func run() async throws -> [JSON] {
        var figures: [JSON] = []
        for bytes in [1_000, 4_000, 16_000] { figures.append(try await self.run(markupBytes: bytes)) }
        return figures
    }

    private static func run(markupBytes: Int) async throws -> JSON {
        // Both are given the same bytes by the same server, so that all the difference is the load's own.
        let answer = self.answer(markupBytes)
        let server = try FixedServer(json: answer)
        defer { server.stop() }
        let transport = try CurlTransport()
        let app = YabbiApp(publisherID: "bench", bundle: "com.example.bench", name: "Bench")
        let loader = AdLoader.yabbi(server.url, app: app, services: AdServices(transport: transport))
        let request = try await loader.request(for: .banner(unit: "bench"))
        let get = HTTPRequest(.get, server.url)

        var loads: [Double] = []
        var gets: [Double] = []
        var posts: [Double] = []
        let clock = ContinuousClock()
        for round in 0..<1_100 {
            let get = try await clock.measure { _ = try await transport.send(get) }
            let post = try await clock.measure { _ = try await transport.send(request) }
            let load = try await clock.measure { _ = try await loader.load(.banner(unit: "bench")) }
            guard round >= 100 else { continue }
            gets.append(get.inSeconds * 1e6)
            posts.append(post.inSeconds * 1e6)
            loads.append(load.inSeconds * 1e6)
        }
        let load = ProcessFigures.median(loads)
        return [
            "benchmark": "load",
            "answerBytes": .int(answer.count),
            "rounds": .int(loads.count),
            "loadP50Microseconds": ProcessFigures.rounded(load),
            "rawGetP50Microseconds": ProcessFigures.rounded(ProcessFigures.median(gets)),
            "rawPostP50Microseconds": ProcessFigures.rounded(ProcessFigures.median(posts)),
            "ratioToGet": ProcessFigures.rounded(load / ProcessFigures.median(gets)),
            "ratioToPost": ProcessFigures.rounded(load / ProcessFigures.median(posts)),
        ]
    }

    private static func answer(_ markupBytes: Int) -> [UInt8] {
        let tracker = "http://127.0.0.1:9/t"
        let answer: JSON = [
            "type": 1, "adm": .string(self.markup(markupBytes)), "closeTimeout": 5000, "width": 320, "height": 50,
            "tracker": ["view": .string("\(tracker)/view?unit=bench&ad=1"), "click": .string("\(tracker)/click?ad=1")],
        ]
        return answer.bytes()
    }

    /// A banner of about so many bytes.
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
