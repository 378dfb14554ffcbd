import AdCore
import AdRuntime
import PlayConsole
import PlayText
import SystemSupport

/// What the app around an ad does, as the event `host`: it covers the ad or a part of it, goes to the background, is
/// offline, or has another volume.
struct HostChanges: Sendable {
    private var isCovered = false
    private var isInBackground = false
    private var isOffline = false
    private var volume: Double?
    private var obstructions: [AdObstruction] = []

    /// The word and the text of a change; nil if a signal changes nothing.
    mutating func handle(_ signal: HostSignal) -> (word: String, text: String)? {
        switch signal {
        case .covered(let value):
            guard value != self.isCovered else { return nil }
            self.isCovered = value
            return value
                ? ("covered", "the app covers the ad") : ("uncovered", "the app does not cover the ad any more")
        case .background(let value):
            guard value != self.isInBackground else { return nil }
            self.isInBackground = value
            return value
                ? ("background", "the app is in the background") : ("foreground", "the app is in the foreground")
        case .network(let kind):
            guard (kind == .offline) != self.isOffline else { return nil }
            self.isOffline = kind == .offline
            return self.isOffline ? ("offline", "the device is offline") : ("online", "the device is online")
        case .volume(let percent):
            guard percent != self.volume else { return nil }
            self.volume = percent
            return ("volume", "the device's volume is \(AdJSON.double(percent).text()) %")
        case .obstructed(let views):
            guard views != self.obstructions else { return nil }
            self.obstructions = views
            let names = views.map(\.name).joined(separator: ", ")
            return views.isEmpty
                ? ("unobstructed", "no view of the app is over the ad any more")
                : ("obstructed", "views of the app are over the ad: \(names)")
        }
    }
}

extension RunLog {
    /// Records the changes of a source while the observation is kept.
    func observing(_ signals: HostSignalSource) -> HostObservation {
        let changes = Locked(HostChanges())
        return signals.observe { signal in
            guard let (word, text) = changes.withLock({ $0.handle(signal) }), let ad = self.printer.latestAd else {
                return
            }
            self.record(
                ActivityRecord(
                    at: self.clock.now,
                    ad: ad,
                    provider: self.printer.provider(of: ad),
                    EventRow(EventTable.Row.host.name, "", ["what": .string(word)]),
                    .plain("host  \(text)")
                )
            )
        }
    }
}
