import TestSupport
import Testing

@testable import AdCore

/// Random auctions, checked against rules that do not look into the machine.
///
/// To repeat one: `YABBI_SEED=<seed> swift test --filter AuctionPropertyTests`.
@Suite("Auctions with random participants and inputs")
struct AuctionPropertyTests {
    @Test("no auction ends late, has two winners, or tells a bidder twice or not at all")
    func invariants() {
        var wins = 0
        var replacements = 0
        for seed in TestSeed.all(from: 1, count: LongForm.either(50_000, short: 5_000)) {
            var run = RandomAuction(seed: seed)
            run.run()
            guard run.violations.isEmpty else {
                Testing.Issue.record("YABBI_SEED=\(seed) breaks: \(run.violations)")
                return
            }
            wins += run.wins
            replacements += run.choices > 1 ? 1 : 0
        }
        guard TestSeed.chosen == nil else { return }
        #expect(wins > 400, "auctions are won")
        #expect(replacements > 200, "and offers are replaced")
    }
}

private struct RandomAuction {
    private static let euro = AdCurrency("EUR") ?? .usd

    private(set) var violations: [String] = []
    private(set) var wins = 0
    private(set) var choices = 0
    private var random: TestRandom
    private var machine: AuctionMachine
    private let participants: [AuctionMachine.Participant]
    private var now = Moment.origin
    private var end = Moment(.seconds(8))
    private var asked: Set<Int> = []
    private var timers: [AuctionMachine.Timer: Moment] = [:]
    private var resolving: AuctionMachine.BidID?
    /// The offers that were sent, and how often each was told its outcome.
    private var offers: [AuctionMachine.BidID: Int] = [:]
    private var chosen: AuctionMachine.BidID?
    private var isWaiting = false
    private var isSettled = false

    init(seed: UInt64) {
        var random = TestRandom(seed: seed)
        self.participants = (0..<Int.random(in: 0...5, using: &random)).map { index in
            let pricings: [AuctionMachine.Participant.Pricing] = [
                .bids, .bids, .bids, .fixed(AdPrice(1)), .fixed(AdPrice(1.2, RandomAuction.euro)), .unknown, .onlyBids,
            ]
            return AuctionMachine.Participant(
                name: "p\(index)",
                pricing: pricings.randomElement(using: &random) ?? .bids,
                priority: [0, 0, 0, 1, -1].randomElement(using: &random) ?? 0,
                floor: [nil, nil, AdPrice(2), AdPrice(1, RandomAuction.euro)].randomElement(using: &random) ?? nil,
                timeout: [nil, nil, .zero, .milliseconds(700), .seconds(3)].randomElement(using: &random) ?? nil
            )
        }
        let floor: AdPrice? = Bool.random(using: &random) ? AdPrice(1.5) : nil
        let rates = CurrencyRates([RandomAuction.euro: 1.1])
        guard let machine = try? AuctionMachine(self.participants, floor: floor, rates: rates) else {
            preconditionFailure("There is a rate for each floor.")
        }
        self.machine = machine
        self.random = random
    }

    mutating func run() {
        self.isWaiting = true
        self.handle(.start(bidsUntil: Moment(.seconds(2)), until: self.end))
        for _ in 0..<Int.random(in: 1...30, using: &self.random) { self.step() }
        // The end: what waits times out, what was chosen is shown or not, and what was asked responds late.
        self.advance(to: self.end)
        let outcome: SaleOutcome = Bool.random(using: &self.random) ? .won : .lost(.expired)
        if self.chosen != nil { self.settle(outcome) }
        for index in self.asked.sorted() { self.respond(index) }
        self.require(!self.isWaiting, "the auction has no result at its end")
        for (id, count) in self.offers { self.require(count == 1, "\(id) was told \(count) times") }
        self.require(self.timers.isEmpty, "a timer still runs")
        let wins = self.wins
        self.require(wins <= 1, "\(wins) winners")
    }

    private mutating func require(_ condition: Bool, _ text: @autoclosure () -> String) {
        if !condition { self.violations.append(text()) }
    }

    private mutating func step() {
        let choice = Int.random(in: 0..<8, using: &self.random)
        switch choice {
        case 0: self.advance(to: self.now + .milliseconds(Int.random(in: 1...3_000, using: &self.random)))
        case 1...4:
            if let index = self.asked.sorted().randomElement(using: &self.random) { self.respond(index) }
        case 5:
            guard let id = self.resolving else { return }
            self.resolving = nil
            let error: AdError? = Bool.random(using: &self.random) ? AdError(.noFill, "no media") : nil
            self.handle(.resolved(id, error))
        case 6:
            guard self.chosen != nil, !self.isSettled else { return }
            self.chosen = nil
            self.isWaiting = true
            self.end = self.now + .seconds(8)
            self.handle(.next(.internalError, until: self.end))
        default:
            guard Int.random(in: 0..<6, using: &self.random) == 0 else { return }
            if self.chosen == nil { self.handle(.cancel) } else { self.settle(.won) }
        }
    }

    private mutating func settle(_ outcome: SaleOutcome) {
        guard !self.isSettled else { return }
        self.isSettled = true
        let before = self.wins
        self.handle(.settle(outcome))
        self.require(
            self.wins - before == (outcome == .won ? 1 : 0),
            "a shown offer has not won, or an unshown one has"
        )
    }

    private mutating func respond(_ index: Int) {
        guard self.asked.remove(index) != nil else { return }
        guard Int.random(in: 0..<4, using: &self.random) > 0 else {
            return self.handle(.responded(index, .failure(AdError(.noFill, "no ad"))))
        }
        let currencies = [AdCurrency.usd, .usd, RandomAuction.euro, AdCurrency("XXX") ?? .usd]
        var bids: [AuctionMachine.Bid] = []
        for position in 0..<Int.random(in: 0...3, using: &self.random) {
            self.offers[.init(participant: index, index: position)] = 0
            let amount = AdDecimal("\(Int.random(in: 0...400, using: &self.random))e-2") ?? .zero
            let currency = currencies.randomElement(using: &self.random) ?? .usd
            let needsResolving = Int.random(in: 0..<3, using: &self.random) == 0
            let expires = self.now + .seconds(Int.random(in: 0...20, using: &self.random))
            let price = Int.random(in: 0..<10, using: &self.random) == 0 ? nil : AdPrice(amount, currency)
            let isRefused = Int.random(in: 0..<6, using: &self.random) == 0
            let refusal = isRefused ? AuctionMachine.Refusal(.filtered, AdError(.noFill, "for the test")) : nil
            bids.append(
                AuctionMachine.Bid(price: price, needsResolving: needsResolving, expires: expires, refusal: refusal)
            )
        }
        self.handle(.responded(index, .success(bids)))
    }

    private mutating func advance(to goal: Moment) {
        for _ in 0..<20 {
            guard let (timer, due) = self.timers.min(by: { $0.value < $1.value }), due <= goal else { break }
            self.now = max(self.now, due)
            self.timers[timer] = nil
            self.handle(.timer(timer))
        }
        self.now = max(self.now, goal)
    }

    private mutating func handle(_ input: AuctionMachine.Input) {
        for action in self.machine.handle(input, at: self.now) { self.check(action) }
    }

    private mutating func check(_ action: AuctionMachine.Action) {
        switch action {
        case .ask(let index): self.require(self.asked.insert(index).inserted, "\(index) was asked twice")
        // A participant that nobody waits for may still respond.
        case .stopAsking(let index): self.require(self.asked.contains(index), "\(index) was not asked")
        case .setTimer(let timer, let moment): self.timers[timer] = moment
        case .cancelTimer(let timer): self.timers[timer] = nil
        case .resolve(let id): self.resolving = id
        case .stopResolving: self.resolving = nil
        case .choose(let id, _):
            self.choices += 1
            self.finishWaiting()
            self.chosen = id
            self.require(self.offers[id] == 0, "\(id) was chosen and has lost")
        case .fail:
            self.finishWaiting()
            self.isSettled = true
        case .tellWin(let id):
            self.wins += 1
            self.offers[id, default: 0] += 1
            self.require(id == self.chosen, "\(id) has won and was not chosen")
        case .tellLoss(let id, _, _): self.offers[id, default: 0] += 1
        case .report, .reportSuccessor: break
        }
    }

    private mutating func finishWaiting() {
        self.require(self.isWaiting, "the auction has two results")
        self.require(self.now <= self.end, "the auction ended late")
        self.isWaiting = false
    }
}
