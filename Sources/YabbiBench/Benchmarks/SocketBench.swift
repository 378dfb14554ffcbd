import AdCore
import CurlTransport
import SystemSupport
import WebSocketCodec

/// Websockets: reading frames against a bare pass over the same bytes, and echoes over loopback.
enum SocketBench {
    static func frames(_ bench: Bench) throws {
        let count = bench.full(256, quick: 2)
        let long = 64 << 10
        try self.reading("masked binary of 64 KiB", .binary(self.noise(long)), count, as: .server, bench)
        try self.reading("masked text of 64 KiB", .text(self.letters(long)), count, as: .server, bench)
        let many = bench.full(50_000, quick: 50)
        try self.reading("text of 200 bytes", .text(self.letters(200)), many, as: .client, bench)
    }

    static func echoes(_ bench: Bench) async throws {
        let server = try EchoServer()
        defer { server.stop() }
        guard let url = SocketURL("ws://127.0.0.1:\(server.port)/") else { preconditionFailure("A port is no port.") }
        let transport = try CurlTransport()
        defer { transport.shutDown() }
        try await self.roundTrips(url, port: server.port, transport, bench)
        for connections in bench.full([1, 10, 100, 1_000], quick: [1, 10]) {
            try await self.crowd(url, transport, connections: connections, bench)
        }
    }

    // MARK: Reading

    private static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) } }

    private static func letters(_ count: Int) -> String { String(repeating: "abcdefg ", count: count / 8) }

    /// Frames as the network gives them, 64 KiB at a time, read turn by turn with a bare pass over the same bytes.
    private static func reading(
        _ name: String,
        _ message: WebSocketMessage,
        _ count: Int,
        as role: WebSocketRole,
        _ bench: Bench
    ) throws {
        let frame = WebSocketWriter(as: role == .server ? .client : .server).frame(message, mask: 0x9AC4_17F3)
        let bytes = Array(repeatElement(frame, count: count).joined())
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { scratch.deallocate() }
        let clock = ContinuousClock()
        var rates = Pairs(warmUp: bench.full(4, quick: 1))
        while rates.own.count < bench.full(20, quick: 2) {
            var reader = WebSocketReader(as: role)
            var heard = 0
            let reading = try clock.measure {
                try self.pieces(of: bytes) { piece in try reader.read(piece) { _ in heard += 1 } }
            }
            guard heard == count else { throw WishError(message: "\(heard) of \(count) frames were read") }
            let passing = clock.measure { self.pieces(of: bytes) { self.mix($0, into: scratch) } }
            let size = Double(bytes.count) / 1e6
            rates.take(size / reading.inSeconds, floor: size / passing.inSeconds)
        }
        bench.tell("frames read, \(name)", rates, against: "a bare copy and mix", .rate("MB"))
        let share = Double(count) * 1e6 / Double(bytes.count)
        bench.tell("messages read, \(name)", rates.own.map { $0 * share }, .rate("messages"))
    }

    private static func pieces(of bytes: [UInt8], _ each: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: 64 << 10) {
                try each(UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + 64 << 10)]))
            }
        }
    }

    /// The least that can be done: copies the bytes and mixes them, without looking at them.
    @inline(never)
    private static func mix(_ bytes: UnsafeRawBufferPointer, into scratch: UnsafeMutableRawBufferPointer) {
        scratch.copyMemory(from: bytes)
        for place in stride(from: 0, to: bytes.count & ~7, by: 8) {
            let word = scratch.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            scratch.storeBytes(of: word ^ 0x9AC4_17F3_9AC4_17F3, toByteOffset: place, as: UInt64.self)
        }
    }

    // MARK: Echoes

    /// Texts of 50 bytes to a server that sends them back: one by one over one connection, against a bare socket.
    private static func roundTrips(
        _ url: SocketURL,
        port: Int,
        _ transport: CurlTransport,
        _ bench: Bench
    ) async throws {
        let bare = try BareEcho(port: port, text: self.short)
        let stream = AsyncStream<SocketEvent>.makeStream()
        let connection = transport.open(SocketRequest(url)) { stream.continuation.yield($0) }
        defer { connection.close() }
        let clock = ContinuousClock()
        var pairs = Pairs(warmUp: bench.full(2_000, quick: 1))
        var sent: ContinuousClock.Instant?
        for await event in stream.stream {
            let heard = clock.now
            switch event {
            case .opened, .text: break
            case .binary, .passingOver, .passedOver: continue
            case .closed(let end): throw WishError(message: end.message)
            }
            if let sent {
                var isThere = false
                let echo = clock.measure { isThere = bare.echo() }
                guard isThere else { throw WishError(message: "the echo server is gone") }
                pairs.take(sent.duration(to: heard).inMicroseconds, floor: echo.inMicroseconds)
            }
            if pairs.own.count == bench.full(20_000, quick: 5) { break }
            sent = clock.now
            connection.send(self.short)
        }
        bench.tell("an echo, one at a time", pairs, against: "a bare socket", .all("µs"))
    }

    /// A text of 50 bytes.
    private static let short = letters(48) + "ab"

    /// Each connection sends the next text as soon as it has heard the last one, all on the loop's own thread.
    private static func crowd(
        _ url: SocketURL,
        _ transport: CurlTransport,
        connections: Int,
        _ bench: Bench
    ) async throws {
        let rounds = bench.full(200_000, quick: 100) / connections
        let text = self.short
        let news = AsyncStream<SocketEvent>.makeStream()
        let members = (0..<connections).map { _ in Member(left: rounds) }
        for member in members {
            member.connection.withLock { connection in
                connection = transport.open(SocketRequest(url, limits: .init(connect: .seconds(60)))) { event in
                    guard case .text = event else {
                        news.continuation.yield(event)
                        return
                    }
                    if member.goesOn() { member.say(text) } else { news.continuation.yield(event) }
                }
            }
        }
        var opened = 0
        var finished = 0
        var start = ContinuousClock.now
        var processor = ProcessFigures.processorSeconds
        for await event in news.stream {
            switch event {
            case .opened:
                opened += 1
                guard opened == connections else { continue }
                start = .now
                processor = ProcessFigures.processorSeconds
                for member in members { member.say(text) }
            case .text: finished += 1
            case .binary, .passingOver, .passedOver: continue
            case .closed(let end): throw WishError(message: end.message)
            }
            if finished == connections { break }
        }
        let time = start.duration(to: .now).inSeconds
        let worked = ProcessFigures.processorSeconds - processor
        for member in members { member.connection.withLock { $0 = nil } }
        let size = Figure.Amount(connections, "sockets")
        bench.tell("echoes over many at once", [Double(connections * rounds) / time], .rate("echoes"), at: size)
        let work = worked * 1e6 / Double(connections * rounds)
        bench.tell("processor time of one, both sides", [work], .each("µs"), at: size)
    }

    /// One of many, and how often it still speaks.
    private final class Member: Sendable {
        let connection = Locked<(any SocketConnection)?>(nil)
        private let left: Locked<Int>

        init(left: Int) { self.left = Locked(left) }

        func say(_ text: String) { self.connection.withLock { $0 }?.send(text) }

        func goesOn() -> Bool {
            self.left.withLock { left in
                left -= 1
                return left > 0
            }
        }
    }
}
