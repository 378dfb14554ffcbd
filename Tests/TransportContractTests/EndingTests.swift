import AdCore
import SystemSupport
import TestSupport
import Testing
import TransportSupport

@Suite("Waiting, cancelling and shutting down", .serialized, .timeLimit(.minutes(1)))
struct EndingTests {
    @Test("a thousand concurrent requests succeed", arguments: TransportKind.allCases)
    func thousand(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try kind.transport()
        let request = AdHTTPRequest(.get, server.url("/"), limits: .init(total: .seconds(30)))
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 {
                group.addTask { (try? await transport.response(request))?.status == 200 }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 1000)
        #expect(server.connections < 100, "connections are reused")
    }

    @Test(
        "hundreds of counted requests arrive once each, over connections of their own",
        arguments: TransportKind.allCases
    )
    func counted(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try kind.transport()
        let good = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                let url = server.url("/\(number)")
                group.addTask {
                    (try? await transport.response(AdHTTPRequest(.get, url, repetition: .counted)))?.status == 200
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(good == 300)
        #expect(server.connections == 300)
        #expect(Set(server.requests.map(\.path)).count == 300)
    }

    @Test("every request ends once under many cancellations", arguments: TransportKind.allCases)
    func cancelStorm(_ kind: TransportKind) async throws {
        let server = RawServer { request in
            switch request.path {
            case "/hang": [.hang]
            case "/moved": [.response("302 Found", "", "Location: /quick")]
            default: [.response("200 OK", "x")]
            }
        }
        defer { server.stop() }
        let transport = try kind.transport()
        let ends = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<32 {
                group.addTask {
                    for round in 0..<20 {
                        let path = ["/hang", "/moved", "/quick"][(worker + round) % 3]
                        let repetition: AdHTTPRequest.Repetition = round.isMultiple(of: 2) ? .harmless : .counted
                        let limits = AdHTTPRequest.Limits(total: .seconds(20))
                        let request = AdHTTPRequest(.get, server.url(path), limits: limits, repetition: repetition)
                        let task = Task { _ = await transport.outcome(request) }
                        if path == "/hang" || worker.isMultiple(of: 2) {
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
        #expect(try await transport.response(AdHTTPRequest(.get, server.url("/quick"))).status == 200)
    }

    @Test("many cancelled requests leave no socket open", arguments: TransportKind.allCases)
    func leftovers(_ kind: TransportKind) async throws {
        // What a library opens once and keeps is open before.
        let warm = RawServer { _ in [.response("200 OK")] }
        _ = try await kind.transport().response(AdHTTPRequest(.get, warm.url("/")))
        warm.stop()
        let before = OpenFiles.count
        let server = RawServer { request in request.path == "/hang" ? [.hang] : [.response("200 OK", "x")] }
        try await self.storm(over: kind.transport(), against: server)
        server.stop()
        #expect(await OpenFiles.settle(at: before), "open files: \(OpenFiles.count), before \(before)")
    }

    /// Sends and cancels two hundred requests over a transport, which is released.
    private func storm(over transport: ContractTransport, against server: RawServer) async throws {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<200 {
                group.addTask {
                    let path = worker.isMultiple(of: 2) ? "/hang" : "/quick"
                    let repetition: AdHTTPRequest.Repetition = worker.isMultiple(of: 3) ? .harmless : .counted
                    let request = AdHTTPRequest(.get, server.url(path), repetition: repetition)
                    let task = Task { await transport.outcome(request) }
                    for _ in 0..<(worker % 7) { await Task.yield() }
                    task.cancel()
                    _ = await task.value
                }
            }
        }
        transport.shutDown()
    }

    @Test("a cancelled task sends nothing", arguments: TransportKind.allCases)
    func cancelledBefore(_ kind: TransportKind) async throws {
        let server = RawServer { _ in [.response("200 OK", "x")] }
        defer { server.stop() }
        let transport = try kind.transport()
        let request = AdHTTPRequest(.get, server.url("/"))
        let task = Task { () -> TransportError? in
            while !Task.isCancelled { await Task.yield() }
            return await transport.failure(request)
        }
        task.cancel()
        #expect(await task.value?.phase == .cancelled(sent: false))
        #expect(server.requests.isEmpty)
    }

    @Test("a request cancelled after it was sent is reported as sent", arguments: TransportKind.allCases)
    func cancelledAfter(_ kind: TransportKind) async throws {
        let arrived = Received<Bool>()
        let server = RawServer { _ in
            arrived.append(true)
            return [.hang]
        }
        defer { server.stop() }
        let transport = try kind.transport()
        let request = AdHTTPRequest(.post, server.url("/"), body: [1, 2, 3], repetition: .counted)
        let task = Task { await transport.phase(request) }
        await arrived.first()
        task.cancel()
        #expect(await task.value == .cancelled(sent: true))
    }

    @Test(
        "the limit per server is kept, and a request that waits too long fails as not sent",
        arguments: TransportKind.allCases
    )
    func perHost(_ kind: TransportKind) async throws {
        let arrived = Received<String>()
        let server = RawServer { request in
            arrived.append(request.path)
            return request.path.hasPrefix("/hang") ? [.hang] : [.response("200 OK")]
        }
        defer { server.stop() }
        let transport = try kind.transport(perHost: 2)
        let hanging = (0..<2).map { number in
            let repetition: AdHTTPRequest.Repetition = number == 0 ? .harmless : .counted
            let request = AdHTTPRequest(.get, server.url("/hang\(number)"), repetition: repetition)
            return Task { await transport.outcome(request) }
        }
        for number in 0..<2 { await arrived.first { $0 == "/hang\(number)" } }
        let late = AdHTTPRequest(.get, server.url("/quick"), limits: .init(total: .milliseconds(300)))
        #expect(await transport.phase(late) == .notSent(.timedOut))
        #expect(server.requests.count == 2)
        hanging[0].cancel()
        _ = await hanging[0].value
        #expect(try await transport.response(late).status == 200)
        hanging[1].cancel()
        _ = await hanging[1].value
    }

    @Test("shutting down ends running requests, and later ones are not sent", arguments: TransportKind.allCases)
    func shutDown(_ kind: TransportKind) async throws {
        let arrived = Received<Bool>()
        let server = RawServer { _ in
            arrived.append(true)
            return [.hang]
        }
        defer { server.stop() }
        let transport = try kind.transport()
        let request = AdHTTPRequest(.get, server.url("/"))
        async let hanging = transport.phase(request)
        await arrived.first()
        transport.shutDown()
        #expect(await hanging == .ambiguous(.other))
        #expect(await transport.phase(request) == .notSent(.other))
        #expect(await transport.phase(AdHTTPRequest(.get, server.url("/"), repetition: .counted)) == .notSent(.other))
        #expect(server.requests.count == 1)
    }
}
