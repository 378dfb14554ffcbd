import AdCore
import BrowserSupport
import PlayConsole
import PlaySupport
import SystemSupport
import TestSupport
import Testing

@testable import LoopbackServer
@testable import YabbiPlay

@Suite("What servers of a scanned creative send", .needsBrowser, .timeLimit(.minutes(2)))
struct ScanServerTests {
    /// A server that counts the requests for each path.
    private static func server(
        _ counts: Locked<[String: Int]>,
        _ respond: @escaping @Sendable (String) -> ServerResponse
    ) throws -> HTTPServer {
        try HTTPServer(HTTPServer.Listener(port: 0)) { request in
            let path = request.path
            counts.withLock { $0[path, default: 0] += 1 }
            return respond(path)
        }
    }

    @Test(
        "cookies of responses and the length of an animated image are measured, and the next creative has neither",
        arguments: ["image/gif", "application/octet-stream"]
    )
    func measured(type: String) async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let server = try Self.server(Locked([:])) { path in
            guard path == "/long.gif" else { return .failure(404, "no such file") }
            var response = ServerResponse(status: 200, headers: ["Content-Type": type])
            response.headers["Set-Cookie"] = "visitor=1; SameSite=None; Secure; Max-Age=3600"
            response.body = .bytes(AnimatedGIF.bytes([400, 600], repeats: 4))
            return response
        }
        defer { server.stop() }
        let origin = "http://127.0.0.1:\(server.port)"
        for (name, image) in [("a", "<img alt='' src='\(origin)/long.gif'>"), ("b", "")] {
            let markup = "<!DOCTYPE html><body><a href='https://shop.example/'>Buy</a>\(image)</body>"
            _ = folder.write(markup, "\(name).html")
        }
        let words = ["scan", folder.path, "--json", "--no-follow", "--watch", "0.3", "--jobs", "1"]
        let (_, console) = await play(words + ["--allow-host", origin])
        let measures = console.json.compactMap { $0["measures"] }
        #expect(measures.map { $0["cookies"] } == [["visitor of 127.0.0.1"], []])
        #expect(measures.map { $0["animation.end"] } == [50, nil])
    }

    @Test("a wrapper of many tags is fetched once if its server allows that, and a tag each time")
    func shared() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let counts = Locked<[String: Int]>([:])
        let port = Locked(0)
        let server = try Self.server(counts) { path in
            let origin = "http://127.0.0.1:\(port.withLock { $0 })"
            let next = path == "/tag" ? "/kept" : "/unkept"
            let wrapper =
                "<VAST version=\"4.0\"><Ad><Wrapper><AdSystem>a</AdSystem><Impression>\(origin)/seen</Impression>"
                + "<VASTAdTagURI>\(origin)\(next)</VASTAdTagURI></Wrapper></Ad></VAST>"
            let text = path == "/unkept" ? "<VAST version=\"4.0\"></VAST>" : wrapper
            var response = ServerResponse.text(text, type: "application/xml")
            if path != "/unkept" { response.headers["Cache-Control"] = "max-age=600" }
            return response
        }
        defer { server.stop() }
        port.withLock { $0 = server.port }
        let origin = "http://127.0.0.1:\(server.port)"
        let lines = (0..<3).map { "{\"id\": \"\($0)\", \"url\": \"\(origin)/tag\"}" }
        let list = try #require(folder.write(lines.joined(separator: "\n"), "tags.jsonl"))
        let (_, console) = await play("scan", list, "--json", "--no-follow", "--jobs", "1", "--allow-host", origin)
        #expect(console.json.count { $0["event"] == "verdict" } == 3)
        let sent = counts.withLock { $0 }
        // A creative that was late is scanned once more.
        let tags = try #require(sent["/tag"])
        #expect(tags >= 3 && sent == ["/tag": tags, "/kept": 1, "/unkept": tags])
    }

    @Test("a file that the browser may keep is loaded anew by the next creative in the same page")
    func unshared() async throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let counts = Locked<[String: Int]>([:])
        let server = try Self.server(counts) { _ in
            let headers: AdHTTPHeaders = [
                "Content-Type": "text/javascript", "Cache-Control": "max-age=3600", "Access-Control-Allow-Origin": "*",
            ]
            return ServerResponse(status: 200, headers: headers, body: .bytes(Array("window.seen = 1".utf8)))
        }
        defer { server.stop() }
        let origin = "http://127.0.0.1:\(server.port)"
        for name in ["a", "b", "c"] {
            let markup = "<!DOCTYPE html><body><a href='https://shop.example/\(name)'>Buy</a>"
            _ = folder.write(markup + "<script src='\(origin)/library.js'></script></body>", "\(name).html")
        }
        let words = ["scan", folder.path, "--json", "--no-follow", "--watch", "0.2", "--jobs", "1"]
        let (_, console) = await play(words + ["--allow-host", origin])
        let bytes = console.json.compactMap { $0["measures"]?["bytes.script"]?.number }
        #expect(bytes.count == 3 && bytes.allSatisfy { $0 > 0 } && Set(bytes).count == 1, "\(bytes)")
        #expect((counts.withLock { $0 }["/library.js"] ?? 0) >= 3)
    }
}
