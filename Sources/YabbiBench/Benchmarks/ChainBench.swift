import AdCore
import AdMarkup
import AdRuntime
import CurlTransport
import SandboxSSP
import YabbiAds

/// Wrappers followed to their end, against the bare fetches of the same documents, turn by turn in one run.
enum ChainBench {
    static func run(_ bench: Bench) async throws {
        let server = try Sandbox.start()
        defer { server.stop() }
        for hops in [1, 2, 5, 10] { try await self.run(hops: hops, of: server, bench) }
    }

    private static func run(hops: Int, of server: Sandbox, _ bench: Bench) async throws {
        let transport = try CurlTransport()
        let fetcher = TagFetcher(transport, headers: ["User-Agent": "bench"])
        let values = MacroValues()
        var limits = VASTChainLimits()
        limits.hops = hops
        let resolver = WrapperResolver(limits: limits, values: { values }, ask: { await fetcher.fetch($0) })
        guard let first = server.url("/vast/chain?hops=\(hops)") else { throw WishError(message: "no address") }
        let document = try VASTDocument(parsing: try await transport.send(AdHTTPRequest(.get, first)).body)
        let urls = await resolver.resolve(document).hops.compactMap { HTTPURL($0.url.text) }
        guard urls.count == hops else { throw WishError(message: "the chain has \(urls.count) hops, not \(hops)") }
        let requests = urls.map { AdHTTPRequest(.get, $0, headers: ["User-Agent": "bench"]) }

        let warmUp = bench.full(100, quick: 1)
        var fetches = Pairs(warmUp: warmUp)
        var readings = Pairs(warmUp: warmUp)
        let clock = ContinuousClock()
        for _ in 0..<warmUp + bench.full(1_000, quick: 5) {
            let fetched = try await clock.measure {
                for request in requests { _ = try await transport.send(request) }
            }
            // The floor of whoever has to read what comes before it can ask the next.
            let read = try await clock.measure {
                for request in requests { _ = try VASTDocument(parsing: try await transport.send(request).body) }
            }
            var pod = 0
            let followed = await clock.measure { pod = await resolver.resolve(document).pod.count }
            guard pod == 1 else { throw WishError(message: "the chain leads to \(pod) ads") }
            fetches.take(followed.inMicroseconds, floor: fetched.inMicroseconds)
            readings.take(followed.inMicroseconds, floor: read.inMicroseconds)
        }
        let size = Figure.Amount(hops, "wrappers")
        // The aim was set for as many wrappers as are followed where nobody says otherwise.
        let aim: Figure.Aim? = hops == VASTChainLimits.standard.hops ? .atMost(1.2) : nil
        bench.tell("a chain followed", fetches, against: "its bare requests", .all("µs"), at: size, aim: aim)
        bench.tell(
            "a chain followed, against requests and reading",
            readings,
            against: "its requests, each answer read",
            .all("µs"),
            at: size
        )
    }
}
