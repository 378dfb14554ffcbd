import AdCore
import Testing
import WebSocketCodec

@testable import CurlTransport

@Suite("The life of a socket")
struct SocketLineTests {
    /// A line, the time, and what became of both.
    private struct Life {
        var line: SocketLine
        var now = ContinuousClock.now
        var events: [SocketEvent] = []
        /// What was sent behind the request.
        var said: [WebSocketMessage] = []
        var request = ""
        private var reader = WebSocketReader(as: .server, longest: 1 << 24)

        init(_ limits: SocketRequest.Limits = .init(connect: .seconds(5))) {
            guard let url = SocketURL("ws://a.example:81/s?x=1") else {
                preconditionFailure("A literal is no address.")
            }
            self.line = SocketLine(SocketRequest(url, limits: limits), at: self.now, using: SocketLine.systemRandom)
        }

        /// A line that is open.
        static func open(_ limits: SocketRequest.Limits = .init(connect: .seconds(5))) -> Life {
            var life = Life(limits)
            life.line.connected()
            life.drain()
            life.hear(Array(PeerServer.Peer.agreement(to: life.request).utf8))
            return life
        }

        mutating func hear(_ bytes: [UInt8]) {
            var events: [SocketEvent] = []
            bytes.withUnsafeBytes {
                self.line.received($0, at: self.now, using: SocketLine.systemRandom) { events.append($0) }
            }
            self.events += events
        }

        mutating func hear(_ message: WebSocketMessage) {
            self.hear(WebSocketWriter(as: .server).frame(message, mask: 0))
        }

        mutating func act(_ step: (inout SocketLine, (SocketEvent) -> Void) -> Void) {
            var events: [SocketEvent] = []
            step(&self.line) { events.append($0) }
            self.events += events
        }

        mutating func close() {
            var events: [SocketEvent] = []
            self.line.close(at: self.now, using: SocketLine.systemRandom) { events.append($0) }
            self.events += events
        }

        mutating func pass(_ time: Duration) {
            self.now += time
            let now = self.now
            self.act { $0.elapsed(to: now, $1) }
        }

        /// Sends what there is, a few bytes at a time.
        mutating func drain() {
            var bytes: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 37)
            while self.line.hasOutgoing {
                let count = room.withUnsafeMutableBytes { self.line.give(into: $0) }
                bytes += room[..<count]
                self.line.sent(count, using: SocketLine.systemRandom)
            }
            if self.request.isEmpty {
                self.request = String(decoding: bytes, as: UTF8.self)
            } else {
                var said: [WebSocketMessage] = []
                do { try self.reader.read(bytes) { said.append($0) } } catch { Issue.record(error) }
                self.said += said
            }
        }

        var cause: SocketEnd.Cause? {
            guard case .closed(let end) = self.events.last else { return nil }
            return end.cause
        }
    }

    @Test("the request goes out with the connection, and the answer opens it")
    func opens() {
        var life = Life()
        #expect(!life.line.hasOutgoing && life.line.deadline == life.now + .seconds(5))
        life.line.connected()
        life.drain()
        #expect(life.request.hasPrefix("GET /s?x=1 HTTP/1.1\r\nHost: a.example:81\r\n"))
        #expect(life.line.deadline == life.now + .seconds(5))
        let hello = WebSocketWriter(as: .server).frame(.text("hello"), mask: 0)
        life.hear(Array(PeerServer.Peer.agreement(to: life.request).utf8) + hello)
        #expect(life.events == [.opened, .text("hello")])
        #expect(life.line.deadline == nil && life.line.isOpen)
    }

    @Test("what is said before it is open is lost, and what is said then goes out in order")
    func sends() {
        var early = Life()
        early.line.send("lost", using: SocketLine.systemRandom)
        #expect(early.line.unsent == 0)
        var life = Life.open()
        for text in ["a", "", "b"] { life.line.send(text, using: SocketLine.systemRandom) }
        life.drain()
        #expect(life.said == [.text("a"), .text(""), .text("b")])
        #expect(life.line.unsent == 0)
    }

    @Test("without an answer in time it was not opened", arguments: [false, true])
    func late(isConnected: Bool) {
        var life = Life()
        if isConnected { life.line.connected() }
        life.pass(.seconds(5) - .nanoseconds(1))
        #expect(life.events.isEmpty)
        life.pass(.nanoseconds(1))
        #expect(life.cause == .notOpened() && life.line.isOver)
    }

    @Test("an answer that refuses is told with its status, and what to do")
    func refuses() {
        for status in [301, 401, 403, 404, 500, 200] {
            var life = Life()
            life.line.connected()
            life.drain()
            life.hear(Array("HTTP/1.1 \(status) Word\r\n\r\n".utf8))
            #expect(life.cause == .notOpened(status: status) && life.line.isOver)
            guard case .closed(let end) = life.events.last else { continue }
            #expect(end.message.contains("\(status)") && end.message.contains("ws://a.example:81"))
        }
    }

    @Test("whoever hangs up before the answer was never open, later it is lost")
    func breaks() {
        var asking = Life()
        asking.line.connected()
        asking.act { $0.broke("reset", $1) }
        #expect(asking.cause == .notOpened())
        var open = Life.open()
        open.act { $0.broke("", $1) }
        #expect(open.cause == .lost && open.line.isOver)
    }

    @Test("pings are answered, and pongs are nothing")
    func pings() {
        var life = Life.open()
        life.hear(.ping([1, 2]))
        life.hear(.pong([3]))
        life.hear(.ping([]))
        life.drain()
        #expect(life.said == [.pong([1, 2]), .pong([])])
        #expect(life.events == [.opened])
    }

    @Test("a flood of pings that nobody reads the answers of costs a few KiB, and the last is answered")
    func pingFlood() {
        var life = Life.open()
        for number in 0..<10_000 { life.hear(.ping([UInt8](repeating: UInt8(number & 255), count: 125))) }
        #expect(life.line.unsent < SocketLine.mostPongs + 200)
        life.drain()
        #expect(life.said.last == .pong([UInt8](repeating: UInt8(9_999 & 255), count: 125)))
        #expect(life.said.count < 50)
    }

    @Test("the other side's end is answered with its code, and told at once")
    func byPeer() {
        for closure in [
            WebSocketClosure(nil), WebSocketClosure(.goingAway, "bye"), WebSocketClosure(.init(rawValue: 4001)),
        ] {
            var life = Life.open()
            life.hear(.close(closure))
            #expect(life.cause == .byPeer(code: closure.code?.rawValue))
            life.drain()
            #expect(life.said == [.close(WebSocketClosure(closure.code))])
            #expect(!life.line.isOver)
            // It hangs up, or takes too long to.
            var other = life
            life.act { $0.broke("", $1) }
            other.pass(SocketLine.patience)
            #expect(life.line.isOver && other.line.isOver)
            #expect(life.events.count == 2 && other.events.count == 2)
        }
    }

    @Test("an end of one's own goes out behind what was said, and is over with the other side's answer")
    func byUs() {
        var life = Life.open()
        life.line.send("last", using: SocketLine.systemRandom)
        life.close()
        life.line.send("lost", using: SocketLine.systemRandom)
        life.drain()
        #expect(life.said == [.text("last"), .close(WebSocketClosure(.normal))])
        life.hear(.text("ignored"))
        #expect(life.events == [.opened])
        life.hear(.close(WebSocketClosure(.normal)))
        #expect(life.cause == .byUs)
        life.act { $0.broke("", $1) }
        #expect(life.line.isOver && life.events.count == 2)
    }

    @Test("an end of one's own that is not answered is over in two seconds")
    func byUsAlone() {
        var life = Life.open()
        life.close()
        #expect(life.line.deadline == life.now + SocketLine.patience)
        life.pass(SocketLine.patience)
        #expect(life.cause == .byUs && life.line.isOver)
        var hungUp = Life.open()
        hungUp.close()
        hungUp.act { $0.broke("", $1) }
        #expect(hungUp.cause == .byUs)
        var early = Life()
        early.close()
        #expect(early.cause == .byUs && early.line.isOver)
    }

    @Test("what is none of the protocol, or too much, ends it with a code that the other side is told")
    func faults() {
        let cases: [([UInt8], WebSocketClosure.Code)] = [
            ([0x83, 0x00], .protocolError), ([0x81, 0x01, 0xFF], .invalidText), ([0x82, 0x7E, 0x08, 0x00], .tooLarge),
        ]
        for (bytes, code) in cases {
            var life = Life.open(.init(message: 1000, passedOver: 2000))
            life.hear(WebSocketWriter(as: .server).frame(.text("good"), mask: 0) + bytes)
            #expect(life.events.dropLast() == [.opened, .text("good")])
            #expect(life.cause == .fault(code: code.rawValue))
            life.drain()
            guard case .close(let closure) = life.said.last else {
                Issue.record("no end was said")
                continue
            }
            #expect(closure.code == code)
            life.hear(.text("more"))
            life.pass(SocketLine.patience)
            #expect(life.line.isOver && life.events.count == 3)
        }
    }

    @Test("too much that waits, and a transport that ends, end it at once")
    func atOnce() {
        var full = Life.open()
        full.act { $0.overflow($1) }
        #expect(full.cause == .overflow && full.line.isOver)
        var ended = Life.open()
        ended.act { $0.shutDown(using: SocketLine.systemRandom, $1) }
        #expect(ended.cause == .byUs && ended.line.isOver)
        ended.drain()
        #expect(ended.said == [.close(WebSocketClosure(.goingAway))])
    }

    @Test("a message longer than is taken is passed over, told, and what comes behind it is heard")
    func overlong() {
        var life = Life.open(.init(message: 1000, passedOver: 1 << 22))
        let long = [UInt8](repeating: 0x61, count: 3 << 20)
        var bytes: [UInt8] = [0x81, 0x7F, 0, 0, 0, 0, 0, 0x30, 0, 0]
        bytes += long + WebSocketWriter(as: .server).frame(.text("next"), mask: 0)
        for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
            life.hear(Array(bytes[start..<min(bytes.count, start + 1 << 16)]))
        }
        let passing = life.events.filter { if case .passingOver = $0 { true } else { false } }
        #expect(passing.count == 2)
        #expect(life.events.first == .opened && life.events.suffix(2) == [.passedOver(bytes: 3 << 20), .text("next")])
        #expect(life.line.isOpen)
        life.close()
        life.hear(Array(bytes.prefix(100)))
        #expect(life.events.last == .text("next"), "behind one's own end nothing is told of it")
    }

    @Test("binary messages are counted, not kept")
    func binary() {
        var life = Life.open()
        life.hear(.binary([1, 2, 3]))
        #expect(life.events == [.opened, .binary(count: 3)])
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
