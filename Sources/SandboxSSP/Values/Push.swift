package import AdCore

extension Sandbox {
    /// What a server of engagements sends without being asked.
    package enum Push: Hashable, Sendable {
        /// A popup, `CLIENT_ENGAGEMENT_EVENT`: each one a new engagement.
        case popup
        /// A mini-game, `SAW_SHOW_SPIN_PUSH`.
        case game
        /// A message as it is.
        case raw(AdJSON)
    }
}
