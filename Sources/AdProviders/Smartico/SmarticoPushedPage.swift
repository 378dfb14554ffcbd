package import AdCore

/// A page that the server pushes, as read from one message, without a session.
package struct SmarticoPushedPage: Sendable {
    /// What the page shows.
    package enum Kind: Hashable, Sendable {
        /// A popup. The id is the engagement's own; nil if the message has none.
        case popup(engagement: String?)
        /// A mini-game, opened at a deep link of the gamification page.
        case game(template: String, deepLink: String)
    }

    package let kind: Kind
    /// The id by which duplicates are recognized: the engagement's, or else the message's; nil if there is none.
    package let uid: String?
    /// Repairs of the message.
    package let issues: [AdIssue]

    /// Parses a message as a session does (`SmarticoIncoming`).
    ///
    /// Throws if it is no popup and no mini-game.
    package init(parsing text: String) throws(AdError) {
        let (message, issues): (SmarticoIncoming, [AdIssue])
        do throws(SmarticoIncoming.ParseError) {
            (message, issues) = try SmarticoIncoming.parse(text)
        } catch {
            throw AdError(.unreadableResponse, error.issue.message)
        }
        self.issues = issues
        switch message {
        case .engagement(let engagement):
            guard engagement.message != nil else {
                throw AdError(.unreadableResponse, "the popup's message can't be passed to its page")
            }
            self.kind = .popup(engagement: engagement.ownUID)
            self.uid = engagement.uid
        case .game(let template, let uuid):
            self.kind = .game(template: template, deepLink: SmarticoDeepLink.game(template))
            self.uid = uuid
        case .unknown(let cid):
            throw AdError(.unreadableResponse, "a smartico message of the unknown class \(cid)")
        case .ping, .initialized, .identified, .pushTokenAccepted:
            let text = "a smartico message without an engagement; a popup has class (cid) 110, a mini-game 707"
            throw AdError(.unreadableResponse, text)
        }
    }
}
