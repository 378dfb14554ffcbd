/// What becomes of a page, besides what the app hears of it.
enum PageNews: Hashable, Sendable {
    /// So much of it came, and none of it runs: what the app hears of it is made here.
    case simulated(host: String, bytes: Int)
    /// The message that follows tells the server something.
    case told(PageTold)
}

/// Something that a page told its server by itself, over the socket.
struct PageTold: Hashable, Sendable {
    /// What it was about.
    enum What: String, Hashable, Sendable {
        case impression, action, spin
    }

    let what: What
    /// The class of the message.
    let cid: Int
    /// The engagement; nil where it is about none.
    let uid: String?

    init(_ what: What, cid: Int, uid: String?) {
        self.what = what
        self.cid = cid
        self.uid = uid
    }
}
