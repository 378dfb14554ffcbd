import AdCore
import AdMarkup
import AdRuntime
import CurlTransport
import SandboxSSP
import YabbiAds

/// Resolving wrappers, compared with requests for the same documents.
enum ChainBench {
    static func run(_ bench: BenchContext) async throws {
        let server = try Sandbox.start()
        defer { server.stop() }
        for hops in [1, 2, 5, 10] { try await self.run(hops: hops, of: server, bench) }
    }

    private static func run(hops: Int, of server: Sandbox, _ bench: BenchContext) async throws {
        let transport = try CurlTransport()
        let fetcher = TagFetcher(transport, headers: ["User-Agent": "bench"])
        let values = MacroValues()
        var limits = VASTChainLimits()
        limits.hops = hops
        let resolver = WrapperResolver(limits: limits, values: { values }, fetch: { await fetcher.fetch($0) })
        guard let first = server.url("/vast/chain?hops=\(hops)") else { throw BenchError(message: "invalid URL") }
        let document = try VASTDocument(parsing: try await transport.send(AdHTTPRequest(.get, first)).body)
        let urls = await resolver.resolve(document).hops.compactMap { HTTPURL($0.url.text) }
        guard urls.count == hops else { throw BenchError(message: "the chain has \(urls.count) wrappers, not \(hops)") }
        let requests = urls.map { AdHTTPRequest(.get, $0, headers: ["User-Agent": "bench"]) }

        let warmUp = bench.full(100, quick: 1)
        var fetches = PairedSamples(warmUp: warmUp)
        var parsings = PairedSamples(warmUp: warmUp)
        let clock = ContinuousClock()
        for _ in 0..<warmUp + bench.full(1_000, quick: 5) {
            let fetched = try await clock.measure {
                for request in requests { _ = try await transport.send(request) }
            }
            // Each response is parsed, too, as a player must to get the next URL.
            let parsed = try await clock.measure {
                for request in requests { _ = try VASTDocument(parsing: try await transport.send(request).body) }
            }
            var pod = 0
            let resolved = await clock.measure { pod = await resolver.resolve(document).pod.count }
            guard pod == 1 else { throw BenchError(message: "the chain resolves to \(pod) ads, not 1") }
            fetches.add(resolved.inMicroseconds, baseline: fetched.inMicroseconds)
            parsings.add(resolved.inMicroseconds, baseline: parsed.inMicroseconds)
        }
        let size = Figure.Amount(hops, "wrappers")
        // The target applies to the default wrapper limit only.
        let target: Figure.Target? = hops == VASTChainLimits.standard.hops ? .atMost(1.1) : nil
        bench.report("chain resolved", fetches, against: "the requests alone", .all("µs"), at: size, target: target)
        bench.report(
            "chain resolved, compared with requests and parsing",
            parsings,
            against: "requests and parsing",
            .all("µs"),
            at: size
        )
    }
}
