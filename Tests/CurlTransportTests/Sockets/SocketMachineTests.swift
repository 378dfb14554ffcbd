import AdCore
import Testing
import TransportSupport
import WebSocketCodec

@testable import CurlTransport

@Suite("WebSocket connection machine")
struct SocketMachineTests {
    /// A machine with its clock, its events and the messages it sent.
    private struct Fixture {
        var machine: SocketMachine
        var now = ContinuousClock.now
        var events: [SocketEvent] = []
        /// The messages sent after the handshake request.
        var sent: [WebSocketMessage] = []
        var request = ""
        private var reader = WebSocketReader(as: .server, maxMessageSize: 1 << 24)

        init(_ limits: SocketRequest.Limits = .init(connect: .seconds(5))) {
            guard let url = SocketURL("ws://a.example:81/s?x=1") else {
                preconditionFailure("The literal is not a URL.")
            }
            self.machine = SocketMachine(
                SocketRequest(url, limits: limits),
                at: self.now,
                using: SocketMachine.systemRandom
            )
        }

        /// A machine whose connection is open.
        static func open(_ limits: SocketRequest.Limits = .init(connect: .seconds(5))) -> Fixture {
            var fixture = Fixture(limits)
            fixture.machine.connected()
            fixture.drain()
            fixture.receive(Array(PeerServer.Peer.switchingProtocols(for: fixture.request).utf8))
            return fixture
        }

        mutating func receive(_ bytes: [UInt8]) {
            var events: [SocketEvent] = []
            bytes.withUnsafeBytes {
                self.machine.received($0, at: self.now, using: SocketMachine.systemRandom) { events.append($0) }
            }
            self.events += events
        }

        mutating func receive(_ message: WebSocketMessage) {
            self.receive(WebSocketWriter(as: .server).frame(message, mask: 0))
        }

        mutating func perform(_ step: (inout SocketMachine, (SocketEvent) -> Void) -> Void) {
            var events: [SocketEvent] = []
            step(&self.machine) { events.append($0) }
            self.events += events
        }

        mutating func close() {
            var events: [SocketEvent] = []
            self.machine.close(at: self.now, using: SocketMachine.systemRandom) { events.append($0) }
            self.events += events
        }

        mutating func advance(_ time: Duration) {
            self.now += time
            let now = self.now
            self.perform { $0.advance(to: now, $1) }
        }

        /// Sends all pending bytes, a few at a time.
        mutating func drain() {
            var bytes: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 37)
            while self.machine.hasOutgoing {
                let count = room.withUnsafeMutableBytes { self.machine.dequeue(into: $0) }
                bytes += room[..<count]
                self.machine.sent(count, using: SocketMachine.systemRandom)
            }
            if self.request.isEmpty {
                self.request = String(decoding: bytes, as: UTF8.self)
            } else {
                var sent: [WebSocketMessage] = []
                do { try self.reader.read(bytes) { sent.append($0) } } catch { Issue.record(error) }
                self.sent += sent
            }
        }

        var cause: SocketEnd.Cause? {
            guard case .closed(let end) = self.events.last else { return nil }
            return end.cause
        }
    }

    @Test("connecting sends the handshake request, and its response opens the connection")
    func opens() {
        var fixture = Fixture()
        #expect(!fixture.machine.hasOutgoing && fixture.machine.deadline == fixture.now + .seconds(5))
        fixture.machine.connected()
        fixture.drain()
        #expect(fixture.request.hasPrefix("GET /s?x=1 HTTP/1.1\r\nHost: a.example:81\r\n"))
        #expect(fixture.machine.deadline == fixture.now + .seconds(5))
        let hello = WebSocketWriter(as: .server).frame(.text("hello"), mask: 0)
        fixture.receive(Array(PeerServer.Peer.switchingProtocols(for: fixture.request).utf8) + hello)
        #expect(fixture.events == [.opened, .text("hello")])
        #expect(fixture.machine.deadline == nil && fixture.machine.isOpen)
    }

    @Test("texts before opening are dropped, later ones are sent in order")
    func sends() {
        var early = Fixture()
        early.machine.send("lost", using: SocketMachine.systemRandom)
        #expect(early.machine.unsent == 0)
        var fixture = Fixture.open()
        for text in ["a", "", "b"] { fixture.machine.send(text, using: SocketMachine.systemRandom) }
        fixture.drain()
        #expect(fixture.sent == [.text("a"), .text(""), .text("b")])
        #expect(fixture.machine.unsent == 0)
    }

    @Test("a connection without a response in time is not opened", arguments: [false, true])
    func late(isConnected: Bool) {
        var fixture = Fixture()
        if isConnected { fixture.machine.connected() }
        fixture.advance(.seconds(5) - .nanoseconds(1))
        #expect(fixture.events.isEmpty)
        fixture.advance(.nanoseconds(1))
        #expect(fixture.cause == .notOpened() && fixture.machine.hasEnded)
    }

    @Test("a refusing response is reported with its status and URL")
    func refuses() {
        for status in [301, 401, 403, 404, 500, 200] {
            var fixture = Fixture()
            fixture.machine.connected()
            fixture.drain()
            fixture.receive(Array("HTTP/1.1 \(status) Word\r\n\r\n".utf8))
            #expect(fixture.cause == .notOpened(status: status) && fixture.machine.hasEnded)
            guard case .closed(let end) = fixture.events.last else { continue }
            #expect(end.message.contains("\(status)") && end.message.contains("ws://a.example:81"))
        }
    }

    @Test("a disconnect before the response is not opened, a later one is lost")
    func breaks() {
        var handshaking = Fixture()
        handshaking.machine.connected()
        handshaking.perform { $0.disconnected("reset", $1) }
        #expect(handshaking.cause == .notOpened())
        var open = Fixture.open()
        open.perform { $0.disconnected("", $1) }
        #expect(open.cause == .lost && open.machine.hasEnded)
    }

    @Test("pings are answered, and pongs are ignored")
    func pings() {
        var fixture = Fixture.open()
        fixture.receive(.ping([1, 2]))
        fixture.receive(.pong([3]))
        fixture.receive(.ping([]))
        fixture.drain()
        #expect(fixture.sent == [.pong([1, 2]), .pong([])])
        #expect(fixture.events == [.opened])
    }

    @Test("many pings with unsent pongs cost a few KiB, and the last one is answered")
    func pingFlood() {
        var fixture = Fixture.open()
        for number in 0..<10_000 { fixture.receive(.ping([UInt8](repeating: UInt8(number & 255), count: 125))) }
        #expect(fixture.machine.unsent < SocketMachine.pongLimit + 200)
        fixture.drain()
        #expect(fixture.sent.last == .pong([UInt8](repeating: UInt8(9_999 & 255), count: 125)))
        #expect(fixture.sent.count < 50)
    }

    @Test("a Close frame is answered with its code and reported at once")
    func byPeer() {
        for closure in [
            WebSocketClosure(nil), WebSocketClosure(.goingAway, "bye"), WebSocketClosure(.init(rawValue: 4001)),
        ] {
            var fixture = Fixture.open()
            fixture.receive(.close(closure))
            #expect(fixture.cause == .byPeer(code: closure.code?.rawValue))
            fixture.drain()
            #expect(fixture.sent == [.close(WebSocketClosure(closure.code))])
            #expect(!fixture.machine.hasEnded)
            // The server closes, or times out.
            var other = fixture
            fixture.perform { $0.disconnected("", $1) }
            other.advance(SocketMachine.closeTimeout)
            #expect(fixture.machine.hasEnded && other.machine.hasEnded)
            #expect(fixture.events.count == 2 && other.events.count == 2)
        }
    }

    @Test("closing sends a Close frame after the pending texts, and ends with the server's reply")
    func byUs() {
        var fixture = Fixture.open()
        fixture.machine.send("last", using: SocketMachine.systemRandom)
        fixture.close()
        fixture.machine.send("lost", using: SocketMachine.systemRandom)
        fixture.drain()
        #expect(fixture.sent == [.text("last"), .close(WebSocketClosure(.normal))])
        fixture.receive(.text("ignored"))
        #expect(fixture.events == [.opened])
        fixture.receive(.close(WebSocketClosure(.normal)))
        #expect(fixture.cause == .byUs)
        fixture.perform { $0.disconnected("", $1) }
        #expect(fixture.machine.hasEnded && fixture.events.count == 2)
    }

    @Test("closing without a reply ends after two seconds")
    func byUsAlone() {
        var fixture = Fixture.open()
        fixture.close()
        #expect(fixture.machine.deadline == fixture.now + SocketMachine.closeTimeout)
        fixture.advance(SocketMachine.closeTimeout)
        #expect(fixture.cause == .byUs && fixture.machine.hasEnded)
        var hungUp = Fixture.open()
        hungUp.close()
        hungUp.perform { $0.disconnected("", $1) }
        #expect(hungUp.cause == .byUs)
        var early = Fixture()
        early.close()
        #expect(early.cause == .byUs && early.machine.hasEnded)
    }

    @Test("a protocol violation or an exceeded limit ends the connection with its close code")
    func violations() {
        let cases: [([UInt8], WebSocketClosure.Code)] = [
            ([0x83, 0x00], .protocolError), ([0x81, 0x01, 0xFF], .invalidText), ([0x82, 0x7E, 0x08, 0x00], .tooLarge),
        ]
        for (bytes, code) in cases {
            var fixture = Fixture.open(.init(message: 1000, skippedMessage: 2000))
            fixture.receive(WebSocketWriter(as: .server).frame(.text("good"), mask: 0) + bytes)
            #expect(fixture.events.dropLast() == [.opened, .text("good")])
            #expect(fixture.cause == .violation(code: code.rawValue))
            fixture.drain()
            guard case .close(let closure) = fixture.sent.last else {
                Issue.record("no Close frame was sent")
                continue
            }
            #expect(closure.code == code)
            fixture.receive(.text("more"))
            fixture.advance(SocketMachine.closeTimeout)
            #expect(fixture.machine.hasEnded && fixture.events.count == 3)
        }
    }

    @Test("an overflow of unsent bytes and a shutdown end the connection at once")
    func atOnce() {
        var full = Fixture.open()
        full.perform { $0.overflow($1) }
        #expect(full.cause == .overflow && full.machine.hasEnded)
        var ended = Fixture.open()
        ended.perform { $0.shutDown(using: SocketMachine.systemRandom, $1) }
        #expect(ended.cause == .byUs && ended.machine.hasEnded)
        ended.drain()
        #expect(ended.sent == [.close(WebSocketClosure(.goingAway))])
    }

    @Test("a message beyond the limit is skipped and reported, and the next one is received")
    func overlong() {
        var fixture = Fixture.open(.init(message: 1000, skippedMessage: 1 << 22))
        let long = [UInt8](repeating: 0x61, count: 3 << 20)
        var bytes: [UInt8] = [0x81, 0x7F, 0, 0, 0, 0, 0, 0x30, 0, 0]
        bytes += long + WebSocketWriter(as: .server).frame(.text("next"), mask: 0)
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            fixture.receive(Array(bytes[start..<min(bytes.count, start + 1 << 16)]))
        }
        let passing = fixture.events.filter { if case .skippingMessage = $0 { true } else { false } }
        #expect(passing.count == 2)
        #expect(
            fixture.events.first == .opened
                && fixture.events.suffix(2) == [.skippedMessage(bytes: 3 << 20), .text("next")]
        )
        #expect(fixture.machine.isOpen)
        fixture.close()
        fixture.receive(Array(bytes.prefix(100)))
        #expect(fixture.events.last == .text("next"), "after closing nothing is reported")
    }

    @Test("binary messages are counted, not kept")
    func binary() {
        var fixture = Fixture.open()
        fixture.receive(.binary([1, 2, 3]))
        #expect(fixture.events == [.opened, .binary(count: 3)])
    }

    @Test("bytes leave the queue in order, whatever the buffer size")
    func queue() {
        for size in [1, 2, 3, 7, 100] {
            var queue = ByteQueue()
            let pieces: [[UInt8]] = [[1], [], [2, 3, 4], Array(0...50), [9]]
            for piece in pieces { queue.append(piece) }
            var out: [UInt8] = []
            var room = [UInt8](repeating: 0, count: size)
            while queue.count > 0 {
                let count = room.withUnsafeMutableBytes { queue.move(into: $0) }
                out += room[..<count]
            }
            #expect(out == pieces.flatMap(\.self))
        }
    }
}
