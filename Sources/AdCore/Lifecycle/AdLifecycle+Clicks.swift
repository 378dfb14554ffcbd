// Clicks: the beacon is written down first and once, the link opens each time.

extension AdLifecycle {
    /// `isPart` says that something shown with the ad was clicked, whose senders are told by its own name.
    mutating func click(
        _ link: LandingURL?,
        byUser: Bool,
        isPart: Bool = false,
        _ current: Showing,
        at now: Moment
    ) -> AdVerdict {
        var showing = current
        guard byUser else {
            let attempt = BlockedAttempt(.click, link?.text ?? "a click without a user's gesture")
            let verdict = self.block(attempt, &showing.blocked)
            self.move(to: .showing(showing))
            return verdict
        }
        guard showing.exposure.isInFront, !showing.exposure.hasCrashed else {
            return .ignored("the ad is not in front, and nobody can have clicked it")
        }
        if !isPart { self.tellClick(&showing) }
        let target = link ?? showing.playback?.run.terms.clickThrough ?? showing.terms.clickThrough
        switch showing.clicks.record {
        case .none:
            showing.clicks.record = .pending(target.map { [$0] } ?? [])
            showing.unrecorded.insert(.click)
            self.act(.setTimer(.record, at: now + self.timing.recording), .record(.click), .emit(.click))
            if target == nil {
                let text = "the user clicked, and neither the creative nor the offer says where to"
                self.act(.emit(.issue(Issue("click.noLink", at: .whole, text))))
            }
        case .pending(let links):
            guard let target else { return .ignored("the click leads nowhere") }
            // Each tap opens its link, but nobody means hundreds of pages.
            guard links.count < AdLifecycle.mostWaitingLinks else { return .ignored("links are waiting already") }
            showing.clicks.record = .pending(links + [target])
        case .done:
            guard let target else { return .ignored("the click leads nowhere") }
            guard showing.clicks.opening < AdLifecycle.mostWaitingLinks else {
                return .ignored("links are being opened already")
            }
            showing.clicks.opening += 1
            self.act(.open(target))
        }
        self.move(to: .showing(showing))
        return .accepted
    }

    /// The spot that was clicked tells its own senders.
    private mutating func tellClick(_ showing: inout Showing) {
        guard var playback = showing.playback else { return }
        for step in playback.clicked() where self.tell(step) { showing.untold += 1 }
        showing.playback = playback
        // Also where the click itself leads nowhere: what was told is told.
        self.move(to: .showing(showing))
    }

    /// How many links may wait or be opened at the same time.
    static let mostWaitingLinks = 8

    /// The ledger has written an event down, or has failed to: either way there is nothing more to wait for.
    mutating func recorded(_ event: BeaconEvent) -> AdVerdict {
        switch self.state {
        case .showing(var showing):
            guard showing.unrecorded.remove(event) != nil else { return .ignored("nothing waits for this record") }
            if event == .click { self.openWaiting(&showing.clicks) }
            self.move(to: .showing(showing))
            return .accepted
        case .closed(var closed):
            guard closed.unrecorded.remove(event) != nil else { return .ignored("nothing waits for this record") }
            if event == .click { self.openWaiting(&closed.clicks) }
            self.settle(closed)
            return .accepted
        case .idle, .loading, .loaded, .presenting, .failed, .expired:
            return .ignored("nothing waits for this record")
        }
    }

    /// The ledger is slow: links don't wait for it any longer.
    mutating func recordTimedOut() -> AdVerdict {
        switch self.state {
        case .showing(var showing):
            guard self.openWaiting(&showing.clicks) else { return .ignored("no link waits for a record") }
            self.move(to: .showing(showing))
            return .accepted
        case .closed(var closed):
            guard self.openWaiting(&closed.clicks) else { return .ignored("no link waits for a record") }
            self.move(to: .closed(closed))
            return .accepted
        case .idle, .loading, .loaded, .presenting, .failed, .expired:
            return .ignored("no link waits for a record")
        }
    }

    mutating func settlingTimedOut() -> AdVerdict {
        guard case .closed(let closed) = self.state, !closed.isSettled else {
            return .ignored("the ad waits for nothing")
        }
        self.move(to: .closed(Closed(clicks: Clicks(), isDestroyed: closed.isDestroyed)))
        self.act(.release)
        return .accepted
    }

    /// Takes news of an ad that is over, and lets go of everything when it was the last.
    mutating func settle(_ closed: Closed) {
        self.move(to: .closed(closed))
        if closed.isSettled { self.act(.cancelTimer(.settling), .release) }
    }

    @discardableResult
    private mutating func openWaiting(_ clicks: inout Clicks) -> Bool {
        guard case .pending(let links) = clicks.record else { return false }
        clicks.record = .done
        clicks.opening += links.count
        self.act(.cancelTimer(.record))
        for link in links { self.act(.open(link)) }
        return true
    }

    mutating func linkOpened(_ link: LandingURL, opened: Bool) -> AdVerdict {
        switch self.state {
        case .showing(var showing):
            guard showing.clicks.opening > 0 else { return .ignored("no link is being opened") }
            showing.clicks.opening -= 1
            self.act(.emit(.linkOpened(link, opened: opened)))
            self.move(to: .showing(showing))
            return .accepted
        case .closed(var closed):
            guard closed.clicks.opening > 0 else { return .ignored("no link is being opened") }
            closed.clicks.opening -= 1
            self.act(.emit(.linkOpened(link, opened: opened)))
            self.settle(closed)
            return .accepted
        case .idle, .loading, .loaded, .presenting, .failed, .expired:
            return .ignored("no link is being opened")
        }
    }
}
