/// What the page of an engagement does besides its messages to the app.
package enum PageMessage: Hashable, Sendable {
    /// The page was loaded, but is not run: its messages to the app are simulated.
    case simulated(host: String, bytes: Int)
    /// The page sent a message to its server.
    case sent(PageServerMessage)
}

/// A message that a page itself sent to its server over its WebSocket.
package struct PageServerMessage: Hashable, Sendable {
    package enum What: String, Hashable, Sendable {
        case impression, action, spin
    }

    package let what: What
    /// The message class (smartico's `cid`).
    let cid: Int
    /// The engagement, if the message names one.
    package let uid: String?

    package init(_ what: What, cid: Int, uid: String?) {
        self.what = what
        self.cid = cid
        self.uid = uid
    }
}
