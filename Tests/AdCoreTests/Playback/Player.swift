@testable import AdCore

/// A playback that is driven by hand, and everything that it led to in words.
struct Player {
    var playback: Playback
    private(set) var story: [String] = []
    private(set) var ignored: [String] = []
    var isSeen = true

    init(_ terms: VideoRules, isRewarded: Bool = false) {
        self.playback = Playback(terms, isRewarded: isRewarded)
    }

    init(_ spots: SpotRules..., standIns: Int = 0, isRewarded: Bool = false) {
        self.init(VideoRules(spots[0], Array(spots.dropFirst()), standIns: standIns), isRewarded: isRewarded)
    }

    /// The facts alone, without the spot where there is only one.
    var facts: [String] { self.story.filter { !$0.hasPrefix("→") } }
    var last: String? { self.story.last }

    mutating func play(_ events: VideoEvent..., spot: Int? = nil) {
        for event in events {
            switch self.playback.handle(event, of: spot ?? self.playback.spot, isSeen: self.isSeen) {
            case .steps(let steps): self.take(steps)
            case .ignored(let reason): self.ignored.append(reason)
            }
        }
    }

    mutating func take(_ steps: [PlaybackStep]) { self.story += steps.map(self.words) }

    mutating func forget() { self.story = [] }

    private func words(_ step: PlaybackStep) -> String {
        switch step {
        case .tell(let fact):
            let spot = self.playback.terms.spots.count > 1 ? fact.spot.map { "\($0 + 1)." } ?? "" : ""
            let part = fact.part.map { "\($0)/" } ?? ""
            let code = fact.code.map { " \($0)" } ?? ""
            return "\(spot)\(part)\(fact.event)\(fact.ordinal > 0 ? " #\(fact.ordinal)" : "")\(code)"
        case .quartile(let percent, _): return "→\(percent) %"
        case .skip(let visible): return visible ? "→skip" : "→no skip"
        case .part(let part, let visible): return visible ? "→\(part)" : "→no \(part)"
        case .next(let spot): return "→spot \(spot + 1)"
        case .watch: return "→watch"
        case .unwatch: return "→unwatch"
        case .over(let end): return "→over \(end)"
        }
    }
}

extension VideoEvent {
    static func at(_ seconds: Double) -> VideoEvent { .progressed(.milliseconds(Int64(seconds * 1000))) }
}
