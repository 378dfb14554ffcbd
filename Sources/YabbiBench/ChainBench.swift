import AdCore
import AdMarkup
import AdRuntime
import SandboxSSP
import YabbiAds

/// Five wrappers followed to their end, against the bare fetches of the same five documents, turn by turn in one run.
enum ChainBench {
    private static let hops = 5

    static func run() async throws -> [JSON] {
        let server = try Sandbox.start()
        defer { server.stop() }
        let transport = try CurlTransport()
        let fetcher = TagFetcher(transport, headers: ["User-Agent": "bench"])
        let values = MacroValues()
        let resolver = WrapperResolver(values: { values }, ask: { await fetcher.fetch($0) })
        guard let first = server.url("/vast/chain?hops=\(self.hops)") else { return [] }
        let document = try VASTDocument(parsing: try await transport.send(HTTPRequest(.get, first)).body)
        let urls = await resolver.resolve(document).hops.compactMap { HTTPURL($0.url.text) }
        guard urls.count == self.hops else { throw WishError(message: "the chain has \(urls.count) hops") }

        var chains: [Double] = []
        var fetches: [Double] = []
        var readings: [Double] = []
        let clock = ContinuousClock()
        for round in 0..<1_100 {
            let fetched = try await clock.measure {
                for url in urls {
                    _ = try await transport.send(HTTPRequest(.get, url, headers: ["User-Agent": "bench"]))
                }
            }
            // The floor of whoever has to read what comes before it can ask the next.
            let read = try await clock.measure {
                for url in urls {
                    let request = HTTPRequest(.get, url, headers: ["User-Agent": "bench"])
                    _ = try VASTDocument(parsing: try await transport.send(request).body)
                }
            }
            var pod = 0
            let followed = await clock.measure { pod = await resolver.resolve(document).pod.count }
            guard pod == 1 else { throw WishError(message: "the chain leads to \(pod) ads") }
            guard round >= 100 else { continue }
            fetches.append(fetched.inSeconds * 1e6)
            readings.append(read.inSeconds * 1e6)
            chains.append(followed.inSeconds * 1e6)
        }
        let (chain, fetch) = (ProcessFigures.median(chains), ProcessFigures.median(fetches))
        return [
            [
                "benchmark": "chain",
                "hops": .int(self.hops),
                "rounds": .int(chains.count),
                "chainP50Microseconds": ProcessFigures.rounded(chain),
                "fetchesP50Microseconds": ProcessFigures.rounded(fetch),
                "fetchesAndParsesP50Microseconds": ProcessFigures.rounded(ProcessFigures.median(readings)),
                "ratio": ProcessFigures.rounded(chain / fetch),
                "ratioToFetchesAndParses": ProcessFigures.rounded(chain / ProcessFigures.median(readings)),
            ]
        ]
    }
}
