import AdCore
import EngineSupport
import LibC
import SystemSupport
import Testing

@testable import ChromiumStage
@testable import WebStage

/// The other end of a pipe, which reads commands and sends messages for a test.
private struct Partner {
    let file: Int32

    func send(_ text: String) {
        let bytes = Array(text.utf8) + [0]
        #expect(write(self.file, bytes, bytes.count) == bytes.count)
    }

    /// The next command; nil at the end.
    func nextCommand() -> AdJSON? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(self.file, &byte, 1) == 1 {
            if byte == 0 { return try? AdJSON(parsing: bytes) }
            bytes.append(byte)
        }
        return nil
    }

    func hangUp() { close(self.file) }
}

@Suite("The DevTools pipe", .timeLimit(.minutes(1)))
struct DevToolsPipeTests {
    private let reports = Locked<[DevToolsReport]>([])
    private let end = Promise<Bool>()

    private func connect(unsentLimit: Int = 256 << 20) throws -> (DevToolsPipe, Partner) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, SocketConstants.stream, 0, &ends) == 0)
        let pipe = DevToolsPipe(
            reading: ends[0],
            writing: ends[0],
            unsentLimit: unsentLimit,
            report: { report in self.reports.withLock { $0.append(report) } },
            onEnd: { self.end.resolve(true) }
        )
        return (try #require(pipe), Partner(file: ends[1]))
    }

    /// The methods of the received events.
    private var methods: [String] {
        self.reports.withLock { $0 }.compactMap { if case .event(let event) = $0 { event.method } else { nil } }
    }

    @Test("commands, those that are awaited, and the browser's messages are counted")
    func traffic() async throws {
        let (pipe, partner) = try self.connect()
        pipe.post(DevToolsCommand("A"))
        pipe.postInTurn(DevToolsCommand("B"))
        let reply = pipe.run("C")
        for _ in 0..<3 { _ = partner.nextCommand() }
        partner.send(#"{"method":"Page.loadEventFired","params":{},"sessionId":"S"}"#)
        partner.send(#"{"id":1,"result":{}}"#)
        partner.send(#"{"id":3,"result":{}}"#)
        _ = await reply.value
        let traffic = pipe.traffic
        #expect(traffic.commands == 3 && traffic.awaited == 1 && traffic.messages == 3)
        pipe.close()
        _ = await self.end.value
    }

    @Test("each reply is matched to its command, in any order")
    func replies() async throws {
        let (pipe, partner) = try self.connect()
        let first = pipe.run("A")
        let one = try #require(partner.nextCommand())
        let second = pipe.run("B")
        let two = try #require(partner.nextCommand())
        #expect(one["method"] == "A" && two["method"] == "B")
        partner.send(#"{"id":\#(two["id"]?.number.map { Int($0) } ?? 0),"result":{"is":"b"}}"#)
        partner.send(#"{"id":\#(one["id"]?.number.map { Int($0) } ?? 0),"result":{"is":"a"}}"#)
        #expect(await first.value == .success(["is": "a"]))
        #expect(await second.value == .success(["is": "b"]))
        partner.hangUp()
        #expect(await self.end.value)
    }

    @Test("a command without a reply times out, and a late reply is ignored")
    func late() async throws {
        let (pipe, partner) = try self.connect()
        let reply = pipe.run("Slow", within: .milliseconds(5))
        #expect(await reply.value == .failure(.late("Slow")))
        let command = try #require(partner.nextCommand())
        partner.send(#"{"id":\#(command["id"]?.number.map { Int($0) } ?? 0),"result":{}}"#)
        partner.send(#"{"method":"after"}"#)
        partner.hangUp()
        #expect(await self.end.value)
        #expect(self.methods == ["after"])
    }

    @Test("pending and later commands fail when the browser ends")
    func gone() async throws {
        let (pipe, partner) = try self.connect()
        let reply = pipe.run("A")
        _ = partner.nextCommand()
        partner.hangUp()
        #expect(await reply.value == .failure(.gone))
        #expect(await self.end.value)
        await #expect(throws: EngineError.gone) { _ = try await pipe.call(DevToolsCommand("B")) }
        pipe.post(DevToolsCommand("C"))
    }

    @Test("invalid messages are ignored, and events are delivered in order")
    func order() async throws {
        let (pipe, partner) = try self.connect()
        partner.send("garbage")
        for number in 0..<1_000 { partner.send(#"{"method":"\#(number)","sessionId":"S"}"#) }
        partner.hangUp()
        #expect(await self.end.value)
        #expect(self.methods == (0..<1_000).map(String.init))
        withExtendedLifetime(pipe) {}
    }

    @Test("a message larger than the socket's buffer arrives complete")
    func large() async throws {
        let (pipe, partner) = try self.connect()
        let text = String(repeating: "x", count: 5 << 20)
        pipe.post(DevToolsCommand("Large", ["text": .string(text)]))
        pipe.post(DevToolsCommand("Small"))
        let received = await withCheckedContinuation { continuation in
            let isRunning = DedicatedThread.start("yabbi-test") {
                var bytes: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                var ends = 0
                while ends < 2 {
                    let count = read(partner.file, &buffer, buffer.count)
                    guard count > 0 else { break }
                    bytes += buffer[..<count]
                    ends += buffer[..<count].count { $0 == 0 }
                }
                continuation.resume(returning: bytes)
            }
            #expect(isRunning)
        }
        let messages = received.split(separator: 0)
        #expect(messages.count == 2 && messages[0].count > text.utf8.count)
        pipe.close()
        #expect(await self.end.value)
        partner.hangUp()
    }

    @Test("large commands wait for their turn, so that they do not end a browser that reads slowly")
    func inTurn() async throws {
        let text = AdJSON.string(String(repeating: "x", count: 700 << 10))
        let (pipe, partner) = try self.connect(unsentLimit: 1 << 20)
        for number in 1...4 { pipe.postInTurn(DevToolsCommand("Large\(number)", ["text": text])) }
        let reply = pipe.run("Small", within: .milliseconds(50))
        #expect(await reply.value == .failure(.late("Small")), "the connection goes on while nothing is read")
        let methods = (1...5).compactMap { _ in partner.nextCommand()?["method"]?.string }
        #expect(methods.sorted() == ["Large1", "Large2", "Large3", "Large4", "Small"])
        #expect(methods.filter { $0 != "Small" } == methods.filter { $0 != "Small" }.sorted())
        #expect(methods.last != "Small", "other commands go first")
        partner.hangUp()
        #expect(await self.end.value)
    }

    @Test("a browser that reads nothing is ended")
    func deaf() async throws {
        let text = AdJSON.string(String(repeating: "x", count: 700 << 10))
        let (pipe, deaf) = try self.connect(unsentLimit: 1 << 20)
        for _ in 1...4 { pipe.post(DevToolsCommand("Large", ["text": text])) }
        #expect(await self.end.value)
        deaf.hangUp()
    }

    @Test("closing the pipe ends the connection for both sides")
    func closed() async throws {
        let (pipe, partner) = try self.connect()
        pipe.close()
        #expect(await self.end.value)
        #expect(partner.nextCommand() == nil)
        partner.hangUp()
    }
}

/// A value that is set once, later.
private final class Promise<Value: Sendable>: Sendable {
    private let state = Locked<(value: Value?, waiting: [CheckedContinuation<Value, Never>])>((nil, []))

    func resolve(_ value: Value) {
        let waiting = self.state.withLock { state in
            if state.value != nil { Issue.record("a promise is resolved twice") }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for each in waiting { each.resume(returning: value) }
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value = self.state.withLock { state in
                    if state.value == nil { state.waiting.append(continuation) }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}

extension DevToolsPipe {
    /// Sends a command without waiting for the reply.
    fileprivate func run(_ method: String, within limit: Duration = .seconds(30)) -> Promise<Reply> {
        let promise = Promise<Reply>()
        self.call(DevToolsCommand(method), within: limit) { promise.resolve($0) }
        return promise
    }
}
