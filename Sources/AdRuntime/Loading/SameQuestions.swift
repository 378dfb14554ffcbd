import AdCore
import SystemLock

/// The questions under way whose answers will be kept: whoever asks the same waits for the answer of whoever was first.
final class SameQuestions<Answer: Sendable>: Sendable {
    /// What somebody who has a question is to do.
    enum Role {
        /// Ask, and tell the answer by `end`.
        case asks(Turn)
        /// Nothing: another one has asked meanwhile; nil where nothing came of it.
        case knows(Answer?)
    }

    /// Somebody's turn to ask a question.
    struct Turn: Hashable, Sendable {
        fileprivate let key: OfferCache.Key
        fileprivate let number: UInt64
    }

    private struct Asking {
        let number: UInt64
        var waiting: [Waiting] = []
    }

    /// One who waits, and what he was told.
    private struct Waiting {
        let rest: ClockRest
        let answer: Locked<Answer?>
    }

    private let underway = Locked<(askings: [OfferCache.Key: Asking], last: UInt64)>(([:], 0))
    private let clock: any AdClock

    init(_ clock: any AdClock) { self.clock = clock }

    /// Begins a question, or waits until the same one is answered, and no longer than to a moment.
    ///
    /// To be called as a piece of work. Whoever gets a turn must end it.
    func begin(_ key: OfferCache.Key, waitingUntil moment: Moment) async -> Role {
        let waiting = Waiting(rest: ClockRest(self.clock), answer: Locked(nil))
        let turn = self.underway.withLock { underway -> Turn? in
            guard underway.askings[key] != nil else {
                underway.last += 1
                underway.askings[key] = Asking(number: underway.last)
                return Turn(key: key, number: underway.last)
            }
            underway.askings[key]?.waiting.append(waiting)
            return nil
        }
        if let turn { return .asks(turn) }
        await waiting.rest.wait(until: moment)
        return .knows(waiting.answer.withLock { $0 })
    }

    /// A turn is over: those who waited for it go on; nothing happens where it was ended before.
    func end(_ turn: Turn, with answer: Answer?) {
        let asking = self.underway.withLock { underway -> Asking? in
            guard underway.askings[turn.key]?.number == turn.number else { return nil }
            return underway.askings.removeValue(forKey: turn.key)
        }
        for waiting in asking?.waiting ?? [] {
            waiting.answer.withLock { $0 = answer }
            waiting.rest.end()
        }
    }
}
