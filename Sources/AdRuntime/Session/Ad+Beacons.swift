import AdCore
import AdMarkup
import SystemSupport

/// Recording the beacons of an ad.
extension Ad {
    /// Records the beacons of an event of the ad.
    func record(_ event: BeaconEvent) {
        let templates = self.parts.withLock { $0.offer }?.beacons.filter { $0.event == event } ?? []
        let now = self.services.clock.wallTime
        var beacons = templates.enumerated().map { index, template in
            Beacon(template.key(of: self.id, index: index), template.call(at: now), of: self.provider)
        }
        if event == .reward, let call = self.rewardCall {
            beacons.append(Beacon(BeaconKey(ad: self.id, event: event, index: beacons.count), call, of: self.provider))
        }
        self.record(beacons, as: .event(event))
    }

    /// The call that verifies the reward; nil for none.
    private var rewardCall: BeaconCall? {
        let (offer, user) = self.parts.withLock { ($0.offer, $0.rewardUser) }
        guard let reward = offer?.rules.reward, let url = reward.verificationURL else { return nil }
        let isAllowed = self.services.context.permits(.userData)
        let address = BeaconAddress(reward.filling(url, for: isAllowed ? user : RewardUser()))
        let guarantee = offer?.videoBeacons.guarantee ?? .atMostOnce
        return BeaconCall(.get, address, guarantee: guarantee, isBilling: true)
    }

    // MARK: Frequency caps

    /// The error of a show that a frequency cap does not allow; nil if it may be shown.
    func capRefusal() -> AdError? {
        let (offer, name) = self.parts.withLock { ($0.offer, $0.placementName) }
        guard let offer else { return nil }
        return self.services.refusal(of: offer.info.capped(placement: name, of: self.provider))
    }

    /// Counts the view for the frequency caps.
    func countView() {
        let (offer, name) = self.parts.withLock { ($0.offer, $0.placementName) }
        guard let views = self.services.views, let offer else { return }
        let view = views.count(self.id, of: offer.info.capped(placement: name, of: self.provider))
        self.services.clock.work { if let issue = await views.store(view) { self.post(.report(.issue(issue))) } }
    }

    /// Records the beacons of a video's tracking event, and replaces the macros of their URLs.
    func record(_ event: TrackingEvent) {
        let (offer, size, failedOffers) = self.parts.withLock { ($0.offer, $0.size, $0.failedOffers) }
        // The trackers of an offer that replaced another one are others, though their events may be the same.
        let prefix = failedOffers == 0 ? "" : "offer-\(failedOffers + 1)/"
        let videoBeacons = offer?.videoBeacons ?? VideoTrackers()
        var beacons: [Beacon] = []
        var issues: [AdIssue] = []
        let values = MacroValues.moment(at: self.services.clock.wallTime, random: self.services.random())
            .adding(.trackingEvent(event)).adding(.player(size?.rendered))
            .adding(.personal(self.services.context.current(videoBeacons.context)))
        for (index, beacon) in videoBeacons.trackers(for: event).enumerated() {
            let call = videoBeacons.call(event.event, values.address(beacon.url))
            beacons.append(Beacon(event.key(of: self.id, prefix, index: index), call, of: self.provider))
            if let problem = call.address.uncallableReason {
                let text = "\(problem); the tracker of \(event.event) is not called"
                issues.append(AdIssue("vast.tracker.noURL", at: .field(event.path), text))
            }
        }
        self.record(beacons, as: .trackingEvent, issues)
    }

    func record(_ beacons: [Beacon], as source: RecordSource, _ issues: [AdIssue] = []) {
        if beacons.isEmpty {
            self.post(.recorded(source, [], issues, held: []))
        } else {
            self.services.beacons.announce()
        }
        let isFirst = self.parts.withLock { parts in
            let isWin = if case .event(.win) = source { true } else { false }
            if isWin { parts.awaitsWinNotices = false }
            if !beacons.isEmpty {
                let record = PendingRecord(source: source, beacons: beacons, issues: issues)
                parts.pendingRecords.insert(record, at: isWin ? 0 : parts.pendingRecords.endIndex)
            }
            guard !parts.isRecording, !parts.awaitsWinNotices, !parts.pendingRecords.isEmpty else { return false }
            parts.isRecording = true
            return true
        }
        // In a task: this may be the app's main thread, and the ledger the app's own.
        if isFirst { self.services.clock.work { await self.recordPending() } }
    }

    /// Records what is pending, one after the other, in the order in which it happened.
    private func recordPending() async {
        while true {
            let pending = self.parts.withLock { parts -> [PendingRecord] in
                parts.isRecording = !parts.pendingRecords.isEmpty && !parts.awaitsWinNotices
                guard parts.isRecording else { return [] }
                defer { parts.pendingRecords = [] }
                return parts.pendingRecords
            }
            guard !pending.isEmpty else { return }
            for next in pending { await self.record(next) }
        }
    }

    /// Records announced beacons, and then reports them; their outcomes are reported later.
    private func record(_ record: PendingRecord) async {
        let result = await self.services.beacons.recordHoldingReports(record.beacons)
        let new = Set(result.new)
        let beacons = record.beacons.filter { new.contains($0.key) }
        let held = record.beacons.map(\.key)
        self.post(.recorded(record.source, beacons, record.issues + result.issues, held: held))
    }

    /// Records the error URLs of VAST documents that failed during the load.
    func recordErrorBeacons(_ calls: [BeaconCall]) async {
        guard !calls.isEmpty else { return }
        let start = self.parts.withLock { parts in
            defer { parts.loadErrorCount += calls.count }
            return parts.loadErrorCount
        }
        let beacons = calls.enumerated().map { index, call in
            Beacon(
                BeaconKey(ad: self.id, path: BeaconKey.loadPath, event: .error, index: start + index),
                call,
                of: self.provider
            )
        }
        self.services.beacons.announce()
        await self.record(PendingRecord(source: .loadErrors, beacons: beacons, issues: []))
    }
}

extension TrackingEvent {
    fileprivate func key(of ad: AdID, _ prefix: String, index: Int) -> BeaconKey {
        BeaconKey(ad: ad, path: prefix + self.path, event: self.event, ordinal: self.ordinal, index: index)
    }
}
