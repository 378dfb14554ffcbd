// Loading, showing and ending the ads of a slot.
extension SlotMachine {
    mutating func load() {
        guard !self.isClosed else { return self.call(.loadFailed(Self.closedError)) }
        switch self.next {
        case .none:
            self.startLoad(.host)
        case .loading(let number, .slot):
            // The load of the refresh becomes the load of the host.
            self.next = .loading(number, .host)
        case .loaded(let number, .slot):
            self.next = .loaded(number, .host)
            self.call(.loaded)
        case .loading:
            let error = AdError(.alreadyLoading, "a load of this placement is under way; wait for its callback")
            self.call(.loadFailed(error))
        case .loaded, .presenting:
            self.call(.loadFailed(AdError(.alreadyLoaded, "this placement has a loaded ad; show it first")))
        }
    }

    mutating func startLoad(_ purpose: Purpose) {
        let number = self.makeNumber()
        self.next = .loading(number, purpose)
        self.act(.load(number))
    }

    mutating func show() {
        guard !self.isClosed else { return self.call(.showFailed(Self.closedError)) }
        switch self.next {
        case .loaded(let number, .host):
            guard self.kind == .banner || self.current == nil else {
                let error = AdError(.alreadyShown, "an ad of this placement is on screen; wait until it is closed")
                return self.call(.showFailed(error))
            }
            self.next = .presenting(number, .host)
            self.act(.show(number, replacing: nil))
        case .none, .loading, .loaded:
            self.call(.showFailed(AdError(.notLoaded, "this placement has no loaded ad; load one first")))
        case .presenting:
            self.call(.showFailed(AdError(.alreadyShown, "the ad is being shown already")))
        }
    }

    mutating func loaded(_ number: Number) {
        switch self.next {
        case .loading(number, .host):
            self.next = .loaded(number, .host)
            self.call(.loaded)
        case .loading(number, .slot):
            // `proceed` shows it as soon as the slot is seen.
            self.next = .loaded(number, .slot)
        case .none, .loading, .loaded, .presenting:
            // It is not needed any more.
            if !self.holds(number) { self.act(.destroy(number)) }
        }
    }

    mutating func loadFailed(_ number: Number, _ error: AdError) {
        guard case .loading(number, let purpose) = self.next else { return }
        self.dropNext(purpose)
        if purpose == .host { self.call(.loadFailed(error)) }
    }

    mutating func shown(_ number: Number) {
        guard case .presenting(number, _) = self.next else { return }
        if let old = self.current { self.act(.destroy(old)) }
        self.next = .none
        self.current = number
        self.isViewed = false
        self.failures = 0
        self.setWait(.none)
        self.call(.shown)
    }

    mutating func showFailed(_ number: Number, _ error: AdError) {
        guard case .presenting(number, let purpose) = self.next else { return }
        self.dropNext(purpose)
        if purpose == .host { self.call(.showFailed(error)) }
    }

    mutating func expired(_ number: Number) {
        switch self.next {
        case .loaded(number, .host):
            self.dropNext(.host)
            self.call(.expired)
        case .loaded(number, .slot):
            // It waited to be seen for too long, which is no failure of a server: there is no back-off, and an empty
            // place is filled at once.
            self.next = .none
            self.setWait(self.current == nil ? .due : self.interval.map(Wait.seen) ?? .none)
        case .presenting(number, _):
            // It expired before the command to show it.
            let error = AdError(.expired, "the ad was loaded too long ago to be shown; load another")
            self.showFailed(number, error)
        case .none, .loading, .loaded, .presenting: break
        }
    }

    mutating func viewed(_ number: Number) {
        guard self.current == number, !self.isViewed else { return }
        self.isViewed = true
        self.call(.impression)
        self.count()
    }

    mutating func clicked(_ number: Number) {
        if self.current == number { self.call(.clicked) }
    }

    /// The ad on screen has ended without the slot: the place stays empty until the host wants another.
    mutating func closed(_ number: Number) {
        guard self.current == number else { return }
        self.current = nil
        self.isViewed = false
        self.failures = 0
        self.setWait(.none)
        switch self.next {
        case .loading(let next, .slot), .loaded(let next, .slot), .presenting(let next, .slot):
            self.next = .none
            self.act(.destroy(next))
        case .none, .loading, .loaded, .presenting: break
        }
        self.call(.closed)
    }

    mutating func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        let next = self.next
        self.next = .none
        self.setWait(.none)
        switch next {
        case .none: break
        case .loading(let number, let purpose):
            self.act(.destroy(number))
            if purpose == .host { self.call(.loadFailed(Self.closedError)) }
        case .loaded(let number, _): self.act(.destroy(number))
        case .presenting(let number, let purpose):
            self.act(.destroy(number))
            if purpose == .host { self.call(.showFailed(Self.closedError)) }
        }
        if let current = self.current {
            self.current = nil
            self.isViewed = false
            self.act(.destroy(current))
            self.call(.closed)
        }
    }

    /// Drops what was requested with the old consent and is not on screen; a load is started again.
    mutating func consentChanged() {
        let next = self.next
        self.next = .none
        switch next {
        case .none: break
        case .loading(let number, .host):
            self.act(.destroy(number))
            self.startLoad(.host)
        case .loaded(let number, .host):
            self.act(.destroy(number))
            if self.wait == .none { self.count() }
            self.call(.expired)
        case .presenting(let number, .host):
            self.act(.destroy(number))
            if self.wait == .none { self.count() }
            self.call(.showFailed(AdError(.expired, "the consent changed after the load; load another ad")))
        case .loading(let number, .slot), .loaded(let number, .slot), .presenting(let number, .slot):
            self.act(.destroy(number))
            self.setWait(.due)
        }
    }

    private func holds(_ number: Number) -> Bool {
        switch self.next {
        case .none: self.current == number
        case .loading(let next, _), .loaded(let next, _), .presenting(let next, _):
            next == number || self.current == number
        }
    }

    private static var closedError: AdError { AdError(.destroyed, "the placement was destroyed by the host") }
}
