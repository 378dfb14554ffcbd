import AdCore
import SystemSupport

/// The shell of an ad's auction: asks the participants, resolves videos, and records the notices of bids.
final class AuctionRun: Sendable {
    /// A chosen offer, and where it comes from.
    struct Choice: Sendable {
        let offer: Offer
        let reservation: OfferReservation?
        let context: ProviderContext
        let placementName: String?

        /// The ad as frequency caps see it.
        var capped: CappedAd { self.offer.info.capped(placement: self.placementName, of: self.context.provider) }
    }

    private enum Event: Sendable {
        case input(AuctionMachine.Input)
        case responded(Int, Result<BidBatch, AdError>)
        case resolved(AuctionMachine.BidID, Result<Offer, AdError>)
        /// The ad is kept alive until its notices are recorded.
        case settle(SaleOutcome, Ad)
    }

    private struct State {
        var machine: AuctionMachine
        var offers: [AuctionMachine.BidID: AuctionOffer] = [:]
        /// The notices of the bids whose bidders were not told yet.
        var notices: [AuctionMachine.BidID: BidNotices] = [:]
        /// The running requests by participant, and the running resolution.
        var requests: [Int: Task<Void, Never>] = [:]
        var resolution: (id: AuctionMachine.BidID, task: Task<Void, Never>)?
        var alarms: [AuctionMachine.Timer: AlarmID] = [:]
        /// When the running choice ends.
        var end = Moment.origin
        /// What waits for a choice.
        var waiter: (outcome: OneShot<Result<Choice, AdError>>, wait: ClockWait)?
        /// The result of an input; the waiter gets it after the notices of the same input are announced.
        var choice: Result<Choice, AdError>?
        /// Calls of notices that are recorded when all actions of an input are executed.
        var calls: [Beacon] = []
    }

    private let sources: [BidSource]
    private let services: AdServices
    private let ad: AdID
    /// The ad while it exists; late notices are recorded without it.
    private weak let owner: Ad?
    private let reportsBids: Bool
    private let mailbox = SerialMailbox<Event>()
    private let state: Locked<State>

    init(_ machine: AuctionMachine, _ sources: [BidSource], ad: Ad, reportsBids: Bool) {
        self.state = Locked(State(machine: machine))
        self.sources = sources
        self.services = ad.services
        self.ad = ad.id
        self.owner = ad
        self.reportsBids = reportsBids
    }

    /// Holds the auction, and returns the chosen offer.
    func start(bidTimeout: Duration) async throws(AdError) -> LoadMachine.Loaded {
        let now = self.services.clock.now
        if self.reportsBids { self.owner?.post(.report(.auctionStarted)) }
        let end = now + self.services.timing.requesting
        let choice = try await self.choice(until: end, .start(bidsUntil: min(now + bidTimeout, end), until: end))
        let isKept = self.owner?.parts.withLock { parts in
            guard !parts.isReleased else { return false }
            (parts.auction, parts.reservation, parts.origin) = (self, choice.reservation, choice.context)
            parts.placementName = choice.placementName
            return true
        }
        if isKept != true { self.settleUnshown() }
        return LoadMachine.Loaded(choice.offer)
    }

    /// The next offer, after the chosen one could not be shown.
    func next(after reason: LossReason, until end: Moment) async throws(AdError) -> Choice {
        try await self.choice(until: end, .next(reason, until: end))
    }

    /// Ends the auction of an ad that is freed without having been shown.
    func settleUnshown() { self.post(.input(.settle(.lost(.expired)))) }

    /// Ends the auction when its ad is on screen or over; the input `recorded` follows a win.
    func settle(_ outcome: SaleOutcome, of ad: Ad) { self.post(.settle(outcome, ad)) }

    private func choice(until end: Moment, _ input: AuctionMachine.Input) async throws(AdError) -> Choice {
        let outcome = OneShot<Result<Choice, AdError>>()
        let wait = ClockWait(self.services.clock)
        self.state.withLock { state in
            (state.waiter, state.choice) = ((outcome, wait), nil)
            state.end = end
        }
        return try await withTaskCancellationHandler {
            self.post(.input(input))
            if Task.isCancelled { self.post(.input(.cancel)) }
            await wait.wait()
            return await outcome.value
        } onCancel: {
            self.post(.input(.cancel))
        }.get()
    }

    private func post(_ event: Event) {
        self.services.clock.workStarted()
        self.mailbox.post(event) { event in
            self.handle(event)
            self.services.clock.workEnded()
        }
    }

    // MARK: Inputs

    private func handle(_ event: Event) {
        switch event {
        case .input(let input): self.handle(input, for: self.owner)
        case .settle(let outcome, let ad): self.handle(.settle(outcome), for: ad, after: outcome)
        case .responded(let index, let result):
            self.state.withLock { $0.requests[index] = nil }
            self.handle(.responded(index, self.admit(index, result)), for: self.owner)
        case .resolved(let id, let result):
            var failure: AdError?
            self.state.withLock { state in
                if state.resolution?.id == id { state.resolution = nil }
                switch result {
                case .success(let offer): state.offers[id]?.proposal = .offer(offer)
                case .failure(let error):
                    failure = error
                    // A bidder that was not reached has no call that it takes for a win.
                    if error.code == .unreachable, state.notices[id] != nil {
                        state.notices[id] = state.offers[id]?.proposal.info.notices
                    }
                }
            }
            self.handle(.resolved(id, failure), for: self.owner)
        }
    }

    /// Stores the offers of a response, and the notices of its bids.
    private func admit(
        _ index: Int,
        _ result: Result<BidBatch, AdError>
    ) -> Result<[AuctionMachine.Bid], AdError> {
        result.flatMap { batch in
            self.state.withLock { state in
                for (position, offer) in batch.offers.enumerated() {
                    let id = AuctionMachine.BidID(participant: index, index: position)
                    state.offers[id] = offer.adding(batch.issues)
                    state.notices[id] = offer.proposal.info.notices
                }
                for (position, bid) in batch.rejected.enumerated() {
                    let id = AuctionMachine.BidID(participant: index, index: batch.offers.count + position)
                    state.notices[id] = bid.info.notices
                }
            }
            return .success(batch.bids)
        }
    }

    private func handle(_ input: AuctionMachine.Input, for ad: Ad?, after outcome: SaleOutcome? = nil) {
        let now = self.services.clock.now
        let actions = self.state.withLock { $0.machine.handle(input, at: now) }
        for action in actions { self.execute(action, for: ad) }
        let notices = self.state.withLock { state in
            defer { state.calls = [] }
            return state.calls
        }
        if let ad, outcome == .won {
            ad.record(notices, as: .event(.win))
        } else if let ad, !notices.isEmpty {
            ad.record(notices, as: .notices)
        } else if !notices.isEmpty {
            let beacons = self.services.beacons
            beacons.announce()
            self.services.clock.work { await beacons.recordAndDeliver(announced: notices) }
        }
        self.finishChoice()
    }

    // MARK: Actions

    private func execute(_ action: AuctionMachine.Action, for ad: Ad?) {
        switch action {
        case .ask(let index): self.ask(index, for: ad)
        case .stopAsking(let index): self.state.withLock { $0.requests.removeValue(forKey: index) }?.cancel()
        case .setTimer(let timer, let moment):
            let alarm = self.services.clock.schedule(at: moment) { [weak self] in self?.post(.input(.timer(timer))) }
            self.setAlarm(timer, alarm)
        case .cancelTimer(let timer): self.setAlarm(timer, nil)
        case .resolve(let id): self.resolve(id, for: ad)
        case .stopResolving(let id):
            self.state.withLock { $0.resolution?.id == id ? $0.resolution.take() : nil }?.task.cancel()
        case .choose(let id, let hasSuccessor):
            let choice = self.choice(id, hasSuccessor)
            self.state.withLock { $0.choice = .success(choice) }
        case .fail(let error): self.state.withLock { $0.choice = .failure(error) }
        case .tellWin(let id):
            let now = self.services.clock.wallTime
            self.addCalls(of: id, .win) { $0.winCalls(at: now) }
        case .tellLoss(let id, let reason, let minimum):
            self.addCalls(of: id, .loss) { $0.lossCalls(reason, minimumToWin: minimum) }
            // The reservation of an offer that has lost ends, so that another load may use the offer.
            self.state.withLock { $0.offers.removeValue(forKey: id) }.map { _ in }
        case .report(let result):
            guard self.reportsBids else { return }
            for bid in result.bids { ad?.post(.report(.bid(bid))) }
            ad?.post(.report(.auctionEnded(result)))
        case .reportSuccessor(let bid): if self.reportsBids { ad?.post(.report(.bid(bid))) }
        }
    }

    private func ask(_ index: Int, for ad: Ad?) {
        guard let ad else { return }
        let now = self.services.clock.now
        let terms = self.state.withLock { $0.machine.terms(of: index, at: now) }
        let task = self.services.clock.startWorkImmediately {
            do throws(AdError) {
                self.post(.responded(index, .success(try await self.sources[index].load(terms, ad))))
            } catch {
                self.post(.responded(index, .failure(error)))
            }
        }
        self.state.withLock { $0.requests[index] = task }
    }

    private func resolve(_ id: AuctionMachine.BidID, for ad: Ad?) {
        let (offer, end) = self.state.withLock { ($0.offers[id], $0.end) }
        guard let ad, let offer else {
            return self.post(.resolved(id, .failure(AdError(.cancelled, "the ad is over"))))
        }
        // Fetching the markup that a win notice serves is that notice.
        if case .served = offer.proposal {
            self.state.withLock { $0.notices[id] = $0.notices[id]?.withoutMarkupNotice }
        }
        let task = self.services.clock.work {
            self.post(.resolved(id, await self.sources[id.participant].resolve(offer.proposal, ad, end)))
        }
        self.state.withLock { $0.resolution = (id, task) }
    }

    /// The choice of an offer, which expires when its bid does.
    private func choice(_ id: AuctionMachine.BidID, _ hasSuccessor: Bool) -> Choice {
        let chosen = self.state.withLock { $0.offers[id] }
        guard let chosen, case .offer(var offer) = chosen.proposal else {
            preconditionFailure("An auction chooses an offer that is resolved.")
        }
        if let price = self.state.withLock({ $0.machine.fixedPrice(of: id) }) { offer.setPrice(price) }
        offer = offer.adding(chosen.issues)
        let rest = max(.zero, chosen.expires - self.services.clock.now)
        offer.rules.lifetime = min(offer.rules.effectiveLifetime, rest)
        offer.rules.sale.isAuctioned = true
        offer.rules.sale.hasSuccessor = hasSuccessor
        return Choice(
            offer: offer,
            reservation: chosen.reservation,
            context: self.sources[id.participant].context,
            placementName: self.sources[id.participant].placementName
        )
    }

    private func finishChoice() {
        let finished = self.state.withLock { state in
            state.choice.take().flatMap { choice in state.waiter.take().map { ($0, choice) } }
        }
        guard let (waiter, choice) = finished else { return }
        waiter.outcome.set(choice)
        waiter.wait.end()
    }

    private func setAlarm(_ timer: AuctionMachine.Timer, _ alarm: AlarmID?) {
        let previous = self.state.withLock { state in
            defer { state.alarms[timer] = alarm }
            return state.alarms[timer]
        }
        if let previous { self.services.clock.cancel(previous) }
    }

    /// Adds the calls of a bid's notices, which are taken: each bidder is told once.
    private func addCalls(of id: AuctionMachine.BidID, _ event: BeaconEvent, _ calls: (BidNotices) -> [BeaconCall]) {
        self.state.withLock { state in
            guard let notices = state.notices.removeValue(forKey: id) else { return }
            let path = "bid-\(id.participant + 1).\(id.index + 1)"
            for (index, call) in calls(notices).enumerated() {
                let key = BeaconKey(ad: self.ad, path: path, event: event, index: index)
                state.calls.append(Beacon(key, call, of: self.sources[id.participant].context.provider))
            }
        }
    }
}
