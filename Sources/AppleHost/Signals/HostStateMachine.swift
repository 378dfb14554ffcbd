import AdCore

/// What an app, or one of its scenes, is doing.
enum HostActivity: Hashable, Sendable {
    /// It is in front and gets the user's touches.
    case active
    /// It is on screen under something of the system: an alert, the notifications, the list of apps.
    case inactive
    /// It is not on screen.
    case background
}

/// What the system says about the host, and what follows for its ads: only changes, what hides an ad first.
struct HostStateMachine {
    /// What happened.
    enum Input: Hashable, Sendable {
        /// The system reports what the app or scene is doing.
        case activity(HostActivity)
        /// The system reports its network.
        case path(NetworkPath)
        /// The app reports a signal itself.
        case posted(HostSignal)
    }

    private var activity = HostActivity.active
    private var isCoveredByApp = false
    private var network: NetworkKind?
    private var isCovered = false
    private var isInBackground = false

    /// Handles an input; returns the signals that differ from those before.
    mutating func handle(_ input: Input) -> [HostSignal] {
        switch input {
        case .activity(let activity): self.activity = activity
        case .path(let path):
            guard path.kind != self.network else { return [] }
            self.network = path.kind
            return [.network(path.kind)]
        case .posted(.covered(let isCovered)): self.isCoveredByApp = isCovered
        // Only the system knows these two.
        case .posted(.background), .posted(.network): return []
        case .posted(let signal): return [signal]
        }
        return self.update()
    }

    /// An ad under something of the system is covered, as under something of the app.
    private mutating func update() -> [HostSignal] {
        let covered = self.isCoveredByApp || self.activity == .inactive
        let background = self.activity == .background
        var signals: [(signal: HostSignal, hides: Bool)] = []
        if covered != self.isCovered { signals.append((.covered(covered), covered)) }
        if background != self.isInBackground { signals.append((.background(background), background)) }
        (self.isCovered, self.isInBackground) = (covered, background)
        // An ad that stays hidden for another reason must not be visible in between.
        return (signals.filter(\.hides) + signals.filter { !$0.hides }).map(\.signal)
    }
}
