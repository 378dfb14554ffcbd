import AdCore

/// When the user was active: what decides whether a logical session begins.
struct SmarticoActivity: Hashable, Sendable {
    /// When the app left the foreground; nil while it is there.
    private var left: Moment?
    /// Whether a logical session has begun by the session's own rule, and the server does not know yet.
    private var isDue = false
    /// Whether the host says that one has begun.
    private var isWanted = false

    /// Somebody has logged in: that is a beginning.
    mutating func logIn() { self.isDue = true }

    /// Nobody is there any more.
    mutating func logOut() {
        self.isDue = false
        self.isWanted = false
    }

    /// The app has left the foreground.
    mutating func leave(at now: Moment) { self.left = self.left ?? now }

    /// The app is back; after a long time that is a beginning.
    mutating func comeBack(at now: Moment, inactivity: Duration) {
        if let left, now - left >= inactivity { self.isDue = true }
        self.left = nil
    }

    /// The host says that a logical session begins.
    mutating func want() { self.isWanted = true }

    /// Whether a beginning is to be told now; it is told once.
    ///
    /// While the app is in the background nobody begins anything.
    mutating func takeBeginning(isOwn: Bool) -> Bool {
        let isTold = self.isWanted || isOwn && self.isDue && self.left == nil
        if isTold || self.left == nil { self.isDue = false }
        self.isWanted = false
        return isTold
    }
}

/// What pages said to the server while it did not listen; bounded.
struct SmarticoForwards: Hashable, Sendable {
    private var texts: [String] = []
    private var bytes = 0

    /// How many wait at most, and how many bytes of them.
    static let most = (count: 100, bytes: 256 << 10)

    /// Keeps a text; false where there is no room.
    mutating func add(_ text: String) -> Bool {
        guard self.texts.count < Self.most.count, self.bytes + text.utf8.count <= Self.most.bytes else { return false }
        self.texts.append(text)
        self.bytes += text.utf8.count
        return true
    }

    /// All of them, in order.
    mutating func takeAll() -> [String] {
        defer { self = SmarticoForwards() }
        return self.texts
    }

    /// How many wait.
    var count: Int { self.texts.count }
}
