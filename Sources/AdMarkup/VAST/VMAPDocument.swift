public import AdCore

/// A VMAP 1.0.1 document: a schedule of ad breaks.
///
/// ```swift
/// let plan = try VMAPDocument(parsing: bytes)
/// for adBreak in plan.breaks { print(adBreak.offset?.text ?? "-", adBreak.kinds) }
/// ```
public struct VMAPDocument: Hashable, Sendable {
    /// The `version` attribute.
    public internal(set) var version: String?
    /// The breaks in the order of the document.
    public internal(set) var breaks: [VMAPBreak] = []
    /// The extensions.
    public internal(set) var extensions: [VASTNode] = []
    /// What was repaired, or is invalid and was left out; including the VAST documents inside.
    public internal(set) var issues: [AdIssue] = []

    /// The ads in the breaks.
    package var ads: [VASTAd] {
        self.breaks.flatMap { adBreak -> [VASTAd] in
            if case .vast(let document) = adBreak.source?.content { document.ads } else { [] }
        }
    }

    init() {}
}

/// An ad break, with the source of its ads.
public struct VMAPBreak: Hashable, Sendable {
    /// When the break is due (`timeOffset`).
    public internal(set) var offset: VMAPOffset?
    /// The ad types that are allowed, as written: `linear`, `nonlinear`, `display` (`breakType`).
    public internal(set) var kinds: [String] = []
    /// The id of the break.
    public internal(set) var id: String?
    /// The interval after which the break is repeated.
    public internal(set) var repeatAfter: Duration?
    /// The source of the ads.
    public internal(set) var source: VMAPSource?
    /// The trackers of `breakStart`, `breakEnd` and `error`.
    public internal(set) var tracking: [VASTTracking] = []
    /// The extensions.
    public internal(set) var extensions: [VASTNode] = []
    /// The line of the start tag.
    public internal(set) var line: Int
}

/// When a break is due (VMAP 1.0.1, `timeOffset`).
public enum VMAPOffset: Hashable, Sendable {
    /// Before the content.
    case start
    /// After the content.
    case end
    /// At a time of the content.
    case time(Duration)
    /// At a percentage of the content's duration.
    case percent(Double)
    /// At the content's ad opportunity with this number, from 1.
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

/// The source of a break's ads.
public struct VMAPSource: Hashable, Sendable {
    /// The kind of a source.
    public enum Content: Hashable, Sendable {
        /// A VAST document (`VASTAdData`).
        case vast(VASTDocument)
        /// The URL of a response; `templateType` names its format, as in `vast3`.
        case tag(URLTemplate, type: String?)
        /// Data in a proprietary format (`CustomAdData`).
        case custom(String, type: String?)
    }

    /// The id of the source.
    public internal(set) var id: String?
    /// Whether the response may contain several ads.
    public internal(set) var allowsMultipleAds: Bool?
    /// Whether wrappers may be followed.
    public internal(set) var followsRedirects: Bool?
    /// The content; nil if there is none that can be read.
    public internal(set) var content: Content?
}

extension VMAPDocument {
    /// The breaks that are due between two times of the content, in order, including repeated ones.
    ///
    /// The start is included, the end is not, except for the end of the content. At most 1,000 are returned, because a
    /// break may repeat each second of a long content. Breaks at positions are not included. Percentages and the end
    /// are included if the duration is known.
    public func due(
        from start: Duration,
        to end: Duration,
        of length: Duration? = nil
    ) -> [(at: Duration, adBreak: VMAPBreak)] {
        var due: [Due] = []
        // No later break is among the first.
        var latest: Duration?
        for (place, adBreak) in self.breaks.enumerated() {
            guard var at = adBreak.offset?.time(in: length), length.map({ at <= $0 }) ?? true else { continue }
            // A break that would repeat immediately repeats after a second.
            let step = adBreak.repeatAfter.map { max($0, .seconds(1)) }
            if let step, at < start {
                at += step * Int(clamping: (start - at).wholeMilliseconds / step.wholeMilliseconds)
                if at < start { at += step }
            }
            var isInside = at < end || (at == length && end == length)
            var count = 0
            while at >= start, isInside, count < VMAPDocument.dueLimit, latest.map({ at < $0 }) ?? true {
                due.append(Due(at: at, place: place))
                count += 1
                guard let step else { break }
                at += step
                isInside = at < end && length.map { at < $0 } ?? true
            }
            if due.count >= 2 * VMAPDocument.dueLimit { latest = VMAPDocument.keepFirst(of: &due) }
        }
        _ = VMAPDocument.keepFirst(of: &due)
        return due.map { ($0.at, self.breaks[$0.place]) }
    }

    /// A time at which a break is due, with the index of the break.
    private struct Due {
        let at: Duration
        let place: Int
    }

    /// Sorts the times and keeps the first; returns the last one kept if there are no more places.
    private static func keepFirst(of due: inout [Due]) -> Duration? {
        due.sort { ($0.at, $0.place) < ($1.at, $1.place) }
        guard due.count >= self.dueLimit else { return nil }
        due.removeSubrange(self.dueLimit...)
        return due.last?.at
    }

    /// The break to play without content: the one before the content, or else the first one with linear or nonlinear
    /// ads.
    package var breakToPlay: VMAPBreak? {
        let playable = self.breaks.filter { adBreak in
            adBreak.source != nil
                && (adBreak.kinds.isEmpty || adBreak.kinds.contains { $0.asciiLowercased != "display" })
        }
        return playable.first { $0.offset == .start || $0.offset == .time(.zero) } ?? playable.first
    }

    /// The maximum number of breaks that are returned.
    private static let dueLimit = 1000
}

extension VMAPOffset {
    /// The time in a content of this duration; nil if it is unknown.
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
