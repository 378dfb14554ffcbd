package import AdCore

extension Sandbox {
    /// A message that an engagement server pushes.
    package enum Push: Hashable, Sendable {
        /// A popup, `CLIENT_ENGAGEMENT_EVENT`; each one is a new engagement.
        case popup
        /// A mini-game, `SAW_SHOW_SPIN_PUSH`.
        case game
        /// Any message, unchanged.
        case raw(AdJSON)
    }
}
