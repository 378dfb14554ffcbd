import AdCore
import CurlTransport

/// `yabbi-play lab` in a process of its own, and requests to it as its page sends them.
final class LabProcess: Sendable {
    private let process: PlayProcess
    private let origin: String
    private let token: String
    private let transport: CurlTransport

    /// Starts the command that is beside this executable; the error has the way to build it.
    init() throws {
        // As root the browser has no sandbox, as in the stage's benchmark.
        let process = try PlayProcess(["lab", "--json", "--no-sandbox"], withErrors: false)
        let address = try? AdJSON(parsing: process.nextLine() ?? "")["url"]?.string
        guard let parts = address?.split(separator: "?token=", maxSplits: 1), parts.count == 2 else {
            process.end()
            throw BenchmarkSkipped(reason: "the lab does not start: no browser is installed")
        }
        self.process = process
        self.origin = String(parts[0].dropLast())
        self.token = String(parts[1])
        self.transport = try CurlTransport()
    }

    /// Sends a request; nil for a response that says that there is nothing (any more).
    private func send(_ method: AdHTTPRequest.Method, _ path: String, _ body: AdJSON? = nil) async throws
        -> AdHTTPResponse?
    {
        guard let url = HTTPURL(self.origin + path) else { throw BenchError(message: "no URL: \(path)") }
        var request = AdHTTPRequest(method, url, limits: .init(total: .seconds(30), body: 4 << 20))
        request.headers["Authorization"] = "Bearer \(self.token)"
        request.body = body?.bytes()
        let response = try await self.transport.send(request)
        guard response.status != 204, response.status != 410 else { return nil }
        guard (200...299).contains(response.status) else {
            throw BenchError(message: "\(path) responded with status \(response.status)")
        }
        return response
    }

    /// Runs markup at a size, and returns the ad's id.
    func run(_ markup: String, _ options: AdJSON) async throws -> String {
        let order: AdJSON = ["source": ["kind": "markup", "text": .string(markup)], "options": options]
        let response = try await self.send(.post, "/ads", order)
        let id = response.flatMap { try? AdJSON(parsing: $0.body) }?["id"]?.string
        guard let id else { throw BenchError(message: "the lab returned no ad") }
        return id
    }

    /// Waits for the next picture after a number, and returns its number; nil if there is none.
    func picture(_ ad: String, after number: Int) async throws -> Int? {
        let response = try await self.send(.get, "/ads/\(ad)/frame?after=\(number)")
        return response?.headers["x-frame"].flatMap { Int($0) }
    }

    func tap(_ ad: String, x: Double, y: Double) async throws {
        _ = try await self.send(.post, "/ads/\(ad)/input", ["type": "tap", "x": .double(x), "y": .double(y)])
    }

    /// Ends an ad, and reads its pictures to the end.
    func end(_ ad: String) async throws {
        _ = try await self.send(.post, "/ads/\(ad)/do", ["action": "end"])
        var last = 0
        while let next = try await self.picture(ad, after: last) { last = next }
    }

    /// Ends the process.
    func end() { self.process.end() }
}
