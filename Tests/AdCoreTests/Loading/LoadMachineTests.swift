import Testing

@testable import AdCore

@Suite("The load machine")
struct LoadMachineTests {
    @Test("every input in every phase has the actions of the table")
    func table() {
        for phase in LoadScene.phases {
            for (name, input) in LoadScene.inputs {
                var machine = LoadScene.machine(in: phase)
                let actions = machine.handle(input, at: LoadScene.now, random: { 0 })
                let now = machine.loads[LoadScene.id].map { $0.phase.name } ?? "over"
                let made =
                    actions.isEmpty && now == phase ? "" : (actions.map(\.name) + ["→ \(now)"]).joined(separator: " ")
                #expect(LoadScene.table[phase]?[name] ?? "" == made, "\(phase), \(name)")
            }
        }
    }

    @Test("a cancelled load passes its request on to the next waiting load")
    func passedOn() {
        var machine = LoadScene.machine(in: "waiting")
        let actions = machine.handle(.cancel(LoadScene.leader), at: LoadScene.now, random: { 0 })
        #expect(actions.map(\.name) == ["cancelTimer", "send"])
        // A response that the first load still receives is cached and changes nothing else.
        _ = machine.handle(.responded(LoadScene.leader, .success(LoadScene.response(200))), at: LoadScene.now) { 0 }
        let late = machine.handle(
            .parsed(LoadScene.leader, .success(OfferBatch(offers: [LoadScene.offer])), bytes: 1),
            at: LoadScene.now
        ) { 0 }
        #expect(late.map(\.name) == ["finish 9 cancelled"])
        #expect(machine.cache.count == 1)
    }

    @Test("waiting loads share the result of the first one: its error, its offers or no fill")
    func shared() {
        for (result, expected): (Result<OfferBatch, AdError>, [String]) in [
            (.failure(LoadScene.error), ["finish 9 serverStatus", "cancelTimer", "finish serverStatus"]),
            (.success(.noFill), ["finish 9 noFill", "cancelTimer", "finish noFill"]),
            (.success(OfferBatch(offers: [LoadScene.offer])), ["finish 9 offer", "cancelTimer", "send"]),
            (
                .success(OfferBatch(offers: [LoadScene.offer, LoadScene.offer])),
                ["choose 9", "cancelTimer", "choose"]
            ),
        ] {
            var machine = LoadScene.machine(in: "waiting")
            _ = machine.handle(.responded(LoadScene.leader, .success(LoadScene.response(200))), at: LoadScene.now) { 0 }
            let actions = machine.handle(.parsed(LoadScene.leader, result, bytes: 1), at: LoadScene.now) { 0 }
            #expect(actions.map(\.name) == expected)
        }
    }

    @Test("a request is retried within the policy and the deadline, with the remaining time as its limit")
    func retries() {
        var machine = LoadScene.machine(in: "pausing")
        let again = machine.handle(.timerFired(LoadScene.id), at: Moment(.seconds(25)), random: { 0 })
        guard case .send(_, let request)? = again.first else {
            Issue.record("nothing was sent")
            return
        }
        #expect(request.limits.total == .seconds(15))
        let over = machine.handle(.responded(LoadScene.id, .success(LoadScene.response(503))), at: LoadScene.now) { 0 }
        #expect(over.map(\.name) == ["parse"])

        var late = LoadScene.machine(in: "sending")
        let actions = late.handle(
            .responded(LoadScene.id, .success(LoadScene.response(503))),
            at: LoadScene.deadline - .milliseconds(100)
        ) { 0 }
        #expect(actions.map(\.name) == ["parse"])
    }

    @Test("a load whose candidates are all reserved starts again, four times in all")
    func rounds() {
        var machine = LoadScene.machine(in: "preparing")
        var prepared = 0
        for _ in 0..<10 where machine.count > 0 {
            prepared += 1
            _ = machine.handle(.prepared(LoadScene.id, .success(LoadScene.query)), at: LoadScene.now) { 0 }
            _ = machine.handle(.responded(LoadScene.id, .success(LoadScene.response(200))), at: LoadScene.now) { 0 }
            let batch = OfferBatch(offers: [LoadScene.offer, LoadScene.offer])
            _ = machine.handle(.parsed(LoadScene.id, .success(batch), bytes: 1), at: LoadScene.now) { 0 }
            // Another load reserves both before the provider has chosen.
            guard case .choosing(let served)? = machine.loads[LoadScene.id]?.phase else { continue }
            for id in served.places.compactMap(served.proposalID) { _ = machine.cache.reserve(id) }
            let actions = machine.handle(.chosen(LoadScene.id, [0, 1]), at: LoadScene.now) { 0 }
            #expect(actions.map(\.name) == (prepared < 4 ? ["prepare"] : ["finish noFill"]))
        }
        #expect(prepared == 4)
    }

    @Test("a candidate that a frequency cap refuses is passed over, and stays for other loads")
    func caps() {
        var machine = LoadScene.machine(in: "checking")
        let refusal = AdError(.noFill, "a cap is reached")
        _ = machine.handle(.checked(LoadScene.id, refusal), at: LoadScene.now) { 0 }
        let chosen = machine.handle(.checked(LoadScene.id, nil), at: LoadScene.now) { 0 }
        guard case .finish(_, .success(.offer(let loaded)))? = chosen.first else {
            Issue.record("the load did not end with the next candidate")
            return
        }
        #expect(loaded.offer.issues.map(\.code) == ["cap.reached"])

        var last = LoadScene.machine(in: "checking")
        _ = last.handle(.checked(LoadScene.id, refusal), at: LoadScene.now) { 0 }
        let none = last.handle(.checked(LoadScene.id, refusal), at: LoadScene.now) { 0 }
        #expect(none.map(\.name) == ["finish noFill"])
    }

    @Test("after a failed video the next candidate is tried, and its issue is recorded")
    func candidates() {
        var machine = LoadScene.machine(in: "trying")
        let next = machine.handle(.resolved(LoadScene.id, .failure(LoadScene.error)), at: LoadScene.now) { 0 }
        guard case .finish(_, .success(.offer(let loaded)))? = next.first else {
            Issue.record("the load did not end with the next candidate")
            return
        }
        #expect(loaded.offer.issues.map(\.code) == ["video.passedOver"])
        #expect(loaded.reservation != nil)
    }
}

/// A load in each of its phases, and every input.
private enum LoadScene {
    static let now = Moment(.seconds(10))
    static let deadline = Moment(.seconds(40))
    static let id = LoadMachine.ID(1)
    static let leader = LoadMachine.ID(9)
    static var url: HTTPURL {
        guard let url = HTTPURL("http://ssp.example/ads") else { preconditionFailure("A literal is not a valid URL.") }
        return url
    }
    static let query = LoadMachine.Query(
        AdHTTPRequest(.get, url),
        cachePolicy: CachePolicy(.seconds(60), includesShown: false)
    )
    static let error = AdError(.serverStatus, "status 500")
    static let offer = Offer(
        provider: "test",
        creative: .card(CardCreative(headline: "an ad", by: nil)),
        rules: ShowRules(.card, closeControl: .host)
    )
    static let video = VideoProposal(provider: "test", markup: "<VAST/>", isRewarded: false)

    static func response(_ status: Int) -> AdHTTPResponse { AdHTTPResponse(status: status, url: self.url) }

    static let phases = ["preparing", "waiting", "sending", "pausing", "parsing", "choosing", "checking", "trying"]

    static func machine(in phase: String) -> LoadMachine {
        var machine = LoadMachine(provider: "test", retries: RetryPolicy(attempts: 2), hasCaps: phase == "checking")
        func handle(_ input: LoadMachine.Input) { _ = machine.handle(input, at: self.now, random: { 0 }) }
        if phase == "waiting" {
            handle(.start(self.leader, .offer, deadline: self.deadline))
            handle(.prepared(self.leader, .success(self.query)))
        }
        let steps: [(String, LoadMachine.Input)] = [
            ("preparing", .start(self.id, .offer, deadline: self.deadline)),
            ("sending", .prepared(self.id, .success(self.query))),
            ("parsing", .responded(self.id, .success(self.response(phase == "pausing" ? 503 : 200)))),
            ("choosing", .parsed(self.id, .success(OfferBatch([.video(self.video), .offer(self.offer)])), bytes: 10)),
            (phase == "checking" ? "checking" : "trying", .chosen(self.id, [0, 1])),
        ]
        for (reached, input) in steps {
            handle(input)
            if reached == phase { break }
            if phase == "waiting", reached == "sending" { break }
            if phase == "pausing", reached == "parsing" { break }
        }
        return machine
    }

    static let inputs: [(name: String, input: LoadMachine.Input)] = [
        ("prepared", .prepared(id, .success(query))),
        ("prepared, failed", .prepared(id, .failure(error))),
        ("read", .read(id, .success(OfferBatch(offers: [offer])))),
        ("read, no ad", .read(id, .success(.noFill))),
        ("read, failed", .read(id, .failure(error))),
        ("responded", .responded(id, .success(response(200)))),
        ("responded, 503", .responded(id, .success(response(503)))),
        ("responded, failed", .responded(id, .failure(TransportError(.notSent(.nameNotResolved), "no such host")))),
        ("parsed", .parsed(id, .success(OfferBatch(offers: [offer])), bytes: 10)),
        ("parsed, no ad", .parsed(id, .success(.noFill), bytes: 10)),
        ("parsed, failed", .parsed(id, .failure(error), bytes: 10)),
        ("chosen", .chosen(id, [1])),
        ("checked", .checked(id, nil)),
        ("checked, refused", .checked(id, AdError(.noFill, "a cap is reached"))),
        ("resolved", .resolved(id, .success(offer))),
        ("resolved, failed", .resolved(id, .failure(error))),
        ("timer", .timerFired(id)),
        ("cancel", .cancel(id)),
    ]

    /// The actions of each input and the phase that follows; an input that is not listed changes nothing.
    static let table: [String: [String: String]] = [
        "preparing": [
            "prepared": "send → sending", "prepared, failed": "finish serverStatus → over",
            "read": "finish offer → over", "read, no ad": "finish noFill → over",
            "read, failed": "finish serverStatus → over", "cancel": "finish cancelled → over",
        ],
        "waiting": ["timer": "send → sending", "cancel": "cancelTimer finish cancelled → over"],
        "sending": [
            "responded": "parse → parsing", "responded, 503": "setTimer → pausing",
            "responded, failed": "finish unreachable → over",
        ],
        "pausing": ["timer": "send → sending", "cancel": "cancelTimer finish cancelled → over"],
        "parsing": [
            "parsed": "finish offer → over", "parsed, no ad": "finish noFill → over",
            "parsed, failed": "finish serverStatus → over",
        ],
        "choosing": ["chosen": "finish offer → over", "cancel": "finish cancelled → over"],
        "checking": ["checked": "resolve → trying", "checked, refused": "check → checking"],
        "trying": [
            "resolved": "finish offer → over", "resolved, failed": "finish offer → over",
        ],
    ]
}

extension LoadMachine.Phase {
    fileprivate var name: String {
        switch self {
        case .preparing: "preparing"
        case .waiting: "waiting"
        case .sending: "sending"
        case .pausing: "pausing"
        case .parsing: "parsing"
        case .choosing: "choosing"
        case .checking: "checking"
        case .trying: "trying"
        }
    }
}

extension LoadMachine.Action {
    fileprivate var name: String {
        func named(_ name: String, _ id: LoadMachine.ID, _ rest: String = "") -> String {
            name + (id == LoadScene.id ? "" : " \(id.number)") + rest
        }
        switch self {
        case .prepare(let id): return named("prepare", id)
        case .send(let id, _): return named("send", id)
        case .parse(let id, _): return named("parse", id)
        case .choose(let id, _): return named("choose", id)
        case .check(let id, _): return named("check", id)
        case .resolve(let id, _, _): return named("resolve", id)
        case .setTimer(let id, _): return named("setTimer", id)
        case .cancelTimer(let id): return named("cancelTimer", id)
        case .finish(let id, .success(.offer)): return named("finish", id, " offer")
        case .finish(let id, .success(.prefetched)): return named("finish", id, " prefetched")
        case .finish(let id, .success(.bids)): return named("finish", id, " bids")
        case .finish(let id, .failure(let error)): return named("finish", id, " \(error.code)")
        }
    }
}
