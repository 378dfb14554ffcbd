import AdCore
import Testing

@testable import URLSessionTransport

@Suite("The machine of a request over URLSession")
struct ExchangeMachineTests {
    private typealias Machine = ExchangeMachine

    private static let start = ResponseStart(status: 200, fields: [("B", "2"), ("A", "1")])
    private static let notSent = SendEvidence(wasSent: false, peers: [])
    private static let sent = SendEvidence(wasSent: true, peers: ["203.0.113.1"])

    private func request(
        limits: AdHTTPRequest.Limits = .init(),
        reach: AdHTTPRequest.Reach = .anywhere
    ) throws -> AdHTTPRequest {
        AdHTTPRequest(.get, try #require(HTTPURL("https://a.example/x")), limits: limits, reach: reach)
    }

    /// The names of the actions for inputs, in order; how far a failed request came; the status of a response.
    private func run(_ machine: inout Machine, _ inputs: [Machine.Input]) -> [String] {
        inputs.flatMap { machine.handle($0) }.map { action in
            switch action {
            case .resolve: "resolve"
            case .startTransfer: "start"
            case .cancelTransfer: "cancel"
            case .leave: "leave"
            case .finish(.success(let response)): "\(response.status) \(response.body.count)"
            case .finish(.failure(let error)): "\(error.phase)"
            }
        }
    }

    private func run(_ request: AdHTTPRequest, _ inputs: [Machine.Input]) -> [String] {
        var machine = Machine(request)
        return self.run(&machine, inputs)
    }

    private func phase(_ phase: TransportError.Phase) -> String { "\(phase)" }

    @Test("a transfer starts at its turn, and its end is the outcome, once")
    func response() throws {
        let request = try self.request()
        var machine = Machine(request)
        #expect(self.run(&machine, [.turn]) == ["start"])
        let inputs: [Machine.Input] = [.head(Self.start), .bytes([1, 2]), .bytes([3]), .measured(Self.sent)]
        #expect(self.run(&machine, inputs).isEmpty)
        guard case .finish(.success(let response)) = machine.handle(.ended(nil)).first else {
            Issue.record("there is no response")
            return
        }
        #expect(response.status == 200 && response.body == [1, 2, 3] && response.url == request.url)
        #expect(response.headers.fields.map(\.name) == ["A", "B"], "URLSession has no order, so names are sorted")
        #expect(self.run(&machine, [.ended(nil), .cancelled, .overdue, .shutDown, .unresponsive]).isEmpty)
    }

    @Test("what ends before its turn is not sent, and gives a later turn back")
    func waiting() throws {
        let ends: [(Machine.Input, TransportError.Phase)] = [
            (.overdue, .notSent(.timedOut)), (.cancelled, .cancelled(sent: false)), (.shutDown, .notSent(.other)),
        ]
        for (input, phase) in ends {
            #expect(try self.run(self.request(), [input, .turn]) == [self.phase(phase), "leave"])
        }
    }

    @Test("the metrics say how far a failed request came; without them the error, if it can")
    func evidence() throws {
        func failed(_ kind: TransferError.Kind, _ evidence: SendEvidence?) throws -> String? {
            var inputs: [Machine.Input] = [.turn]
            if let evidence { inputs.append(.measured(evidence)) }
            return try self.run(self.request(), inputs + [.ended(TransferError(kind: kind, detail: ""))]).last
        }
        let cases: [(TransferError.Kind, TransportError.Reason, TransportError.Reason, provesNothingSent: Bool)] = [
            (.unknownHost, .nameNotResolved, .nameNotResolved, true), (.noConnection, .refused, .refused, true),
            (.offline, .other, .other, true), (.forbidden, .other, .other, true),
            (.untrusted, .tlsFailed, .tlsFailed, true), (.badURL, .noAddress, .noAddress, true),
            (.secureConnection, .tlsFailed, .tlsFailed, false), (.lost, .connectionLost, .connectionLost, false),
            (.timedOut, .connectTimedOut, .timedOut, false), (.undecodable, .undecodable, .undecodable, false),
            (.unexplained, .other, .other, false), (.other, .other, .other, false),
        ]
        for (kind, ifNotSent, ifSent, provesNothingSent) in cases {
            #expect(try failed(kind, Self.notSent) == self.phase(.notSent(ifNotSent)), "\(kind)")
            #expect(try failed(kind, Self.sent) == self.phase(.ambiguous(ifSent)), "\(kind)")
            let unknown: TransportError.Phase = provesNothingSent ? .notSent(ifNotSent) : .ambiguous(ifSent)
            #expect(try failed(kind, nil) == self.phase(unknown), "\(kind)")
        }
    }

    @Test("a request that received the beginning of a response was sent, whatever the metrics say")
    func headIsEvidence() throws {
        let inputs: [Machine.Input] = [
            .turn, .head(Self.start), .measured(Self.notSent), .ended(TransferError(kind: .noConnection, detail: "")),
        ]
        #expect(try self.run(self.request(), inputs).last == self.phase(.ambiguous(.refused)))
    }

    @Test("a transfer that this side ends is cancelled, and its metrics are awaited")
    func stopping() throws {
        let ends: [(Machine.Input, sent: TransportError.Phase, notSent: TransportError.Phase)] = [
            (.cancelled, .cancelled(sent: true), .cancelled(sent: false)),
            (.overdue, .ambiguous(.timedOut), .notSent(.connectTimedOut)),
            (.shutDown, .ambiguous(.other), .notSent(.other)),
        ]
        let end = Machine.Input.ended(TransferError(kind: .cancelled, detail: ""))
        for (input, sent, notSent) in ends {
            var machine = Machine(try self.request())
            #expect(self.run(&machine, [.turn, input, .cancelled, .overdue, .bytes([1])]) == ["start", "cancel"])
            #expect(self.run(&machine, [.measured(Self.sent), end]) == [self.phase(sent)])
            #expect(
                try self.run(self.request(), [.turn, input, .measured(Self.notSent), end]).last == self.phase(notSent)
            )
            #expect(try self.run(self.request(), [.turn, input, .unresponsive]).last == self.phase(sent))
        }
    }

    @Test("limits end a transfer: of the header, of the announced and of the received body")
    func limits() throws {
        let end = Machine.Input.ended(TransferError(kind: .cancelled, detail: ""))
        let request = try self.request(limits: .init(body: 10))
        let announced = ResponseStart(status: 200, fields: [("Content-Length", "5000")])
        let many = ResponseStart(status: 200, fields: (0..<257).map { ("F\($0)", "x") })
        let long = ResponseStart(status: 200, fields: [("F", String(repeating: "x", count: 64 << 10))])
        for head in [announced, many, long] {
            #expect(self.run(request, [.turn, .head(head), end]) == ["start", "cancel", self.phase(.tooLarge)])
        }
        let received = [.turn, .head(Self.start), .bytes([UInt8](repeating: 1, count: 11)), end]
        #expect(self.run(request, received) == ["start", "cancel", self.phase(.tooLarge)])
    }

    @Test("where only the header matters, a cut, late or lost body is no failure")
    func discarding() throws {
        let request = try self.request(limits: .init(body: 4, excess: .discard))
        let end = Machine.Input.ended(TransferError(kind: .lost, detail: ""))
        let begun: [Machine.Input] = [.turn, .head(Self.start), .bytes([1, 2])]
        #expect(self.run(request, begun + [.bytes([3, 4, 5]), end]) == ["start", "cancel", "200 4"])
        #expect(self.run(request, begun + [.overdue, end]) == ["start", "cancel", "200 2"])
        #expect(self.run(request, begun + [end]) == ["start", "200 2"])
        #expect(self.run(request, begun + [.cancelled, end]).last == self.phase(.cancelled(sent: true)))
        #expect(self.run(request, [.turn, end]).last == self.phase(.ambiguous(.connectionLost)))
    }

    @Test("an interim response is not the response, and an end without a response is a failure")
    func interim() throws {
        let early = ResponseStart(status: 103, fields: [])
        #expect(try self.run(self.request(), [.turn, .head(early), .head(Self.start), .ended(nil)]).last == "200 0")
        #expect(
            try self.run(self.request(), [.turn, .head(early), .ended(nil)]).last
                == self.phase(.ambiguous(.undecodable))
        )
    }

    @Test("a request for public addresses is sent only if every address of its host is public")
    func reach() throws {
        let request = try self.request(reach: .publicOnly)
        let (near, far) = (try #require(IPAddress(text: "10.0.0.1")), try #require(IPAddress(text: "8.8.8.8")))
        #expect(self.run(request, [.turn, .resolved([far])]) == ["resolve", "start"])
        for addresses in [[near], [far, near]] {
            let outcome = self.run(request, [.turn, .resolved(addresses)])
            #expect(outcome == ["resolve", self.phase(.notSent(.privateAddress))])
        }
        #expect(self.run(request, [.turn, .resolved([])]).last == self.phase(.notSent(.nameNotResolved)))
        #expect(self.run(request, [.turn, .lookUpOverdue]).last == self.phase(.notSent(.connectTimedOut)))
        #expect(self.run(request, [.turn, .cancelled, .resolved([far])]).last == self.phase(.cancelled(sent: false)))
        var allowing = Machine(request, allowing: [near])
        #expect(self.run(&allowing, [.turn, .resolved([near])]) == ["resolve", "start"])
        #expect(self.run(&allowing, [.lookUpOverdue]).isEmpty, "the limit of the look-up is void after it")
    }

    @Test("a response from a private address is discarded, because the name changed its address after the look-up")
    func rebinding() throws {
        let request = try self.request(reach: .publicOnly)
        let far = try #require(IPAddress(text: "8.8.8.8"))
        for peer in ["10.0.0.1", "fe80::1%en0", "nonsense"] {
            let evidence = SendEvidence(wasSent: true, peers: ["8.8.8.8", peer])
            let inputs: [Machine.Input] = [
                .turn, .resolved([far]), .head(Self.start), .bytes([1]), .measured(evidence), .ended(nil),
            ]
            #expect(self.run(request, inputs).last == self.phase(.ambiguous(.privateAddress)), "\(peer)")
        }
    }

    @Test("a request that URLSession can't express is not sent, and the message says why")
    func unsendable() throws {
        var machine = Machine(try self.request())
        _ = machine.handle(.turn)
        guard case .finish(.failure(let error)) = machine.handle(.unsendable("why")).first else {
            Issue.record("there is no failure")
            return
        }
        #expect(error.phase == .notSent(.other))
        #expect(error.message == "not sent: why (https://a.example:443)")
    }
}
