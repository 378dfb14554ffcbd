// Clicks: the beacon is recorded first and once, the link opens each time.

extension AdLifecycle {
    /// A click-through: recorded once, by a user's gesture, and only where there is a URL to open.
    ///
    /// VAST 4.3 §3.10.2 has ClickTracking for clicks that lead to the ClickThrough, so a video's click trackers follow the same
    /// rule. `isPart` says that something shown with the video was clicked, which has trackers of its own.
    mutating func click(
        _ link: ClickThroughURL?,
        byUser: Bool,
        on place: TapPoint? = nil,
        isPart: Bool = false,
        _ current: Showing,
        at now: Moment
    ) -> AdInputResult {
        var showing = current
        guard byUser else {
            let attempt = BlockedAttempt(.click, link?.text ?? "a click without a user's gesture")
            let verdict = self.block(attempt, &showing.blocked)
            self.move(to: .showing(showing))
            return verdict
        }
        guard showing.exposure.isInFront, !showing.exposure.hasCrashed else { return AdLifecycle.notInFront }
        guard let target = link ?? showing.defaultClickThrough else {
            let reason = "neither the creative nor the ad response has a click-through URL"
            return self.tap(.nothing(reason), on: place, showing)
        }
        if !isPart { self.tellClick(&showing) }
        switch showing.clicks.record {
        case .none:
            showing.clicks.record = .pending([target])
            showing.unrecorded.insert(.click)
            self.act(
                .setTimer(.record, at: now + self.timing.recording),
                .record(.click),
                .emit(.tap(Tap(.click(target), at: place))),
                .emit(.click)
            )
        case .pending(let links):
            // Each tap opens its link, within a limit: no user means hundreds of pages.
            guard links.count < AdLifecycle.mostWaitingLinks else { return self.tooMany(target, on: place, showing) }
            showing.clicks.record = .pending(links + [target])
            self.act(.emit(.tap(Tap(.link(target), at: place))))
        case .done:
            guard self.open(target, on: place, &showing) else { return self.tooMany(target, on: place, showing) }
        }
        self.move(to: .showing(showing))
        return .accepted
    }

    /// A tap whose link is not opened, because enough are being opened.
    private mutating func tooMany(_ link: ClickThroughURL, on place: TapPoint?, _ showing: Showing) -> AdInputResult {
        let address = Redaction.address(link.text.excerpt(200))
        let reason = "\(AdLifecycle.mostWaitingLinks) links are being opened already, and \(address) is not"
        return self.tap(.nothing(reason), on: place, showing)
    }

    /// A press without a click-through.
    mutating func tap(_ tap: TapWithoutLink, on place: TapPoint?, _ showing: Showing) -> AdInputResult {
        guard showing.exposure.isInFront, !showing.exposure.hasCrashed else { return AdLifecycle.notInFront }
        let outcome: Tap.Outcome =
            switch tap {
            case .creative(let did): .creative(did)
            case .nothing(let reason): .nothing(reason)
            }
        self.act(.emit(.tap(Tap(outcome, at: place))))
        self.move(to: .showing(showing))
        return .accepted
    }

    /// Opens a link without recording a click; false where enough links are being opened.
    mutating func open(_ link: ClickThroughURL, on place: TapPoint? = nil, _ showing: inout Showing) -> Bool {
        guard showing.clicks.opening < AdLifecycle.mostWaitingLinks else { return false }
        showing.clicks.opening += 1
        self.act(.emit(.tap(Tap(.link(link), at: place))), .open(link))
        return true
    }

    private static let notInFront = AdInputResult.ignored("the ad is not in front, so no user can have pressed it")

    /// The spot that was clicked tells its own senders.
    private mutating func tellClick(_ showing: inout Showing) {
        guard var playback = showing.playback else { return }
        for step in playback.clicked() where self.tell(step) { showing.untold += 1 }
        showing.playback = playback
        // Also where the click itself is refused: what was tracked stays tracked.
        self.move(to: .showing(showing))
    }

    /// How many links may wait or be opened at the same time.
    static let mostWaitingLinks = 8

    /// The ledger has written an event down, or has failed to: either way there is nothing more to wait for.
    mutating func recorded(_ event: BeaconEvent) -> AdInputResult {
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
    mutating func recordTimedOut() -> AdInputResult {
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

    mutating func settlingTimedOut() -> AdInputResult {
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

    mutating func linkOpened(_ link: ClickThroughURL, _ outcome: LinkOpenResult) -> AdInputResult {
        switch self.state {
        case .showing(var showing):
            guard showing.clicks.opening > 0 else { return .ignored("no link is being opened") }
            showing.clicks.opening -= 1
            self.act(.emit(.linkOpened(link, outcome)))
            self.move(to: .showing(showing))
            return .accepted
        case .closed(var closed):
            guard closed.clicks.opening > 0 else { return .ignored("no link is being opened") }
            closed.clicks.opening -= 1
            self.act(.emit(.linkOpened(link, outcome)))
            self.settle(closed)
            return .accepted
        case .idle, .loading, .loaded, .presenting, .failed, .expired:
            return .ignored("no link is being opened")
        }
    }
}
