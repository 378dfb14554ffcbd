public import AdCore

/// A schedule of ad breaks after IAB's VMAP 1.0.
///
/// ```swift
/// let plan = try VMAPDocument(parsing: bytes)
/// for adBreak in plan.breaks { print(adBreak.offset?.text ?? "-", adBreak.kinds) }
/// ```
public struct VMAPDocument: Hashable, Sendable {
    /// The version as it is written.
    public internal(set) var version: String?
    /// The breaks in the order of the document.
    public internal(set) var breaks: [VMAPBreak] = []
    /// What the server adds of its own.
    public internal(set) var extensions: [VASTNode] = []
    /// What was repaired, or is wrong and was left out; of the VAST inside as well.
    public internal(set) var issues: [AdIssue] = []

    init() {}
}

/// A break in the content, and the ads for it.
public struct VMAPBreak: Hashable, Sendable {
    /// When it is due.
    public internal(set) var offset: VMAPOffset?
    /// What may be shown in it, as it is written: `linear`, `nonlinear`, `display`.
    public internal(set) var kinds: [String] = []
    /// Its name.
    public internal(set) var id: String?
    /// After how much time it comes again.
    public internal(set) var repeatAfter: Duration?
    /// Where its ads are.
    public internal(set) var source: VMAPSource?
    /// Called when it begins, ends or fails.
    public internal(set) var tracking: [VASTTracking] = []
    /// What the server adds of its own.
    public internal(set) var extensions: [VASTNode] = []
    /// The line where it begins.
    public internal(set) var line: Int
}

/// When a break is due.
public enum VMAPOffset: Hashable, Sendable {
    /// Before the content.
    case start
    /// Behind it.
    case end
    /// After so much of it.
    case time(Duration)
    /// After so many hundredths of it.
    case percent(Double)
    /// At the place of that number that the content has for breaks, from 1.
    case position(Int)

    /// The offset as VMAP writes it.
    public var text: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .percent(let percent): AdJSON.double(percent).text() + "%"
        case .position(let number): "#\(number)"
        case .time(let time):
            VMAPOffset.clock(time)
        }
    }

    private static func clock(_ time: Duration) -> String {
        let clock = CalendarText.clock(time)
        return clock.hasSuffix(".000") ? String(clock.dropLast(4)) : clock
    }
}

/// Where a break's ads are.
public struct VMAPSource: Hashable, Sendable {
    /// What they are.
    public enum Content: Hashable, Sendable {
        /// They stand here.
        case vast(VASTDocument)
        /// They are requested; `templateType` names the format of the response, as in `vast3`.
        case tag(URLTemplate, type: String?)
        /// Something that only the server's own player reads.
        case custom(String, type: String?)
    }

    /// Its name.
    public internal(set) var id: String?
    /// Whether it may bring several ads.
    public internal(set) var allowsMultipleAds: Bool?
    /// Whether wrappers may be followed.
    public internal(set) var followsRedirects: Bool?
    /// What it is; nil if it holds nothing that can be read.
    public internal(set) var content: Content?
}

extension VMAPDocument {
    /// The breaks that are due between two moments of a content, the earliest first, with those that come again.
    ///
    /// The first moment belongs to what is asked for, the last one does not, but for the content's own end. Those beyond
    /// the first thousand are left out: one that comes again each second comes as often as the content is long. Breaks at
    /// positions are decided by the caller that knows them, and percentages and ends by the one that knows the length.
    public func due(
        from start: Duration,
        to end: Duration,
        of length: Duration? = nil
    ) -> [(at: Duration, adBreak: VMAPBreak)] {
        var due: [Due] = []
        // No later one is among the first.
        var latest: Duration?
        for (place, adBreak) in self.breaks.enumerated() {
            guard var at = adBreak.offset?.time(in: length), length.map({ at <= $0 }) ?? true else { continue }
            // One that would come again at once comes again after a second.
            let step = adBreak.repeatAfter.map { max($0, .seconds(1)) }
            if let step, at < start {
                at += step * Int(clamping: (start - at).wholeMilliseconds / step.wholeMilliseconds)
                if at < start { at += step }
            }
            var isInside = at < end || (at == length && end == length)
            var count = 0
            while at >= start, isInside, count < VMAPDocument.mostDue, latest.map({ at < $0 }) ?? true {
                due.append(Due(at: at, place: place))
                count += 1
                guard let step else { break }
                at += step
                isInside = at < end && length.map { at < $0 } ?? true
            }
            if due.count >= 2 * VMAPDocument.mostDue { latest = VMAPDocument.keepFirst(of: &due) }
        }
        _ = VMAPDocument.keepFirst(of: &due)
        return due.map { ($0.at, self.breaks[$0.place]) }
    }

    /// A moment at which a break is due, by its place in the document.
    private struct Due {
        let at: Duration
        let place: Int
    }

    /// Puts them in order, keeps as many as are named, and returns the moment of the last one where that is all there is
    /// room for.
    private static func keepFirst(of due: inout [Due]) -> Duration? {
        due.sort { ($0.at, $0.place) < ($1.at, $1.place) }
        guard due.count >= self.mostDue else { return nil }
        due.removeSubrange(self.mostDue...)
        return due.last?.at
    }

    /// The break to play where there is no content around it: the one before the content, else the first; of those that
    /// may hold a video or an overlay.
    package var breakToPlay: VMAPBreak? {
        let playable = self.breaks.filter { adBreak in
            adBreak.source != nil
                && (adBreak.kinds.isEmpty || adBreak.kinds.contains { $0.asciiLowercased != "display" })
        }
        return playable.first { $0.offset == .start || $0.offset == .time(.zero) } ?? playable.first
    }

    /// How many breaks one answer names at the most.
    private static let mostDue = 1000
}

extension VMAPOffset {
    /// The moment in a content of this length; nil if it is unknown.
    func time(in length: Duration?) -> Duration? {
        switch self {
        case .start: return .zero
        case .end: return length
        case .time(let time): return time
        case .percent(let percent): return MediaOffset.percent(percent).time(in: length)
        case .position: return nil
        }
    }
}
