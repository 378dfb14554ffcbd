import AdCore
import CurlTransport
import LibC
import SystemSupport
import TestSupport
import Testing

@Suite("HTTP requests over real sockets", .serialized)
struct CurlTransportTests {
    private func outcome(_ request: AdHTTPRequest, _ transport: CurlTransport? = nil) async throws -> Result<
        AdHTTPResponse, TransportError
    > {
        let transport = try transport ?? CurlTransport()
        do throws(TransportError) {
            return .success(try await transport.send(request))
        } catch {
            return .failure(error)
        }
    }

    private func phase(_ request: AdHTTPRequest) async throws -> TransportError.Phase? {
        guard case .failure(let error) = try await self.outcome(request) else { return nil }
        return error.phase
    }

    private func url(_ text: String) throws -> HTTPURL { try #require(HTTPURL(text)) }

    @Test("a response has its body, headers and URL")
    func response() async throws {
        let server = RawServer { _ in [.response("200 OK", "hello", "X-Test: yes")] }
        defer { server.stop() }
        let response = try await self.outcome(AdHTTPRequest(.get, server.url("/a?b=c"), headers: ["X-Mine": "1"])).get()
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "hello")
        #expect(response.headers["x-test"] == "yes")
        let text = try #require(server.requests.first?.text)
        #expect(text.hasPrefix("GET /a?b=c HTTP/1.1\r\n"))
        #expect(text.contains("X-Mine: 1\r\n"))
        #expect(!text.lowercased().contains("expect:"))
    }

    @Test("a request without a connection fails as not sent")
    func notSent() async throws {
        #expect(try await self.phase(AdHTTPRequest(.get, self.url("http://127.0.0.1:1/"))) == .notSent(.refused))
        #expect(
            try await self.phase(AdHTTPRequest(.get, self.url("http://nope.invalid/"))) == .notSent(.nameNotResolved)
        )
    }

    @Test("connecting times out at its own limit")
    func connectHang() async throws {
        // A listener with a full backlog neither accepts nor refuses connections.
        let listener = streamSocket()
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var fillers: [Int32] = []
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, size)
                listen(listener, 0)
                getsockname(listener, pointer, &size)
                for _ in 0..<4 {
                    let filler = streamSocket(nonBlocking: true)
                    connect(filler, pointer, size)
                    fillers.append(filler)
                }
            }
        }
        defer { for filler in fillers { close(filler) } }
        let target = try self.url("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/")
        let limits = AdHTTPRequest.Limits(connecting: .milliseconds(250), total: .seconds(20))
        let start = ContinuousClock.now
        #expect(try await self.phase(AdHTTPRequest(.get, target, limits: limits)) == .notSent(.connectTimedOut))
        #expect(start.duration(to: .now) < .timeout(5))
    }

    @Test(
        "a missing or truncated response is ambiguous",
        arguments: [
            ("hang", TransportError.Reason.timedOut), ("drop", .connectionLost), ("half", .truncated),
            ("chunk", .truncated),
        ]
    )
    func ambiguous(path: String, reason: TransportError.Reason) async throws {
        let server = RawServer { request in
            switch request.path {
            case "/hang": [.hang]
            case "/drop": [.close]
            case "/half": [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close]
            default: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe"), .close]
            }
        }
        defer { server.stop() }
        let limits = AdHTTPRequest.Limits(total: .milliseconds(400))
        let request = AdHTTPRequest(.get, server.url("/\(path)"), limits: limits, repetition: .counted)
        #expect(try await self.phase(request) == .ambiguous(reason))
        #expect(server.requests.count == 1)
    }

    @Test("the body limit applies to the decompressed and the announced size")
    func bounds() async throws {
        let bomb = CurlTransportTests.gzip("head -c 40000000 /dev/zero | gzip -9")
        #expect(bomb.count > 1000 && bomb.count < 100_000)
        let server = RawServer { request in
            guard request.path == "/bomb" else {
                return [.text("HTTP/1.1 200 OK\r\nContent-Length: 209715200\r\n\r\nx"), .hang]
            }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
            return [.text(head), .send(bomb)]
        }
        defer { server.stop() }
        for path in ["/bomb", "/announced"] {
            let request = AdHTTPRequest(.get, server.url(path), limits: .init(body: 1 << 20))
            #expect(try await self.phase(request) == .tooLarge)
        }
    }

    private static func gzip(_ command: String) -> [UInt8] {
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

    @Test(
        "redirects are followed up to the limit, to http and https only",
        arguments: [
            ("loop", TransportError.Reason.tooManyRedirects), ("file", .badRedirect), ("ftp", .badRedirect),
        ]
    )
    func redirects(path: String, reason: TransportError.Reason) async throws {
        let server = RawServer { request in
            switch request.path {
            case "/file": [.response("302 Found", "", "Location: file:///etc/passwd")]
            case "/ftp": [.response("302 Found", "", "Location: ftp://127.0.0.1/x")]
            default: [.response("302 Found", "", "Location: /loop\(request.path.count)")]
            }
        }
        defer { server.stop() }
        #expect(try await self.phase(AdHTTPRequest(.get, server.url("/\(path)"))) == .ambiguous(reason))
        #expect(server.requests.count <= 6)
    }

    @Test("a redirect to another origin drops the credentials, and returns the final response")
    func credentials() async throws {
        let other = RawServer { _ in [.response("200 OK", "there")] }
        defer { other.stop() }
        let target = other.url("/there").text
        let server = RawServer { _ in [.response("307 Temporary Redirect", "", "Location: \(target)")] }
        defer { server.stop() }
        let headers: AdHTTPHeaders = [
            "Authorization": "Bearer s", "Cookie": "c=s", "apikey": "s", "X-API-Key": "s", "X-Plain": "kept",
        ]
        let response = try await self.outcome(AdHTTPRequest(.get, server.url("/"), headers: headers)).get()
        #expect(response.url.text == target)
        let text = try #require(other.requests.first?.text.lowercased())
        for name in ["authorization", "cookie", "apikey", "x-api-key"] {
            #expect(!text.contains("\(name):"), "\(name)")
        }
        #expect(text.contains("x-plain: kept"))
    }

    @Test("a connection is kept for the next request, but not for a counted one")
    func keepAlive() async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        for _ in 0..<5 { _ = try await self.outcome(AdHTTPRequest(.get, server.url("/")), transport).get() }
        #expect(server.connections == 1)
        let counted = AdHTTPRequest(.get, server.url("/"), repetition: .counted)
        for _ in 0..<3 { _ = try await self.outcome(counted, transport).get() }
        #expect(server.connections == 4)
    }

    @Test("a counted POST arrives once when the server closes reused connections")
    func once() async throws {
        let server = RawServer { request in
            request.number == 0 && request.path == "/warm" ? [.response("200 OK", "x")] : [.close]
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        _ = try await self.outcome(AdHTTPRequest(.get, server.url("/warm")), transport).get()
        let post = AdHTTPRequest(.post, server.url("/bill"), body: Array("{}".utf8), repetition: .counted)
        guard case .failure(let error) = try await self.outcome(post, transport) else {
            Testing.Issue.record("a response was returned without a server response")
            return
        }
        #expect(error.phase == .ambiguous(.connectionLost))
        #expect(server.requests.filter { $0.path == "/bill" }.count == 1)
    }

    @Test("a thousand concurrent requests succeed")
    func thousand() async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        let request = AdHTTPRequest(.get, server.url("/"), limits: .init(total: .seconds(30)))
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                group.addTask { (try? await transport.send(request))?.status == 200 }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 1000)
    }

    @Test("every request ends once under many cancellations")
    func cancelStorm() async throws {
        let server = RawServer { request in request.path == "/hang" ? [.hang] : [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        let ends = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<32 {
                group.addTask {
                    for round in 0..<20 {
                        let path = (worker + round).isMultiple(of: 3) ? "/hang" : "/quick"
                        let limits = AdHTTPRequest.Limits(total: .seconds(20))
                        let task = Task {
                            _ = try? await transport.send(AdHTTPRequest(.get, server.url(path), limits: limits))
                        }
                        if path == "/hang" || round.isMultiple(of: 5) {
                            for _ in 0..<(worker % 5) { await Task.yield() }
                            task.cancel()
                        }
                        await task.value
                        ends.withLock { $0 += 1 }
                    }
                }
            }
        }
        #expect(ends.withLock { $0 } == 640)
    }

    @Test("a cancelled task sends nothing")
    func cancelledBefore() async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try CurlTransport()
        let request = AdHTTPRequest(.get, server.url("/"))
        let task = Task { () -> TransportError? in
            while !Task.isCancelled { await Task.yield() }
            do throws(TransportError) {
                _ = try await transport.send(request)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value?.phase == .cancelled(sent: false))
        #expect(server.requests.isEmpty)
    }

    @Test("shutting down ends running requests, and later ones are not sent")
    func shutDown() async throws {
        let arrived = Locked(false)
        let server = RawServer { _ in
            arrived.withLock { $0 = true }
            return [.hang]
        }
        defer { server.stop() }
        let transport = try CurlTransport()
        let request = AdHTTPRequest(.get, server.url("/"))
        async let hanging = self.outcome(request, transport)
        while !arrived.withLock({ $0 }) { await Task.yield() }
        transport.shutDown()
        guard case .failure(let error) = try await hanging, case .ambiguous = error.phase else {
            Testing.Issue.record("the running request did not end as ambiguous")
            return
        }
        guard case .failure(let later) = try await self.outcome(request, transport), case .notSent = later.phase else {
            Testing.Issue.record("a request was sent after shutdown")
            return
        }
    }
}
