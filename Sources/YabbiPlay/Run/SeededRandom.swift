import AdCore
import SystemSupport

/// A locked SplitMix64 generator, so that the same seed gives the same ids in every run.
final class SeededRandom: Sendable {
    private let state: Locked<SplitMix>

    init(seed: UInt64) { self.state = Locked(SplitMix(seed: seed)) }

    func next() -> UInt64 { self.state.withLock { $0.next() } }
}
