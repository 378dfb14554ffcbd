import AdCore
import Testing
import WebSocketCodec

@testable import CurlTransport

@Suite("The life of a socket")
struct SocketLineTests {
    /// A line, the time, and what became of both.
    private struct Fixture {
        var machine: SocketMachine
        var now = ContinuousClock.now
        var events: [SocketEvent] = []
        /// What was sent behind the request.
        var sent: [WebSocketMessage] = []
        var request = ""
        private var reader = WebSocketReader(as: .server, longest: 1 << 24)

        init(_ limits: SocketRequest.Limits = .init(connect: .seconds(5))) {
            guard let url = SocketURL("ws://a.example:81/s?x=1") else {
                preconditionFailure("A literal is no address.")
            }
            self.machine = SocketMachine(
                SocketRequest(url, limits: limits),
                at: self.now,
                using: SocketMachine.systemRandom
            )
        }

        /// A line that is open.
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

        /// Sends what there is, a few bytes at a time.
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

    @Test("the request goes out with the connection, and the answer opens it")
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

    @Test("what is said before it is open is lost, and what is said then goes out in order")
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

    @Test("without an answer in time it was not opened", arguments: [false, true])
    func late(isConnected: Bool) {
        var fixture = Fixture()
        if isConnected { fixture.machine.connected() }
        fixture.advance(.seconds(5) - .nanoseconds(1))
        #expect(fixture.events.isEmpty)
        fixture.advance(.nanoseconds(1))
        #expect(fixture.cause == .notOpened() && fixture.machine.hasEnded)
    }

    @Test("an answer that refuses is told with its status, and what to do")
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

    @Test("whoever hangs up before the answer was never open, later it is lost")
    func breaks() {
        var handshaking = Fixture()
        handshaking.machine.connected()
        handshaking.perform { $0.disconnected("reset", $1) }
        #expect(handshaking.cause == .notOpened())
        var open = Fixture.open()
        open.perform { $0.disconnected("", $1) }
        #expect(open.cause == .lost && open.machine.hasEnded)
    }

    @Test("pings are answered, and pongs are nothing")
    func pings() {
        var fixture = Fixture.open()
        fixture.receive(.ping([1, 2]))
        fixture.receive(.pong([3]))
        fixture.receive(.ping([]))
        fixture.drain()
        #expect(fixture.sent == [.pong([1, 2]), .pong([])])
        #expect(fixture.events == [.opened])
    }

    @Test("a flood of pings that nobody reads the answers of costs a few KiB, and the last is answered")
    func pingFlood() {
        var fixture = Fixture.open()
        for number in 0..<10_000 { fixture.receive(.ping([UInt8](repeating: UInt8(number & 255), count: 125))) }
        #expect(fixture.machine.unsent < SocketMachine.pongLimit + 200)
        fixture.drain()
        #expect(fixture.sent.last == .pong([UInt8](repeating: UInt8(9_999 & 255), count: 125)))
        #expect(fixture.sent.count < 50)
    }

    @Test("the other side's end is answered with its code, and told at once")
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
            // It hangs up, or takes too long to.
            var other = fixture
            fixture.perform { $0.disconnected("", $1) }
            other.advance(SocketMachine.closeTimeout)
            #expect(fixture.machine.hasEnded && other.machine.hasEnded)
            #expect(fixture.events.count == 2 && other.events.count == 2)
        }
    }

    @Test("an end of one's own goes out behind what was said, and is over with the other side's answer")
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

    @Test("an end of one's own that is not answered is over in two seconds")
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

    @Test("what is none of the protocol, or too much, ends it with a code that the other side is told")
    func faults() {
        let cases: [([UInt8], WebSocketClosure.Code)] = [
            ([0x83, 0x00], .protocolError), ([0x81, 0x01, 0xFF], .invalidText), ([0x82, 0x7E, 0x08, 0x00], .tooLarge),
        ]
        for (bytes, code) in cases {
            var fixture = Fixture.open(.init(message: 1000, passedOver: 2000))
            fixture.receive(WebSocketWriter(as: .server).frame(.text("good"), mask: 0) + bytes)
            #expect(fixture.events.dropLast() == [.opened, .text("good")])
            #expect(fixture.cause == .fault(code: code.rawValue))
            fixture.drain()
            guard case .close(let closure) = fixture.sent.last else {
                Issue.record("no end was said")
                continue
            }
            #expect(closure.code == code)
            fixture.receive(.text("more"))
            fixture.advance(SocketMachine.closeTimeout)
            #expect(fixture.machine.hasEnded && fixture.events.count == 3)
        }
    }

    @Test("too much that waits, and a transport that ends, end it at once")
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

    @Test("a message longer than is taken is passed over, told, and what comes behind it is heard")
    func overlong() {
        var fixture = Fixture.open(.init(message: 1000, passedOver: 1 << 22))
        let long = [UInt8](repeating: 0x61, count: 3 << 20)
        var bytes: [UInt8] = [0x81, 0x7F, 0, 0, 0, 0, 0, 0x30, 0, 0]
        bytes += long + WebSocketWriter(as: .server).frame(.text("next"), mask: 0)
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            fixture.receive(Array(bytes[start..<min(bytes.count, start + 1 << 16)]))
        }
        let passing = fixture.events.filter { if case .passingOver = $0 { true } else { false } }
        #expect(passing.count == 2)
        #expect(
            fixture.events.first == .opened && fixture.events.suffix(2) == [.passedOver(bytes: 3 << 20), .text("next")]
        )
        #expect(fixture.machine.isOpen)
        fixture.close()
        fixture.receive(Array(bytes.prefix(100)))
        #expect(fixture.events.last == .text("next"), "behind one's own end nothing is told of it")
    }

    @Test("binary messages are counted, not kept")
    func binary() {
        var fixture = Fixture.open()
        fixture.receive(.binary([1, 2, 3]))
        #expect(fixture.events == [.opened, .binary(count: 3)])
    }

    @Test("bytes come out of the queue as they went in, whatever the room")
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
