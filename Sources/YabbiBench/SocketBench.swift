import AdCore
import CurlTransport
import SystemLock
import WebSocketCodec

/// Websockets: reading frames against a bare pass over the same bytes, and echoes over loopback.
enum SocketBench {
    static func run() async throws -> [JSON] {
        var figures = [
            self.reading("maskedBinary", .binary(self.noise(64 << 10)), count: 256, as: .server),
            self.reading("maskedText", .text(self.letters(64 << 10)), count: 256, as: .server),
            self.reading("shortText", .text(self.letters(200)), count: 50_000, as: .client),
        ]
        let server = try EchoServer()
        defer { server.stop() }
        guard let url = SocketURL("ws://127.0.0.1:\(server.port)/") else { preconditionFailure("A port is no port.") }
        figures += try await self.echoes(of: url)
        return figures
    }

    // MARK: Reading

    private static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) } }

    private static func letters(_ count: Int) -> String { String(repeating: "abcdefg ", count: count / 8) }

    /// Frames as the network gives them, 64 KiB at a time, read turn by turn with a bare pass over the same bytes.
    private static func reading(
        _ name: String,
        _ message: WebSocketMessage,
        count: Int,
        as role: WebSocketRole
    ) -> JSON {
        let frame = WebSocketWriter(as: role == .server ? .client : .server).frame(message, mask: 0x9AC4_17F3)
        let bytes = Array(repeatElement(frame, count: count).joined())
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { scratch.deallocate() }
        let clock = ContinuousClock()
        var own: [Double] = []
        var bare: [Double] = []
        for round in 0..<24 {
            var reader = WebSocketReader(as: role)
            var heard = 0
            let reading = clock.measure {
                self.pieces(of: bytes) { piece in
                    do { try reader.read(piece) { _ in heard += 1 } } catch { preconditionFailure("\(error)") }
                }
            }
            precondition(heard == count)
            let passing = clock.measure { self.pieces(of: bytes) { self.mix($0, into: scratch) } }
            guard round >= 4 else { continue }
            own.append(reading.inSeconds)
            bare.append(passing.inSeconds)
        }
        let (reading, passing) = (ProcessFigures.median(own), ProcessFigures.median(bare))
        return [
            "benchmark": "socketReading", "frames": .string(name), "bytes": .int(bytes.count),
            "gigabytesPerSecond": ProcessFigures.rounded(Double(bytes.count) / reading / 1e9),
            "barePassGigabytesPerSecond": ProcessFigures.rounded(Double(bytes.count) / passing / 1e9),
            "messagesPerSecond": .int(Int(Double(count) / reading)),
            "ratio": ProcessFigures.rounded(reading / passing),
        ]
    }

    private static func pieces(of bytes: [UInt8], _ each: (UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { all in
            for start in stride(from: 0, to: all.count, by: 64 << 10) {
                each(UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + 64 << 10)]))
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

    /// Texts of 50 bytes to a server that sends them back: over one connection one by one, over a thousand at once.
    static func echoes(of url: SocketURL) async throws -> [JSON] {
        let transport = try CurlTransport()
        defer { transport.shutDown() }
        return [
            try await self.roundTrips(url, transport),
            try await self.crowd(url, transport, connections: 1_000, rounds: 200),
        ]
    }

    private static func roundTrips(_ url: SocketURL, _ transport: CurlTransport) async throws -> JSON {
        let stream = AsyncStream<SocketEvent>.makeStream()
        let connection = transport.open(SocketRequest(url)) { stream.continuation.yield($0) }
        defer { connection.close() }
        let text = self.letters(48) + "ab"
        let clock = ContinuousClock()
        var times: [Double] = []
        var sent = clock.now
        for await event in stream.stream {
            switch event {
            case .opened: break
            case .text: times.append(sent.duration(to: clock.now).inSeconds)
            case .binary: continue
            case .closed(let end): throw SocketBenchError(description: end.message)
            }
            if times.count == 22_000 { break }
            sent = clock.now
            connection.send(text)
        }
        let steady = times.dropFirst(2_000).sorted()
        return [
            "benchmark": "socketEcho", "connections": 1,
            "roundTripsPerSecond": .int(Int(Double(steady.count) / steady.reduce(0, +))),
            "p50Microseconds": ProcessFigures.rounded(steady[steady.count / 2] * 1e6),
            "p99Microseconds": ProcessFigures.rounded(steady[steady.count * 99 / 100] * 1e6),
        ]
    }

    /// Each connection sends the next text as soon as it has heard the last one, all on the loop's own thread.
    private static func crowd(
        _ url: SocketURL,
        _ transport: CurlTransport,
        connections: Int,
        rounds: Int
    ) async throws -> JSON {
        let text = self.letters(48) + "ab"
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
            case .binary: continue
            case .closed(let end): throw SocketBenchError(description: end.message)
            }
            if finished == connections { break }
        }
        let time = start.duration(to: .now).inSeconds
        for member in members { member.connection.withLock { $0 = nil } }
        return [
            "benchmark": "socketEcho", "connections": .int(connections), "messages": .int(connections * rounds),
            "messagesPerSecond": .int(Int(Double(connections * rounds) / time)),
            "coresOfBothSides": ProcessFigures.rounded((ProcessFigures.processorSeconds - processor) / time),
        ]
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

/// Why sockets could not be measured.
struct SocketBenchError: Error, CustomStringConvertible {
    let description: String
}
