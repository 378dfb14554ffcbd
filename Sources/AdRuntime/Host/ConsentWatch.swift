import AdCore
import SystemSupport

/// What limits ad tracking besides the consent, and the observers of what is taken back.
///
/// The consent's changes come in order; those of the limits are handled when they happen.
final class ConsentWatch: Sendable {
    /// A limit of ad tracking.
    enum Limit: Hashable, Sendable {
        /// The app has set it.
        case app
        /// The system's advertising identifier is one of zeros.
        case identifier
    }

    private struct State {
        var limits: Set<Limit> = []
        /// The policy of the last change; nil before there is an observer.
        var last: PrivacyPolicy?
        /// How many changes there were.
        var changeCount: UInt64 = 0
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var lastID: UInt64 = 0
        /// The observation of the consent.
        var consent: HostObservation?
    }

    private let state = Locked(State())

    deinit { self.state.withLock { $0.consent }?.cancel() }

    /// The limits that hold now.
    var limits: Set<Limit> { self.state.withLock { $0.limits } }

    /// Sets whether a limit holds; returns whether that is a change.
    func set(_ limit: Limit, _ holds: Bool) -> Bool {
        self.state.withLock { holds ? $0.limits.insert(limit).inserted : $0.limits.remove(limit) != nil }
    }

    /// Handles a change: observers are called if it takes something back.
    func update(to new: PrivacyPolicy) {
        let observers = self.state.withLock { state -> [@Sendable () -> Void] in
            state.changeCount += 1
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
        from policy: () -> PrivacyPolicy,
        of consent: () -> HostObservation?
    ) -> HostObservation {
        let isFirst = self.state.withLock { $0.last == nil }
        if isFirst { self.start(consent(), policy) }
        let id = self.state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observe
            return state.lastID
        }
        return HostObservation { [weak self] in _ = self?.state.withLock { $0.observers.removeValue(forKey: id) } }
    }

    /// Takes the policy that holds now as the one that later changes are compared with.
    private func start(_ consent: HostObservation?, _ policy: () -> PrivacyPolicy) {
        while true {
            let changeCount = self.state.withLock { $0.changeCount }
            let current = policy()
            let isStarted = self.state.withLock { state -> Bool? in
                guard state.last == nil else { return false }
                // The policy may be older than a change that came meanwhile: it is read again.
                guard state.changeCount == changeCount else { return nil }
                (state.consent, state.last) = (consent, current)
                return true
            }
            guard let isStarted else { continue }
            if !isStarted { consent?.cancel() }
            return
        }
    }
}
