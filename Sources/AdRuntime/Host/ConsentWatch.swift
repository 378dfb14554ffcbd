import AdCore
import SystemSupport

/// What limits the use of personal data besides the consent, and who is told when something is taken back.
///
/// The consent's changes come in order; those of the limits are handled when they happen.
final class ConsentWatch: Sendable {
    private struct State {
        /// Whether the host limits ad tracking, and whether the system gave an identifier of zeros.
        var isLimitedByHost = false
        var isLimitedByIdentifier = false
        /// The policy of the last change; nil before there is an observer.
        var last: PrivacyPolicy?
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var lastID: UInt64 = 0
        /// The observation of the consent.
        var consent: HostObservation?
    }

    private let state = Locked(State())

    deinit { self.state.withLock { $0.consent }?.cancel() }

    var isLimited: Bool { self.state.withLock { $0.isLimitedByHost || $0.isLimitedByIdentifier } }
    var isLimitedByHost: Bool { self.state.withLock { $0.isLimitedByHost } }

    /// Sets whether the host limits ad tracking; returns whether that is a change.
    func limitByHost(_ isLimited: Bool) -> Bool {
        self.state.withLock { state in
            defer { state.isLimitedByHost = isLimited }
            return state.isLimitedByHost != isLimited
        }
    }

    /// Sets whether the system's identifier is none; returns whether that is a change.
    func limitByIdentifier(_ isLimited: Bool) -> Bool {
        self.state.withLock { state in
            defer { state.isLimitedByIdentifier = isLimited }
            return state.isLimitedByIdentifier != isLimited
        }
    }

    /// Handles a change: observers are called if it takes something back.
    func update(to new: PrivacyPolicy) {
        let observers = self.state.withLock { state -> [@Sendable () -> Void] in
            guard let last = state.last else { return [] }
            state.last = new
            return PrivacyPolicy.withdrawn(from: last, to: new).dropsLoadedAds ? Array(state.observers.values) : []
        }
        for observer in observers { observer() }
    }

    /// Calls a closure when something is taken back.
    ///
    /// The first observer starts the observation of the consent.
    func observe(
        _ observe: @escaping @Sendable () -> Void,
        from policy: @autoclosure () -> PrivacyPolicy,
        of consent: () -> HostObservation?
    ) -> HostObservation {
        let isFirst = self.state.withLock { $0.last == nil }
        if isFirst {
            let (observation, policy) = (consent(), policy())
            let extra = self.state.withLock { state -> HostObservation? in
                guard state.last == nil else { return observation }
                (state.consent, state.last) = (observation, policy)
                return nil
            }
            extra?.cancel()
        }
        let id = self.state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observe
            return state.lastID
        }
        return HostObservation { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
    }
}
