import AdCore
import Testing

@testable import URLSessionTransport

@Suite("The machine of a WebSocket over URLSession")
struct SocketTaskMachineTests {
    /// A machine and what it said.
    private struct Fixture {
        var machine: SocketTaskMachine
        private(set) var actions: [SocketTaskMachine.Action] = []

        init(_ limits: SocketRequest.Limits = .init()) throws {
            let url = try #require(SocketURL("wss://a.example/socket"))
            self.machine = SocketTaskMachine(SocketRequest(url, limits: limits))
            self.actions = self.machine.start()
        }

        /// Handles inputs and returns the actions.
        @discardableResult
        mutating func handle(_ inputs: SocketTaskMachine.Input...) -> [SocketTaskMachine.Action] {
            self.actions = inputs.flatMap { self.machine.handle($0) }
            return self.actions
        }

        /// The number of the alarm that was set last.
        var alarm: Int {
            for case .alarm(let number, _) in self.actions { return number }
            return 0
        }

        /// The end that was reported last.
        var end: SocketEnd? {
            for case .report(.closed(let end)) in self.actions { return end }
            return nil
        }
    }

    private static let lost = TransferError(kind: .lost, detail: "gone")

    @Test("messages are received one after the other, each reported once")
    func messages() throws {
        var fixture = try Fixture(.init(message: 4))
        #expect(fixture.actions == [.alarm(1, after: .seconds(15))])
        #expect(fixture.handle(.opened) == [.report(.opened), .receive])
        #expect(fixture.handle(.text("abcd")) == [.report(.text("abcd")), .receive])
        #expect(fixture.handle(.binary(count: 3)) == [.report(.binary(count: 3)), .receive])
        #expect(fixture.handle(.text("abcde")) == [.report(.skippedMessage(bytes: 5)), .receive])
        #expect(fixture.handle(.binary(count: 9)) == [.report(.skippedMessage(bytes: 9)), .receive])
        #expect(fixture.handle(.alarm(1)).isEmpty, "the limit for connecting is void")
    }

    @Test("URLSession receives messages that are discarded up to a bound, because it holds them in memory")
    func sizes() throws {
        #expect(try Fixture(.init(message: 1 << 20)).machine.maximumMessageSize == 8 << 20)
        #expect(try Fixture(.init(message: 1 << 20, skippedMessage: 2 << 20)).machine.maximumMessageSize == 2 << 20)
        #expect(try Fixture(.init(message: 16 << 20)).machine.maximumMessageSize == 16 << 20)
        #expect(try Fixture(.init(message: 0, skippedMessage: 0)).machine.maximumMessageSize == 1)
    }

    @Test("a message beyond that bound is a violation")
    func tooLong() throws {
        var fixture = try Fixture()
        fixture.handle(.opened)
        #expect(fixture.handle(.receiveFailed("Message too long", isTooLong: true)).first == .close(1009))
        #expect(fixture.end?.cause == .violation(code: 1009))
        #expect(fixture.handle(.closedByPeer(code: 1009, reason: ""), .ended(nil, status: 101)).isEmpty)
    }

    @Test("the Close frame follows when everything is sent")
    func closes() throws {
        var fixture = try Fixture()
        #expect(fixture.handle(.send("lost: it is not open yet")).isEmpty)
        fixture.handle(.opened)
        #expect(fixture.handle(.send("ab"), .send("")) == [.send("ab", bytes: 16), .send("", bytes: 14)])
        #expect(fixture.handle(.close) == [.alarm(3, after: .seconds(2))])
        #expect(fixture.handle(.close, .send("lost: it is closed")).isEmpty)
        #expect(fixture.handle(.text("a late text"), .sent(16)) == [.receive])
        #expect(fixture.handle(.sent(14)) == [.close(1000)])
        fixture.handle(.closedByPeer(code: 1000, reason: ""))
        #expect(fixture.end?.cause == .byUs && fixture.machine.hasEnded)
    }

    @Test("a server that does not answer the Close frame is left after two seconds")
    func closeTimesOut() throws {
        var fixture = try Fixture()
        fixture.handle(.opened)
        #expect(fixture.handle(.close).first == .close(1000))
        #expect(fixture.handle(.alarm(fixture.alarm)).first == .drop)
        #expect(fixture.end?.cause == .byUs && fixture.end?.message.contains("did not reply") == true)
    }

    @Test(
        "a handshake that fails is reported with its status or its reason",
        arguments: [
            (nil, 401, SocketEnd.Cause.notOpened(status: 401), "credentials"),
            (nil, 302, .notOpened(status: 302), "redirect"),
            (TransferError(kind: .noConnection, detail: "refused"), nil, .notOpened(), "check the port"),
            (TransferError(kind: .unknownHost, detail: ""), nil, .notOpened(), "could not be resolved"),
            (TransferError(kind: .untrusted, detail: "bad"), nil, .notOpened(), "renew the server's certificate"),
            (TransferError(kind: .lost, detail: "gone"), nil, .notOpened(), "closed the connection before"),
            (nil, nil, .notOpened(), "closed the connection before"),
        ] as [(TransferError?, Int?, SocketEnd.Cause, String)]
    )
    func handshakes(error: TransferError?, status: Int?, cause: SocketEnd.Cause, words: String) throws {
        var fixture = try Fixture()
        fixture.handle(.ended(error, status: status))
        let end = try #require(fixture.end)
        #expect(end.cause == cause)
        #expect(end.message.hasPrefix("Not opened: ") && end.message.contains(words))
        #expect(end.message.contains("wss://a.example"))
    }

    @Test("a server that does not open the connection in time is left")
    func connectTimesOut() throws {
        var fixture = try Fixture(.init(connect: .milliseconds(200)))
        #expect(fixture.handle(.alarm(1)).first == .drop)
        #expect(fixture.end?.cause == .notOpened() && fixture.end?.message.contains("0.2 seconds") == true)
    }

    @Test(
        "the end of the peer is reported with its code, a lost connection as one",
        arguments: [
            ([.closedByPeer(code: 4001, reason: "so long")], SocketEnd.Cause.byPeer(code: 4001), "so long"),
            ([.closedByPeer(code: 1005, reason: "")], .byPeer(code: nil), "without a code"),
            ([.closedByPeer(code: 1006, reason: ""), .ended(lost, status: 101)], .lost, "gone"),
            ([.ended(lost, status: 101)], .lost, "gone"),
            ([.receiveFailed("x", isTooLong: false), .ended(lost, status: 101)], .lost, "gone"),
            (
                [.receiveFailed("x", isTooLong: false), .closedByPeer(code: 1001, reason: "")], .byPeer(code: 1001),
                "1001"
            ),
            ([.sendFailed("x"), .receiveFailed("y", isTooLong: false), .ended(nil, status: 101)], .lost, "x"),
        ] as [([SocketTaskMachine.Input], SocketEnd.Cause, String)]
    )
    func ends(inputs: [SocketTaskMachine.Input], cause: SocketEnd.Cause, words: String) throws {
        var fixture = try Fixture()
        fixture.handle(.opened)
        for input in inputs {
            #expect(fixture.end == nil)
            fixture.handle(input)
        }
        #expect(fixture.end?.cause == cause)
        #expect(fixture.end?.message.contains(words) == true)
        #expect(fixture.handle(.ended(nil, status: 101), .close, .shutDown, .text("late")).isEmpty)
    }

    @Test("a failure that nothing explains ends the connection a second later")
    func unexplained() throws {
        var fixture = try Fixture()
        fixture.handle(.opened)
        #expect(fixture.handle(.receiveFailed("x", isTooLong: false)) == [.alarm(3, after: .seconds(1))])
        #expect(fixture.handle(.alarm(3)).first == .drop)
        #expect(fixture.end?.cause == .lost)
    }

    @Test("a server that reads too slowly ends the connection")
    func overflows() throws {
        var fixture = try Fixture(.init(unsent: 100))
        fixture.handle(.opened)
        #expect(fixture.handle(.send(String(repeating: "x", count: 86))).count == 1)
        #expect(fixture.handle(.send("")).first == .drop)
        #expect(fixture.end?.cause == .overflow && fixture.end?.message.contains("100 bytes") == true)
    }

    @Test("a connection that is closed before it is open, and one of a transport that is shut down, end at once")
    func early() throws {
        var closed = try Fixture()
        #expect(closed.handle(.close).first == .drop)
        #expect(closed.end?.cause == .byUs)
        var connecting = try Fixture()
        #expect(connecting.handle(.shutDown).first == .drop)
        #expect(connecting.end?.cause == .byUs)
        var open = try Fixture()
        open.handle(.opened)
        #expect(open.handle(.shutDown).first == .close(1001))
        #expect(open.end?.cause == .byUs)
    }
}
