import AdCore
import Testing

@testable import LoopbackServer
@testable import PlayLab

@Suite("Access to the lab", .timeLimit(.minutes(1)))
struct AccessTests {
    private let scene = LabScene()

    private func status(_ target: String, _ headers: [String: String] = ["host": "127.0.0.1:8000"]) -> Int {
        self.scene.responder.respond(to: ServerRequest(method: "GET", target: target, headers: headers)).status
    }

    @Test("every path without the token, or with another one, answers 403")
    func token() {
        for path in ["/", "/lab.js", "/options", "/ads", "/ads/a1/events", "/unknown"] {
            #expect(self.status(path) == 403)
            #expect(self.status(path + "?token=") == 403)
            #expect(self.status(path + "?token=0123456789abcdeX") == 403)
            #expect(self.status(path + "?token=0123456789abcdef0") == 403)
        }
        #expect(self.status("/?token=\(LabScene.token)") == 200)
        let bearer = ["host": "localhost:8000", "authorization": "Bearer \(LabScene.token)"]
        #expect(self.status("/ads", bearer) == 200)
    }

    @Test("a name of another host, as after DNS rebinding, answers 403 even with the token")
    func host() {
        let target = "/ads?token=\(LabScene.token)"
        for host in ["evil.example:8000", "127.0.0.1:8001", "127.0.0.1", "127.0.0.1:8000@evil.example", ""] {
            #expect(self.status(target, ["host": host]) == 403)
        }
        #expect(self.status(target, [:]) == 403)
        #expect(self.status(target, ["host": "localhost:8000"]) == 200)
    }

    @Test("a page of another origin is refused, also with the token")
    func origin() {
        let target = "/ads?token=\(LabScene.token)"
        let host = ["host": "127.0.0.1:8000"]
        func with(_ more: [String: String]) -> [String: String] { host.merging(more) { $1 } }
        #expect(self.status(target, with(["origin": "https://evil.example"])) == 403)
        #expect(self.status(target, with(["origin": "http://127.0.0.1:8001"])) == 403)
        #expect(self.status(target, with(["origin": "null"])) == 403)
        #expect(self.status(target, with(["sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"])) == 403)
        #expect(self.status(target, with(["sec-fetch-site": "same-site", "sec-fetch-mode": "cors"])) == 403)
        #expect(self.status(target, with(["origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"])) == 200)
        // A link that is followed from elsewhere opens the page.
        let link = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"]
        #expect(self.status("/?token=\(LabScene.token)", with(link)) == 200)
        let frame = ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"]
        #expect(self.status("/?token=\(LabScene.token)", with(frame)) == 403)
    }

    @Test("every response keeps the page to itself")
    func headers() {
        for path in ["/", "/lab.js", "/ads", "/nothing"] {
            let response = self.scene.send("GET", path)
            let policy = response.headers["Content-Security-Policy"] ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(response.headers["Referrer-Policy"] == "no-referrer")
            #expect(response.headers["Cache-Control"] == "no-store")
            #expect(response.headers["X-Content-Type-Options"] == "nosniff")
        }
    }

    @Test("so does every response that comes later: pictures, files, comparisons")
    func laterHeaders() async throws {
        let id = self.scene.start()
        self.scene.host.runs[0].ad.add(picture: [1], at: 0)
        let id2 = self.scene.start()
        let compared = self.scene.send("POST", "/compare", body: ["a": .string(id), "b": .string(id2)])
        let paths = ["frame?after=0", "source", "structure", "report", "har"]
        for response in paths.map({ self.scene.send("GET", "/ads/\(id)/\($0)") }) + [compared] {
            let later = try #require(response.later)
            var known = later.poll()
            while known == nil, !Task.isCancelled {
                await Task.yield()
                known = later.poll()
            }
            let headers = try #require(known).headers
            #expect(headers["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(headers["Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(headers["Cache-Control"] == "no-store")
        }
    }

    @Test("links and imports of the page carry the token")
    func links() {
        let page = self.scene.send("GET", "/")
        guard case .bytes(let bytes) = page.body else {
            Issue.record("the page has no body")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("lab.js?token=\(LabScene.token)") && text.contains("lab.css?token=\(LabScene.token)"))
        #expect(!text.contains(".js\"") && !text.contains("<script>"))
    }
}
