@testable import AdCore

/// A playback driven by a test, with its steps as text.
struct PlaybackDriver {
    var playback: Playback
    private(set) var steps: [String] = []
    private(set) var ignored: [String] = []
    /// The tracked events as they are.
    private(set) var events: [TrackingEvent] = []
    var isVisible = true

    init(_ rules: VideoRules, isRewarded: Bool = false) {
        self.playback = Playback(rules, isRewarded: isRewarded)
    }

    init(_ spots: SpotRules..., fallbackCount: Int = 0, isRewarded: Bool = false) {
        self.init(VideoRules(spots[0], Array(spots.dropFirst()), fallbackCount: fallbackCount), isRewarded: isRewarded)
    }

    /// The tracked events; in a pod each with the number of its spot.
    var tracked: [String] { self.steps.filter { !$0.hasPrefix("→") } }
    var last: String? { self.steps.last }

    mutating func play(_ events: VideoEvent..., spot: Int? = nil) {
        for event in events {
            switch self.playback.handle(event, of: spot ?? self.playback.spot, isVisible: self.isVisible) {
            case .steps(let steps): self.append(steps)
            case .ignored(let reason): self.ignored.append(reason)
            }
        }
    }

    mutating func append(_ steps: [PlaybackStep]) {
        self.steps += steps.map(self.text)
        self.events += steps.compactMap { if case .track(let event) = $0 { event } else { nil } }
    }

    mutating func clear() { (self.steps, self.events) = ([], []) }

    private func text(_ step: PlaybackStep) -> String {
        switch step {
        case .track(let event):
            let spot = self.playback.rules.spots.count > 1 ? event.spot.map { "\($0 + 1)." } ?? "" : ""
            let part = event.part.map { "\($0)/" } ?? ""
            let code = event.code.map { " \($0)" } ?? ""
            return "\(spot)\(part)\(event.event)\(event.ordinal > 0 ? " #\(event.ordinal)" : "")\(code)"
        case .quartile(let percent, _): return "→\(percent) %"
        case .skip(let visible): return visible ? "→skip" : "→no skip"
        case .part(let part, let visible): return visible ? "→\(part)" : "→no \(part)"
        case .next(let spot): return "→spot \(spot + 1)"
        case .setViewableTimer: return "→watch"
        case .cancelViewableTimer: return "→unwatch"
        case .over(let end): return "→over \(end)"
        }
    }
}

extension VideoEvent {
    static func at(_ seconds: Double) -> VideoEvent { .progressed(.milliseconds(Int64(seconds * 1000))) }
}
