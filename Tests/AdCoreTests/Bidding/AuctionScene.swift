import AdCore

/// An auction of two bidders, a participant with a fixed price and one without a price, in each of its phases.
enum AuctionScene {
    static let end = Moment(.seconds(8))
    static let bidsEnd = Moment(.seconds(2))
    static let now = Moment(.seconds(1))
    static let high = AuctionMachine.BidID(participant: 0, index: 0)
    static let second = AuctionMachine.BidID(participant: 1, index: 0)
    static let error = AdError(.noFill, "for the test")

    static func bid(_ price: AdDecimal?, needsResolving: Bool = false, expires: Moment = .init(.seconds(300)))
        -> AuctionMachine.Bid
    {
        AuctionMachine.Bid(price: price.map { AdPrice($0) }, needsResolving: needsResolving, expires: expires)
    }

    static let participants: [AuctionMachine.Participant] = [
        .init(name: "high", pricing: .bids), .init(name: "low", pricing: .bids),
        .init(name: "direct", pricing: .fixed(AdPrice(1))), .init(name: "last", pricing: .unknown),
    ]

    static let phases = ["idle", "collecting", "resolving", "asking", "chosen", "won", "over"]

    /// The inputs that lead to a phase, and when they come.
    private static func inputs(to phase: String) -> [AuctionMachine.Input] {
        let start: [AuctionMachine.Input] = [.start(bidsUntil: self.bidsEnd, until: self.end)]
        func responses(_ needsResolving: Bool) -> [AuctionMachine.Input] {
            [
                .responded(0, .success([self.bid(3, needsResolving: needsResolving)])),
                .responded(1, .success([self.bid(2)])), .responded(2, .failure(self.error)),
            ]
        }
        switch phase {
        case "collecting": return start
        case "resolving": return start + responses(true)
        case "asking":
            return start + (0...2).map { AuctionMachine.Input.responded($0, .failure(self.error)) }
        case "chosen": return start + responses(false)
        case "won": return start + responses(false) + [.settle(.won)]
        case "over": return start + responses(false) + [.settle(.lost(.expired))]
        default: return []
        }
    }

    static func machine(in phase: String) -> AuctionMachine {
        guard var machine = try? AuctionMachine(self.participants) else { preconditionFailure("There is no floor.") }
        for input in self.inputs(to: phase) { _ = machine.handle(input, at: .origin) }
        return machine
    }

    static let all: [(name: String, input: AuctionMachine.Input)] = [
        ("start", .start(bidsUntil: bidsEnd, until: end)),
        ("bids of high", .responded(0, .success([bid(3)]))),
        ("bids of last", .responded(3, .success([bid(nil)]))),
        ("no bids of last", .responded(3, .failure(error))),
        ("resolved", .resolved(high, nil)),
        ("not resolved", .resolved(high, error)),
        ("timer bids", .timer(.bids)),
        ("timer end", .timer(.end)),
        ("next", .next(.internalError, until: end)),
        ("won", .settle(.won)),
        ("lost", .settle(.lost(.expired))),
        ("cancel", .cancel),
    ]

    /// The names of the actions; in a phase or for an input that is missing, there are none.
    static let table: [String: [String: String]] = [
        "idle": [
            "start": "setTimer end, setTimer bids, ask 0, ask 1, ask 2",
            "bids of high": "loss 0.0 2", "bids of last": "loss 3.0 2",
        ],
        "collecting": [
            "bids of last": "loss 3.0 2",
            "timer bids": "cancelTimer bids, stopAsking 0, stopAsking 1, stopAsking 2, ask 3",
            "timer end":
                "cancelTimer bids, stopAsking 0, stopAsking 1, stopAsking 2, cancelTimer end, result, fail timedOut",
            "lost": "stopAsking 0, stopAsking 1, stopAsking 2, cancelTimer bids, cancelTimer end, fail cancelled",
            "cancel": "stopAsking 0, stopAsking 1, stopAsking 2, cancelTimer bids, cancelTimer end, fail cancelled",
        ],
        "resolving": [
            "bids of high": "loss 0.0 2", "bids of last": "loss 3.0 2",
            "resolved": "cancelTimer end, result, choose 0.0",
            "not resolved": "loss 0.0 200, cancelTimer end, result, choose 1.0",
            "timer end": "stopResolving 0.0, loss 0.0 2, cancelTimer end, result, choose 1.0",
            "lost": "stopResolving 0.0, cancelTimer end, loss 0.0 2, loss 1.0 2, fail cancelled",
            "cancel": "stopResolving 0.0, cancelTimer end, loss 0.0 2, loss 1.0 2, fail cancelled",
        ],
        "asking": [
            "bids of high": "loss 0.0 2",
            "bids of last": "cancelTimer end, result, choose 3.0",
            "no bids of last": "cancelTimer end, result, fail noFill",
            "timer end": "stopAsking 3, cancelTimer end, result, fail noFill",
            "lost": "stopAsking 3, cancelTimer end, fail cancelled",
            "cancel": "stopAsking 3, cancelTimer end, fail cancelled",
        ],
        "chosen": [
            "bids of high": "loss 0.0 2", "bids of last": "loss 3.0 2",
            "next": "setTimer end, loss 0.0 1, cancelTimer end, successor low, choose 1.0",
            "won": "win 0.0, loss 1.0 102 of 3", "lost": "loss 0.0 2, loss 1.0 2",
        ],
        "won": ["bids of high": "loss 0.0 2", "bids of last": "loss 3.0 2", "next": "fail cancelled"],
        "over": ["bids of high": "loss 0.0 2", "bids of last": "loss 3.0 2", "next": "fail cancelled"],
    ]
}

extension AuctionMachine.Action {
    /// The action as in the table.
    var name: String {
        func text(_ id: AuctionMachine.BidID) -> String { "\(id.participant).\(id.index)" }
        switch self {
        case .ask(let index): return "ask \(index)"
        case .stopAsking(let index): return "stopAsking \(index)"
        case .setTimer(let timer, _): return "setTimer \(timer)"
        case .cancelTimer(let timer): return "cancelTimer \(timer)"
        case .resolve(let id): return "resolve \(text(id))"
        case .stopResolving(let id): return "stopResolving \(text(id))"
        case .choose(let id, _): return "choose \(text(id))"
        case .fail(let error): return "fail \(error.code)"
        case .tellWin(let id): return "win \(text(id))"
        case .tellLoss(let id, let reason, let minimum):
            return "loss \(text(id)) \(reason.rawValue)" + (minimum.map { " of \($0)" } ?? "")
        case .report: return "result"
        case .reportSuccessor(let bid): return "successor \(bid.participant)"
        }
    }
}
