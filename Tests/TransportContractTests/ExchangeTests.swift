import AdCore
import LibC
import SystemSupport
import TestSupport
import Testing
import TransportSupport

@Suite("Requests and responses", .serialized, .timeLimit(.minutes(1)))
struct ExchangeTests {
    @Test("a response has its body, headers and URL", arguments: TransportKind.allCases)
    func response(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.response("200 OK", "hello", "X-Test: yes")] }
        defer { server.stop() }
        let request = AdHTTPRequest(.get, server.url("/a?b=c"), headers: ["X-Mine": "1"])
        let response = try await kind.transport().response(request)
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.headers["x-test"] == "yes")
        #expect(response.url == request.url && response.redirects == 0)
        let text = try #require(server.requests.first?.text)
        #expect(text.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(text.contains("X-Mine: 1\r\n"))
        #expect(!text.lowercased().contains("expect:"))
    }

    @Test("path and query are sent as they are", arguments: TransportKind.allCases)
    func target(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.response("200 OK")] }
        defer { server.stop() }
        let transport = try kind.transport()
        for target in ["/", "/?", "/%20%2F?q=%C3%A9&r=a|{b}", "//x", "/a;b=c,d:e@f?g=h?i#j"] {
            _ = try await transport.response(AdHTTPRequest(.get, server.url(target)))
            #expect(server.requests.last?.path == String(server.url(target).target))
        }
        _ = try await transport.response(AdHTTPRequest(.get, server.url("/%20?ids[]=%C3%A9")))
        let brackets = kind == .curl ? "[]" : "%5B%5D"
        #expect(server.requests.last?.path == "/%20?ids\(brackets)=%C3%A9", "Foundation holds no brackets")
        _ = try await transport.response(AdHTTPRequest(.get, server.url("/a/../b/./c")))
        withKnownIssue("libcurl resolves the segments `..`, and corelibs does not keep it from that") {
            #expect(server.requests.last?.path == "/a/../b/./c")
        } when: {
            kind.hasCorelibs
        }
    }

    @Test("a POST is sent with its body and type, and framed by the transport", arguments: TransportKind.allCases)
    func post(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.response("204 No Content")] }
        defer { server.stop() }
        let headers: AdHTTPHeaders = [
            "Content-Type": "application/json", "Host": "evil.example", "Content-Length": "3", "X-Empty": "",
        ]
        let body = Array("{\"a\":1}".utf8)
        let transport = try kind.transport()
        let request = AdHTTPRequest(.post, server.url("/"), headers: headers, body: body, repetition: .counted)
        #expect(try await transport.response(request).status == 204)
        #expect(try await transport.response(AdHTTPRequest(.post, server.url("/none"))).status == 204)
        let text = try #require(server.requests.first?.text.lowercased())
        #expect(text.hasPrefix("post / http/1.1\r\n") && text.hasSuffix("\r\n\r\n{\"a\":1}"))
        for line in [
            "content-length: 7", "content-type: application/json", "host: 127.0.0.1:\(server.port)", "x-empty:",
        ] {
            #expect(text.contains("\r\n\(line)\r\n"), "\(line)")
        }
        #expect(!text.contains("evil"))
        let empty = try #require(server.requests.last?.text.lowercased())
        #expect(empty.contains("\r\ncontent-length: 0\r\n"))
    }

    @Test("a compressed body is decompressed", arguments: TransportKind.allCases)
    func compressed(_ kind: TransportKind) async throws {
        let packed = ExchangeTests.output(of: "printf hello | gzip")
        let server = RawServer { _ in
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
            return [.text(head), .send(packed)]
        }
        defer { server.stop() }
        let response = try await kind.transport().response(AdHTTPRequest(.get, server.url("/")))
        #expect(response.body == Array("hello".utf8))
        #expect(server.requests.first?.text.lowercased().contains("accept-encoding:") == true)
    }

    @Test("the body limit applies to the decompressed and the announced size", arguments: TransportKind.allCases)
    func bounds(_ kind: TransportKind) async throws {
        let bomb = ExchangeTests.output(of: "head -c 40000000 /dev/zero | gzip -9")
        #expect(bomb.count > 1000 && bomb.count < 100_000)
        let server = RawServer { request in
            guard request.path == "/bomb" else {
                return [.text("HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\nx"), .hang]
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
            return [.text(head), .send(bomb)]
        }
        defer { server.stop() }
        let transport = try kind.transport()
        for path in ["/bomb", "/announced"] {
            let request = AdHTTPRequest(.get, server.url(path), limits: .init(body: 1 << 20))
            #expect(await transport.phase(request) == .tooLarge)
        }
    }

    @Test("a body of exactly the limit is complete, and one byte more is too large", arguments: TransportKind.allCases)
    func limit(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.text("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1000)), .close] }
        defer { server.stop() }
        let transport = try kind.transport()
        let fits = AdHTTPRequest(.get, server.url("/"), limits: .init(body: 1000))
        #expect(try await transport.response(fits).body.count == 1000)
        let exceeds = AdHTTPRequest(.get, server.url("/"), limits: .init(body: 999))
        #expect(await transport.phase(exceeds) == .tooLarge)
    }

    @Test("a large body is received completely and in order", arguments: TransportKind.allCases)
    func large(_ kind: TransportKind) async throws {
        let body = (0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let server = RawServer { _ in [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"), .send(body)] }
        defer { server.stop() }
        let response = try await kind.transport().response(AdHTTPRequest(.get, server.url("/")))
        #expect(response.body == body)
    }

    @Test(
        "a header beyond its limits and a response that is not HTTP are errors",
        arguments: TransportKind.allCases,
        [("many", TransportError.Phase.tooLarge), ("long", .tooLarge), ("none", .ambiguous(.undecodable))]
    )
    func odd(_ kind: TransportKind, _ item: (path: String, phase: TransportError.Phase)) async throws {
        let server = RawServer { request in
            switch request.path {
            case "/many":
                // Each has a name of its own: URLSession joins fields with one name.
                return [
                    .text("HTTP/1.1 200 OK\r\n" + (0..<400).map { "X\($0): y\r\n" }.joined() + "\r\n"), .hang,
                ]
            case "/long":
                let fields = (0..<20).map { "X\($0): \(String(repeating: "y", count: 8000))\r\n" }.joined()
                return [.text("HTTP/1.1 200 OK\r\n" + fields + "\r\n"), .hang]
            default: return [.text("220 mail.example ready\r\n\r\n"), .close]
            }
        }
        defer { server.stop() }
        let request = AdHTTPRequest(.get, server.url("/\(item.path)"), limits: .init(total: .seconds(5)))
        #expect(try await kind.transport().phase(request) == item.phase)
    }

    @Test("an interim response is not the response", arguments: TransportKind.allCases)
    func interim(_ kind: TransportKind) async throws {
        let server = RawServer { _ in
            [
                .text("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX-Early: 1\r\n\r\n"),
                .response("200 OK", "x", "X-Late: 1"),
            ]
        }
        defer { server.stop() }
        let response = try await kind.transport().response(AdHTTPRequest(.get, server.url("/")))
        #expect(response.status == 200 && response.body == Array("x".utf8))
        #expect(response.headers["X-Late"] == "1" && response.headers["X-Early"] == nil)
    }

    @Test(
        "a status of any kind is returned with its body",
        arguments: TransportKind.allCases,
        ["200 OK", "401 Unauthorized", "404 Not Found", "407 Proxy", "500 Oh", "503 Busy"]
    )
    func statuses(_ kind: TransportKind, status: String) async throws {
        let server = RawServer { _ in [.response(status, "text", "WWW-Authenticate: Basic realm=\"x\"")] }
        defer { server.stop() }
        let response = try await kind.transport().response(AdHTTPRequest(.get, server.url("/")))
        #expect("\(response.status)" == status.prefix(3))
        #expect(response.body == Array("text".utf8))
        #expect(server.requests.count == 1)
    }

    @Test("no cookie and no response is kept", arguments: TransportKind.allCases)
    func stores(_ kind: TransportKind) async throws {
        let server = RawServer { request in
            [.response("200 OK", request.path, "Set-Cookie: a=b; Path=/", "Cache-Control: max-age=600", "ETag: \"1\"")]
        }
        defer { server.stop() }
        let transport = try kind.transport()
        for repetition in [AdHTTPRequest.Repetition.harmless, .harmless, .counted] {
            _ = try await transport.response(AdHTTPRequest(.get, server.url("/"), repetition: repetition))
        }
        let texts = server.requests.map { $0.text.lowercased() }
        #expect(texts.count == 3, "no response comes from a cache")
        #expect(texts.allSatisfy { !$0.contains("cookie:") && !$0.contains("if-none-match:") })
    }

    /// The output of a shell command.
    static func output(of command: String) -> [UInt8] {
        guard let pipe = popen(command, "r") else { return [] }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&chunk, 1, chunk.count, pipe)
            if count == 0 { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }
}
