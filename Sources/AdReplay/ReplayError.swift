package import AdCore
import AdTrace

/// Why a trace can't be replayed.
package enum ReplayError: Error, Hashable, Sendable {
    /// A line can't be decoded, with the reason.
    case unreadable(line: Int, String)
    /// The trace has another version of the format; `by` is the program that wrote it.
    case otherFormat(Int, by: String)
    /// The replay gave another result than the recording.
    case differs(TraceDifference)
}

/// The first difference between a recording and its replay.
package struct TraceDifference: Hashable, Sendable {
    /// The line of the trace, counted from 1.
    package let line: Int
    /// The ad or the session that differs.
    package let subject: TraceSubject
    /// The time on the recorder's clock, as in `3.5s`; nil if the trace lacks an event.
    package let at: String?
    /// The input before the difference; nil for an event.
    package let after: String?
    /// The recorded result; nil for none.
    package let recorded: String?
    /// The result of the replay; nil for none.
    package let replayed: String?

    init(line: Int, of subject: TraceSubject, at moment: String?, after: String?, _ then: String?, _ now: String?) {
        self.line = line
        self.subject = subject
        self.at = moment
        self.after = after
        self.recorded = then
        self.replayed = now
    }

    /// The first elements that differ of two arrays; otherwise both values.
    static func parts(_ then: AdJSON?, _ now: AdJSON?) -> (then: String?, now: String?) {
        guard let left = then?.array, let right = now?.array else { return (then?.text(), now?.text()) }
        let index = zip(left, right).enumerated().first { !$0.element.1.agrees(with: $0.element.0) }?.offset
        let place = index ?? min(left.count, right.count)
        func text(_ all: [AdJSON]) -> String? { all.indices.contains(place) ? all[place].text() : nil }
        return (text(left), text(right))
    }
}

/// The ad or the session of a line.
package enum TraceSubject: Hashable, Sendable, CustomStringConvertible {
    /// An ad.
    case ad(AdID)
    /// A live session, by its number in the trace.
    case session(Int)

    /// The ad's id; nil for a session.
    package var ad: AdID? {
        guard case .ad(let ad) = self else { return nil }
        return ad
    }

    /// The session's number; nil for an ad.
    package var session: Int? {
        guard case .session(let number) = self else { return nil }
        return number
    }

    /// A text as in `ad 5f1c…` or `session 1`.
    package var description: String {
        switch self {
        case .ad(let ad): "ad \(ad)"
        case .session(let number): "session \(number)"
        }
    }
}
