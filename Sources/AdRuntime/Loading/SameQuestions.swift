import AdCore
import SystemLock

/// The questions under way whose answers will be kept: whoever asks the same waits for the answer of whoever was first.
final class SameQuestions: Sendable {
    private let underway = Locked<[OfferCache.Key: [ClockRest]]>([:])
    private let clock: any AdClock

    init(_ clock: any AdClock) { self.clock = clock }

    /// Begins a question, or waits until the same one is over; says whether it began.
    ///
    /// To be called as a piece of work. Whoever began must call `end`.
    func begin(_ key: OfferCache.Key) async -> Bool {
        let rest = self.underway.withLock { underway -> ClockRest? in
            guard underway[key] != nil else {
                underway[key] = []
                return nil
            }
            let rest = ClockRest(self.clock)
            underway[key]?.append(rest)
            return rest
        }
        await rest?.wait()
        return rest == nil
    }

    /// A question is over: those who waited for it go on.
    func end(_ key: OfferCache.Key) {
        for rest in self.underway.withLock({ $0.removeValue(forKey: key) }) ?? [] { rest.end() }
    }
}
