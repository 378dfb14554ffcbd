import AdCore

/// Decides when a logical session starts: after a login, or when the app returns after a long time in the background.
struct SmarticoActivity: Hashable, Sendable {
    /// When the app entered the background; nil while it is in the foreground.
    private var backgroundedAt: Moment?
    /// Whether a logical session has started by this rule, and its LOGIN message is not sent yet.
    private var isDue = false
    /// Whether the host demands a new logical session.
    private var isRequested = false

    /// A login starts a logical session.
    mutating func logIn() { self.isDue = true }

    /// A logout cancels a logical session that the server does not know yet.
    mutating func logOut() {
        self.isDue = false
        self.isRequested = false
    }

    /// Stores that the app entered the background.
    mutating func enterBackground(at now: Moment) { self.backgroundedAt = self.backgroundedAt ?? now }

    /// Stores that the app entered the foreground; after a long inactivity this starts a logical session.
    mutating func enterForeground(at now: Moment, inactivity: Duration) {
        if let backgroundedAt, now - backgroundedAt >= inactivity { self.isDue = true }
        self.backgroundedAt = nil
    }

    /// The host demands a new logical session.
    mutating func requestStart() { self.isRequested = true }

    /// Whether a LOGIN message must be sent now; calling it resets the state, so that each start is sent once.
    ///
    /// While the app is in the background only the host can start a logical session.
    mutating func consumeStart(isAutomatic: Bool) -> Bool {
        let starts = self.isRequested || isAutomatic && self.isDue && self.backgroundedAt == nil
        if starts || self.backgroundedAt == nil { self.isDue = false }
        self.isRequested = false
        return starts
    }
}

/// Messages of pages that wait until the user is identified; bounded.
struct SmarticoOutbox: Hashable, Sendable {
    private var texts: [String] = []
    private var bytes = 0

    /// The most messages, and the most bytes of all of them.
    static let limit = (count: 100, bytes: 256 << 10)

    /// Appends a message; returns false when there is no room.
    mutating func append(_ text: String) -> Bool {
        guard self.texts.count < Self.limit.count, self.bytes + text.utf8.count <= Self.limit.bytes else {
            return false
        }
        self.texts.append(text)
        self.bytes += text.utf8.count
        return true
    }

    /// Removes all messages, and returns them in order.
    mutating func drain() -> [String] {
        defer { self = SmarticoOutbox() }
        return self.texts
    }

    /// The number of waiting messages.
    var count: Int { self.texts.count }
}
