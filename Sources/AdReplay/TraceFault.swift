package import AdCore
import AdTrace

/// Why a trace does not run again as it ran.
package enum TraceFault: Error, Hashable, Sendable {
    /// A line can't be read, and why.
    case unreadable(line: Int, String)
    /// It was written in another format than this program's, and by whom.
    case otherFormat(Int, by: String)
    /// The same led to something else.
    case differs(TraceDifference)
}

/// The first place where a trace runs otherwise than it ran.
package struct TraceDifference: Hashable, Sendable {
    /// The line of the trace, counted from 1.
    package let line: Int
    /// Whose life differs.
    package let whose: TraceSubject
    /// When, by the recorder's clock, as in `3.5s`; nil where what is missing should have been told.
    package let at: String?
    /// What happened there; nil where something was only told.
    package let after: String?
    /// What came of it when it was recorded; nil where nothing did.
    package let then: String?
    /// What comes of it now; nil where nothing does.
    package let now: String?

    init(line: Int, of whose: TraceSubject, at moment: String?, after: String?, _ then: String?, _ now: String?) {
        self.line = line
        self.whose = whose
        self.at = moment
        self.after = after
        self.then = then
        self.now = now
    }

    /// Of two lists the first elements that differ, otherwise the whole.
    static func parts(_ then: AdJSON?, _ now: AdJSON?) -> (then: String?, now: String?) {
        guard let left = then?.array, let right = now?.array else { return (then?.text(), now?.text()) }
        let index = zip(left, right).enumerated().first { !$0.element.1.agrees(with: $0.element.0) }?.offset
        let place = index ?? min(left.count, right.count)
        func text(_ all: [AdJSON]) -> String? { all.indices.contains(place) ? all[place].text() : nil }
        return (text(left), text(right))
    }
}

/// What a line of a trace is about.
package enum TraceSubject: Hashable, Sendable, CustomStringConvertible {
    /// An ad.
    case ad(AdID)
    /// A live session, by its number in the trace.
    case session(Int)

    /// The ad; nil of anything else.
    package var ad: AdID? {
        guard case .ad(let ad) = self else { return nil }
        return ad
    }

    /// The session's number; nil of anything else.
    package var session: Int? {
        guard case .session(let number) = self else { return nil }
        return number
    }

    /// As in `ad 5f1c…` or `session 1`.
    package var description: String {
        switch self {
        case .ad(let ad): "ad \(ad)"
        case .session(let number): "session \(number)"
        }
    }
}
