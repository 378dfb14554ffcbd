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
        /// The running requests by participant, and the running resolution.
        var requests: [Int: Task<Void, Never>] = [:]
        var resolution: Task<Void, Never>?
        var alarms: [AuctionMachine.Timer: AlarmID] = [:]
        /// When the running choice ends.
        var end = Moment.origin
        /// What waits for a choice.
        var waiter: (outcome: OneShot<Result<Choice, AdError>>, wait: ClockWait)?
        /// The offers whose win notice was fetched, because it serves their markup.
        var servedMarkup: Set<AuctionMachine.BidID> = []
        /// Calls of notices that are recorded when all actions of an input are executed.
        var notices: [Beacon] = []
        /// How many losses of rejected bids were recorded.
        var rejectedCount = 0
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
        if isKept != true { self.post(.input(.settle(.lost(.expired)))) }
        return LoadMachine.Loaded(choice.offer)
    }

    /// The next offer, after the chosen one could not be shown.
    func next(within time: Duration) async throws(AdError) -> Choice {
        let end = self.services.clock.now + time
        return try await self.choice(until: end, .next(until: end))
    }

    /// Ends the auction when its ad is on screen or over; the input `recorded` follows a win.
    func settle(_ outcome: SaleOutcome, of ad: Ad) { self.post(.settle(outcome, ad)) }

    private func choice(until end: Moment, _ input: AuctionMachine.Input) async throws(AdError) -> Choice {
        let outcome = OneShot<Result<Choice, AdError>>()
        let wait = ClockWait(self.services.clock)
        self.state.withLock { state in
            state.waiter = (outcome, wait)
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
                state.resolution = nil
                switch result {
                case .success(let offer): state.offers[id]?.proposal = .offer(offer)
                case .failure(let error): failure = error
                }
            }
            self.handle(.resolved(id, failure), for: self.owner)
        }
    }

    /// Stores the offers of a response; the bidders of those that can't be shown are told at once.
    private func admit(
        _ index: Int,
        _ result: Result<BidBatch, AdError>
    ) -> Result<[AuctionMachine.Bid], AdError> {
        result.flatMap { batch in
            self.state.withLock { state in
                for (position, offer) in batch.offers.enumerated() {
                    let id = AuctionMachine.BidID(participant: index, index: position)
                    state.offers[id] = offer.adding(batch.issues)
                }
                for bid in batch.rejected {
                    state.rejectedCount += 1
                    guard let call = bid.notices.lossCalls(bid.reason, minimumToWin: nil).first else { continue }
                    let path = "bid-\(index + 1).x\(state.rejectedCount)"
                    let key = BeaconKey(ad: self.ad, path: path, event: .loss)
                    state.notices.append(Beacon(key, call, of: self.sources[index].context.provider))
                }
            }
            if batch.offers.isEmpty, let error = batch.capped ?? batch.rejected.first?.error { return .failure(error) }
            return .success(batch.offers.map(\.bid))
        }
    }

    private func handle(_ input: AuctionMachine.Input, for ad: Ad?, after outcome: SaleOutcome? = nil) {
        let now = self.services.clock.now
        let actions = self.state.withLock { $0.machine.handle(input, at: now) }
        for action in actions { self.execute(action, for: ad) }
        let notices = self.state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
        if let ad, outcome == .won {
            ad.record(notices, as: .event(.win))
        } else if let ad, !notices.isEmpty {
            ad.record(notices, as: .notices)
        } else if !notices.isEmpty {
            let beacons = self.services.beacons
            beacons.announce()
            self.services.clock.work {
                _ = await beacons.record(notices)
                beacons.deliver()
            }
        }
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
        case .stopResolving: self.state.withLock { $0.resolution.take() }?.cancel()
        case .choose(let id, let hasSuccessor): self.choose(id, hasSuccessor)
        case .fail(let error): self.finish(.failure(error))
        case .tellWin(let id): self.addNotice(id, .win) { $0.winCalls }
        case .tellLoss(let id, let reason, let minimum):
            self.addNotice(id, .loss) { $0.lossCalls(reason, minimumToWin: minimum) }
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
        let terms = self.state.withLock { $0.machine.terms(of: index) }
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
        // Fetching the markup that a win notice serves is that notice, which is not sent again.
        if case .served = offer.proposal { self.state.withLock { _ = $0.servedMarkup.insert(id) } }
        let task = self.services.clock.work {
            self.post(.resolved(id, await self.sources[id.participant].resolve(offer.proposal, ad, end)))
        }
        self.state.withLock { $0.resolution = task }
    }

    private func choose(_ id: AuctionMachine.BidID, _ hasSuccessor: Bool) {
        let chosen = self.state.withLock { $0.offers[id] }
        guard let chosen, case .offer(var offer) = chosen.proposal else {
            preconditionFailure("An auction chooses an offer that is resolved.")
        }
        if let price = self.state.withLock({ $0.machine.fixedPrice(of: id) }) { offer.setPrice(price) }
        offer = offer.adding(chosen.issues)
        offer.rules.sale.isAuctioned = true
        offer.rules.sale.hasSuccessor = hasSuccessor
        self.finish(
            .success(
                Choice(
                    offer: offer,
                    reservation: chosen.reservation,
                    context: self.sources[id.participant].context,
                    placementName: self.sources[id.participant].placementName
                )
            )
        )
    }

    private func finish(_ result: Result<Choice, AdError>) {
        guard let waiter = self.state.withLock({ $0.waiter.take() }) else { return }
        waiter.outcome.set(result)
        waiter.wait.end()
    }

    private func setAlarm(_ timer: AuctionMachine.Timer, _ alarm: AlarmID?) {
        let previous = self.state.withLock { state in
            defer { state.alarms[timer] = alarm }
            return state.alarms[timer]
        }
        if let previous { self.services.clock.cancel(previous) }
    }

    private func addNotice(_ id: AuctionMachine.BidID, _ event: BeaconEvent, _ calls: (BidNotices) -> [BeaconCall]) {
        self.state.withLock { state in
            guard let notices = state.offers[id]?.proposal.info.notices else { return }
            if event == .win, state.servedMarkup.contains(id) { return }
            let path = "bid-\(id.participant + 1).\(id.index + 1)"
            for (index, call) in calls(notices).enumerated() {
                let key = BeaconKey(ad: self.ad, path: path, event: event, index: index)
                state.notices.append(Beacon(key, call, of: self.sources[id.participant].context.provider))
            }
        }
    }
}
