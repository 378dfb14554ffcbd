// Clicks: the beacon is recorded once, before the link opens; the link opens for every click.

extension AdLifecycle {
    /// Handles a click-through: it is recorded once, and only for a user's gesture with a URL to open.
    ///
    /// A video's click trackers follow the same rule: VAST 4.3 §3.10.2 defines ClickTracking for clicks that lead to
    /// the ClickThrough. With `isPart`, a companion or icon was clicked, which has trackers of its own.
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
            let result = self.block(attempt, &showing.blocked)
            self.move(to: .showing(showing))
            return result
        }
        guard showing.exposure.isInFront, !showing.exposure.hasCrashed else { return AdLifecycle.notInFront }
        guard let target = link ?? showing.defaultClickThrough else {
            let reason = "neither the creative nor the ad response has a click-through URL"
            return self.tap(.nothing(reason), on: place, showing)
        }
        if !isPart { self.trackClick(&showing) }
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
            // Each tap opens its link, up to a limit, so that a creative can't open hundreds of pages.
            guard links.count < AdLifecycle.linkLimit else { return self.refuseLink(target, on: place, showing) }
            showing.clicks.record = .pending(links + [target])
            self.act(.emit(.tap(Tap(.link(target), at: place))))
        case .done:
            guard self.open(target, on: place, &showing) else { return self.refuseLink(target, on: place, showing) }
        }
        self.move(to: .showing(showing))
        return .accepted
    }

    /// Reports a tap whose link is not opened because of `linkLimit`.
    private mutating func refuseLink(_ link: ClickThroughURL, on place: TapPoint?, _ showing: Showing) -> AdInputResult
    {
        let address = Redaction.address(link.text.excerpt(200))
        let reason = "\(AdLifecycle.linkLimit) links are being opened already; \(address) is not opened"
        return self.tap(.nothing(reason), on: place, showing)
    }

    /// Reports a press without a click-through.
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

    /// Opens a link without recording a click; returns false at `linkLimit`.
    mutating func open(_ link: ClickThroughURL, on place: TapPoint? = nil, _ showing: inout Showing) -> Bool {
        guard showing.clicks.opening < AdLifecycle.linkLimit else { return false }
        showing.clicks.opening += 1
        self.act(.emit(.tap(Tap(.link(link), at: place))), .open(link))
        return true
    }

    private static let notInFront = AdInputResult.ignored("the ad is not in front, so no user can have pressed it")

    /// Tracks the click of the current video spot.
    private mutating func trackClick(_ showing: inout Showing) {
        guard var playback = showing.playback else { return }
        for step in playback.trackClick() where self.track(step) { showing.pendingTracking += 1 }
        showing.playback = playback
        // The event stays tracked even if the click itself is refused afterwards.
        self.move(to: .showing(showing))
    }

    /// How many links may wait for a record or be opened at the same time.
    static let linkLimit = 8

    /// The ledger has recorded an event or failed to; in both cases the wait is over.
    mutating func recorded(_ event: BeaconEvent) -> AdInputResult {
        switch self.state {
        case .showing(var showing):
            guard showing.unrecorded.takeElement(event) else { return .ignored("no record is pending") }
            if event == .click { self.openPendingLinks(&showing.clicks) }
            self.move(to: .showing(showing))
            return .accepted
        case .closed(var closed):
            guard closed.unrecorded.takeElement(event) else { return .ignored("no record is pending") }
            if event == .click { self.openPendingLinks(&closed.clicks) }
            self.settle(closed)
            return .accepted
        case .idle, .loading, .loaded, .presenting, .replacing, .failed, .expired:
            return .ignored("no record is pending")
        }
    }

    /// The record of a click takes too long: its links open without it.
    mutating func recordTimedOut() -> AdInputResult {
        switch self.state {
        case .showing(var showing):
            guard self.openPendingLinks(&showing.clicks) else { return .ignored("no link waits for a record") }
            self.move(to: .showing(showing))
            return .accepted
        case .closed(var closed):
            guard self.openPendingLinks(&closed.clicks) else { return .ignored("no link waits for a record") }
            self.move(to: .closed(closed))
            return .accepted
        case .idle, .loading, .loaded, .presenting, .replacing, .failed, .expired:
            return .ignored("no link waits for a record")
        }
    }

    mutating func settlingTimedOut() -> AdInputResult {
        guard case .closed(let closed) = self.state, !closed.isSettled else {
            return .ignored("nothing is pending")
        }
        self.move(to: .closed(Closed(clicks: Clicks(), isDestroyed: closed.isDestroyed)))
        self.act(.release)
        return .accepted
    }

    /// Updates the state of an ad that is over, and releases it when nothing is pending.
    mutating func settle(_ closed: Closed) {
        self.move(to: .closed(closed))
        if closed.isSettled { self.act(.cancelTimer(.settling), .release) }
    }

    @discardableResult
    private mutating func openPendingLinks(_ clicks: inout Clicks) -> Bool {
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
        case .idle, .loading, .loaded, .presenting, .replacing, .failed, .expired:
            return .ignored("no link is being opened")
        }
    }
}

extension Set {
    /// Removes an element; returns whether it was one.
    ///
    /// A set that is empty then keeps no buffer, because an ad lives longer than its records are pending.
    fileprivate mutating func takeElement(_ element: Element) -> Bool {
        guard self.remove(element) != nil else { return false }
        if self.isEmpty { self = [] }
        return true
    }
}
