import AdCore

/// One event of what a user does with a creative, as our script in its frame has seen it.
struct UserGesture: Hashable, Sendable {
    let type: String
    /// Whether a finger or a pen did it, and no mouse.
    let isTouch: Bool

    init(_ type: String, isTouch: Bool = false) {
        self.type = type
        self.isTouch = isTouch
    }

    init(_ message: JSON) {
        let pointer = message["pointer"]?.string ?? ""
        self.init(message["type"]?.string ?? "", isTouch: !pointer.isEmpty && pointer != "mouse")
    }

    /// Whether something may be opened by it, as browsers have it.
    ///
    /// HTML standard, "activation triggering input event": a mouse or a key that goes down, and a finger that is lifted,
    /// because until then it may scroll; one that scrolls ends with `pointercancel`. What follows on one of these counts with
    /// it.
    var activates: Bool {
        switch self.type {
        case "pointerdown": !self.isTouch
        case "keydown", "pointerup", "click": true
        default: false
        }
    }

    /// Whether it is the first event of a press that activates.
    var begins: Bool {
        switch self.type {
        case "pointerdown", "pointerup": self.isTouch == (self.type == "pointerup")
        case "keydown": true
        default: false
        }
    }
}

/// What the user did with the creative, as our script in its frame has seen it: each gesture opens one link.
struct GestureBook: Hashable, Sendable {
    /// How long after a gesture something may still come of it, as browsers have it too.
    static let memory = Duration.seconds(5)

    private var last: Duration?
    private var spentOn: String?

    /// How a link may be opened.
    enum Allowance: Hashable, Sendable {
        /// By a gesture that opened none yet.
        case fresh
        /// It was opened by this gesture already, and only asked for in two ways.
        case again
    }

    /// A gesture: a press begins one, what follows belongs to it.
    mutating func note(_ gesture: UserGesture, at now: Duration) {
        guard gesture.activates else { return }
        if gesture.begins || self.last == nil { self.spentOn = nil }
        self.last = now
    }

    /// How this address may be opened; nil where it may not.
    func allows(_ url: String, at now: Duration) -> Allowance? {
        guard let last, now - last <= GestureBook.memory else { return nil }
        guard let spentOn else { return .fresh }
        return GestureBook.place(spentOn) == GestureBook.place(url) ? .again : nil
    }

    /// An address without what stands behind its page: not every way of opening it tells that.
    private static func place(_ url: String) -> Substring {
        url.prefix { $0 != "#" }
    }

    /// Opens an address, where that is allowed.
    mutating func spend(on url: String, at now: Duration) -> Allowance? {
        let allowance = self.allows(url, at: now)
        if allowance == .fresh { self.spentOn = url }
        return allowance
    }
}
