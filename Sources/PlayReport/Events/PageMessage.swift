/// What a page does besides its messages to the app.
package enum PageMessage: Hashable, Sendable {
    /// Its HTML of so many bytes was loaded and does not run: its messages to the app are simulated.
    case simulated(host: String, bytes: Int)
    /// The message that follows tells the server something.
    case told(PageServerMessage)
}

/// Something that a page told its server by itself, over the socket.
package struct PageServerMessage: Hashable, Sendable {
    /// What it was about.
    package enum What: String, Hashable, Sendable {
        case impression, action, spin
    }

    let what: What
    /// The class of the message.
    let cid: Int
    /// The engagement; nil where it is about none.
    let uid: String?

    package init(_ what: What, cid: Int, uid: String?) {
        self.what = what
        self.cid = cid
        self.uid = uid
    }
}
