package import AdCore
package import AdReplay
import PlayReport
import PlayText

extension ComparedRun {
    /// The run of a trace, which is replayed to its events.
    ///
    /// - Parameters:
    ///   - trace: The bytes of the file.
    ///   - machines: The machines of live sessions.
    /// - Throws: A line that can't be decoded, or a difference between the trace and its replay.
    package init(
        trace: [UInt8],
        machines: [ProviderName: any TraceableMachine.Type] = [:]
    ) throws(ReplayError) {
        var replay = TraceReplay(machines: machines)
        var ads = TracedAds()
        for line in trace.split(separator: 0x0A, omittingEmptySubsequences: false) {
            for output in try replay.replay(String(decoding: line, as: UTF8.self)) { ads.add(output) }
        }
        try replay.finish()
        self.init(.trace, title: replay.recorder.map { "trace of \($0)" } ?? "", ads: ads.compared)
    }
}

/// The ads of a trace in the order of their first events.
private struct TracedAds {
    private var order: [AdID] = []
    private var records: [AdID: [AdRecord]] = [:]
    private var events: [AdID: [AdJSON]] = [:]
    /// Activities before the first ad.
    private var early: [AdJSON] = []

    mutating func add(_ output: TraceReplay.ReplayedEvent) {
        switch output.kind {
        case .event(let ad, let event, let detail):
            let record = AdRecord(at: output.at, ad: ad, provider: output.provider, event: event, detail: detail)
            self.add(EventLine(record).object, of: ad)
            self.records[ad, default: []].append(record)
        case .activity(let ad, let row):
            let record = ActivityRecord(at: output.at, ad: ad, provider: output.provider, replayed: row)
            let event = EventLine(record).object
            if let ad { self.add(event, of: ad) } else { self.early.append(event) }
        case .ignored, .session: break
        }
    }

    private mutating func add(_ event: AdJSON, of ad: AdID) {
        if self.events[ad] == nil {
            self.order.append(ad)
            self.events[ad] = self.early
            self.early = []
        }
        self.events[ad, default: []].append(event)
    }

    var compared: [ComparedAd] {
        self.order.map { ad in
            let records = self.records[ad, default: []]
            let provider = records.first?.provider.rawValue ?? ""
            return ComparedAd(
                id: ad.rawValue,
                provider: provider,
                heading: "\(provider) ad",
                events: self.events[ad, default: []],
                beacons: BeaconHistory.all(in: records).filter { $0.record != nil }.map(RunBeacon.init)
            )
        }
    }
}
