import AdCore
import CurlTransport
import SystemSupport
import WebSocketCodec

/// WebSockets: parsing frames, compared with copying the same bytes, and echoes over loopback.
enum SocketBench {
    static func frames(_ bench: BenchContext) throws {
        let count = bench.full(256, quick: 2)
        let long = 64 << 10
        try self.parsing("masked binary of 64 KiB", .binary(self.noise(long)), count, as: .server, bench)
        try self.parsing("masked text of 64 KiB", .text(self.letters(long)), count, as: .server, bench)
        let many = bench.full(50_000, quick: 50)
        try self.parsing("text of 200 bytes", .text(self.letters(200)), many, as: .client, bench)
    }

    static func echoes(_ bench: BenchContext) async throws {
        let server = try EchoServer()
        defer { server.stop() }
        guard let url = SocketURL("ws://127.0.0.1:\(server.port)/") else { preconditionFailure("The URL is invalid.") }
        let transport = try CurlTransport()
        defer { transport.shutDown() }
        try await self.roundTrips(url, port: server.port, transport, bench)
        for connections in bench.full([1, 10, 100, 1_000], quick: [1, 10]) {
            try await self.concurrent(url, transport, connections: connections, bench)
        }
    }

    // MARK: Parsing

    private static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) } }

    private static func letters(_ count: Int) -> String { String(repeating: "abcdefg ", count: count / 8) }

    /// Parses frames in pieces of 64 KiB, as the network delivers them, compared with copying the same bytes.
    private static func parsing(
        _ name: String,
        _ message: WebSocketMessage,
        _ count: Int,
        as role: WebSocketRole,
        _ bench: BenchContext
    ) throws {
        let frame = WebSocketWriter(as: role == .server ? .client : .server).frame(message, mask: 0x9AC4_17F3)
        let bytes = Array(repeatElement(frame, count: count).joined())
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { scratch.deallocate() }
        let clock = ContinuousClock()
        var rates = PairedSamples(warmUp: bench.full(4, quick: 1))
        while rates.own.count < bench.full(20, quick: 2) {
            var reader = WebSocketReader(as: role)
            var messages = 0
            let parsing = try clock.measure {
                try self.pieces(of: bytes) { piece in try reader.read(piece) { _ in messages += 1 } }
            }
            guard messages == count else { throw BenchError(message: "\(messages) of \(count) frames were parsed") }
            let copying = clock.measure { self.pieces(of: bytes) { self.copyAndXOR($0, into: scratch) } }
            let size = Double(bytes.count) / 1e6
            rates.add(size / parsing.inSeconds, baseline: size / copying.inSeconds)
        }
        bench.report("frames parsed, \(name)", rates, against: "copy and XOR", .rate("MB"))
        let share = Double(count) * 1e6 / Double(bytes.count)
        bench.report("messages parsed, \(name)", rates.own.map { $0 * share }, .rate("messages"))
    }

    private static func pieces(of bytes: [UInt8], _ each: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: 64 << 10) {
                try each(UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + 64 << 10)]))
            }
        }
    }

    /// Copies and XORs the bytes, which is the minimum for masked frames.
    @inline(never)
    private static func copyAndXOR(_ bytes: UnsafeRawBufferPointer, into scratch: UnsafeMutableRawBufferPointer) {
        scratch.copyMemory(from: bytes)
        for offset in stride(from: 0, to: bytes.count & ~7, by: 8) {
            let word = scratch.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            scratch.storeBytes(of: word ^ 0x9AC4_17F3_9AC4_17F3, toByteOffset: offset, as: UInt64.self)
        }
    }

    // MARK: Echoes

    /// Echoes of 50 bytes over one connection, one after the other, compared with a plain socket.
    private static func roundTrips(
        _ url: SocketURL,
        port: Int,
        _ transport: CurlTransport,
        _ bench: BenchContext
    ) async throws {
        let bare = try PlainEchoClient(port: port, text: self.short)
        let stream = AsyncStream<SocketEvent>.makeStream()
        let connection = transport.open(SocketRequest(url)) { stream.continuation.yield($0) }
        defer { connection.close() }
        let clock = ContinuousClock()
        var pairs = PairedSamples(warmUp: bench.full(2_000, quick: 1))
        var sent: ContinuousClock.Instant?
        for await event in stream.stream {
            let received = clock.now
            switch event {
            case .opened, .text: break
            case .binary, .skippingMessage, .skippedMessage: continue
            case .closed(let end): throw BenchError(message: end.message)
            }
            if let sent {
                var isReceived = false
                let echo = clock.measure { isReceived = bare.echo() }
                guard isReceived else { throw BenchError(message: "the echo server closed the connection") }
                pairs.add(sent.duration(to: received).inMicroseconds, baseline: echo.inMicroseconds)
            }
            if pairs.own.count == bench.full(20_000, quick: 5) { break }
            sent = clock.now
            connection.send(self.short)
        }
        bench.report("echo, one at a time", pairs, against: "a plain socket", .all("µs"))
    }

    /// A text of 50 bytes.
    private static let short = letters(48) + "ab"

    /// Echoes over many connections; each sends the next text when the previous one has arrived.
    private static func concurrent(
        _ url: SocketURL,
        _ transport: CurlTransport,
        connections: Int,
        _ bench: BenchContext
    ) async throws {
        let rounds = bench.full(200_000, quick: 100) / connections
        let text = self.short
        let events = AsyncStream<SocketEvent>.makeStream()
        let peers = (0..<connections).map { _ in EchoConnection(remaining: rounds) }
        for peer in peers {
            peer.connection.withLock { connection in
                connection = transport.open(SocketRequest(url, limits: .init(connect: .seconds(60)))) { event in
                    guard case .text = event else {
                        events.continuation.yield(event)
                        return
                    }
                    if peer.countEcho() { peer.send(text) } else { events.continuation.yield(event) }
                }
            }
        }
        var opened = 0
        var finished = 0
        var start = ContinuousClock.now
        var processor = ProcessMetrics.processorSeconds
        for await event in events.stream {
            switch event {
            case .opened:
                opened += 1
                guard opened == connections else { continue }
                start = .now
                processor = ProcessMetrics.processorSeconds
                for peer in peers { peer.send(text) }
            case .text: finished += 1
            case .binary, .skippingMessage, .skippedMessage: continue
            case .closed(let end): throw BenchError(message: end.message)
            }
            if finished == connections { break }
        }
        let time = start.duration(to: .now).inSeconds
        let processorTime = ProcessMetrics.processorSeconds - processor
        for peer in peers { peer.connection.withLock { $0 = nil } }
        let size = Figure.Amount(connections, "sockets")
        bench.report("echoes over many sockets", [Double(connections * rounds) / time], .rate("echoes"), at: size)
        let work = processorTime * 1e6 / Double(connections * rounds)
        bench.report("CPU time per echo, both sides", [work], .each("µs"), at: size)
    }

    /// One of many connections, with the number of its remaining echoes.
    private final class EchoConnection: Sendable {
        let connection = Locked<(any SocketConnection)?>(nil)
        private let remaining: Locked<Int>

        init(remaining: Int) { self.remaining = Locked(remaining) }

        func send(_ text: String) { self.connection.withLock { $0 }?.send(text) }

        /// Counts an echo; false when it was the last one.
        func countEcho() -> Bool {
            self.remaining.withLock { remaining in
                remaining -= 1
                return remaining > 0
            }
        }
    }
}
