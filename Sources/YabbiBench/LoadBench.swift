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
        let entry = CreativeEntry(name: "bench", markup: self.markup(markupBytes), width: 320, height: 50)
        let transport = try CurlTransport()
        let app = YabbiApp(publisherID: "bench", bundle: "com.example.bench", name: "Bench")

        // The answer is fetched once, so that a second server can give out the same bytes for a GET.
        var configuration = Sandbox.Configuration()
        configuration.catalogue = try CreativeCatalogue([entry])
        let server = try Sandbox.start(configuration)
        defer { server.stop() }
        guard let endpoint = server.url("/yabbi/load") else { return .null }
        let services = AdServices(transport: transport)
        let loader = AdLoader.yabbi(endpoint, app: app, services: services)
        let request = try await loader.request(for: .banner(unit: "bench"))
        let answer = try await transport.send(request).body
        configuration.catalogue = try CreativeCatalogue([entry], files: ["answer.json": answer])
        let files = try Sandbox.start(configuration)
        defer { files.stop() }
        guard let file = files.url("/creatives/answer.json") else { return .null }
        let get = HTTPRequest(.get, file)
        guard try await transport.send(get).body == answer else {
            throw AdError(.unreadableAnswer, "the file server does not give out the answer's bytes")
        }

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
