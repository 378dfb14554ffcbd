import AdCore
import AdMarkup
import SystemSupport

/// Writing down whom an ad has to tell.
extension Ad {
    /// Writes the beacons of the ad's own event down.
    func record(_ event: BeaconEvent) {
        let templates = self.parts.withLock { $0.offer }?.beacons.filter { $0.event == event } ?? []
        let beacons = templates.enumerated().map { index, template in
            Beacon(template.key(of: self.id, index: index), template.call, of: self.provider)
        }
        self.record(beacons, as: .event(event))
    }

    /// Writes down what a video has to tell: here its addresses are finished.
    func record(_ fact: TrackingEvent) {
        let (offer, size) = self.parts.withLock { ($0.offer, $0.size) }
        let wanted = offer?.videoBeacons ?? VideoBeacons()
        var beacons: [Beacon] = []
        var issues: [AdIssue] = []
        let values = MacroValues.moment(at: self.services.clock.wallTime, random: self.services.random())
            .adding(.fact(fact)).adding(.player(size?.rendered))
        for (index, beacon) in wanted.telling(of: fact).enumerated() {
            let call = wanted.call(fact.event, values.address(beacon.url))
            beacons.append(Beacon(fact.key(of: self.id, index: index), call, of: self.provider))
            if let fault = call.address.fault {
                let text = "\(fault), and nobody is told of \(fact.event)"
                issues.append(AdIssue("vast.tracker.noURL", at: .field(fact.path), text))
            }
        }
        self.record(beacons, as: .fact, issues)
    }

    private func record(_ beacons: [Beacon], as what: Recorded, _ issues: [AdIssue] = []) {
        guard !beacons.isEmpty else { return self.put(.recorded(what, [], issues)) }
        self.services.beacons.announce()
        let isFirst = self.parts.withLock { parts in
            parts.unwritten.append(Unwritten(what: what, beacons: beacons, issues: issues))
            defer { parts.isWriting = true }
            return !parts.isWriting
        }
        if isFirst { self.services.clock.work { await self.write() } }
    }

    /// Writes down what is waiting, one after the other: what happened first is written down first.
    private func write() async {
        while true {
            let waiting = self.parts.withLock { parts in
                parts.isWriting = !parts.unwritten.isEmpty
                defer { parts.unwritten = [] }
                return parts.unwritten
            }
            guard !waiting.isEmpty else { return }
            for next in waiting {
                let recording = await self.services.beacons.record(next.beacons)
                let new = Set(recording.new)
                let issues = next.issues + recording.issues
                self.put(.recorded(next.what, next.beacons.filter { new.contains($0.key) }, issues))
            }
        }
    }

    /// Writes down who is told that something failed on the way to an offer.
    func recordPings(_ calls: [BeaconCall]) async {
        guard !calls.isEmpty else { return }
        let start = self.parts.withLock { parts in
            defer { parts.pings += calls.count }
            return parts.pings
        }
        let beacons = calls.enumerated().map { index, call in
            Beacon(
                BeaconKey(ad: self.id, path: BeaconKey.loadPath, event: .error, index: start + index),
                call,
                of: self.provider
            )
        }
        self.services.beacons.announce()
        let recording = await self.services.beacons.record(beacons)
        let new = Set(recording.new)
        self.put(.recorded(.pings, beacons.filter { new.contains($0.key) }, recording.issues))
    }
}

extension TrackingEvent {
    fileprivate func key(of ad: AdID, index: Int) -> BeaconKey {
        BeaconKey(ad: ad, path: self.path, event: self.event, ordinal: self.ordinal, index: index)
    }
}
