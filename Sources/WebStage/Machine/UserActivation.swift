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

    init(_ message: AdJSON) {
        let pointer = message["pointer"]?.string ?? ""
        self.init(message["type"]?.string ?? "", isTouch: !pointer.isEmpty && pointer != "mouse")
    }

    /// Whether it lets something be opened.
    ///
    /// HTML Living Standard, "activation triggering input event": a mouse button or a key that goes down, and a finger that
    /// is lifted, because until then it may scroll; one that scrolls ends with `pointercancel`. The events that follow one
    /// of these belong to it.
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

/// The proof that the user pressed the creative shortly before: each gesture opens one link (HTML Living Standard, "Tracking
/// user activation"; opening a link consumes the activation).
struct UserActivation: Hashable, Sendable {
    /// How long a gesture lets a link be opened, as the transient activation duration of browsers.
    static let lifetime = Duration.seconds(5)

    private var last: Duration?
    private var spentOn: String?

    /// How a link may be opened.
    enum Allowance: Hashable, Sendable {
        /// By a gesture that opened none yet.
        case fresh
        /// This gesture opened it already: two ways to open it were used.
        case again
    }

    /// Handles an event of a gesture: a press begins one, the events that follow belong to it.
    mutating func handle(_ gesture: UserGesture, at now: Duration) {
        guard gesture.activates else { return }
        if gesture.begins || self.last == nil { self.spentOn = nil }
        self.last = now
    }

    /// How this address may be opened; nil where it may not.
    func allows(_ url: String, at now: Duration) -> Allowance? {
        guard let last, now - last <= UserActivation.lifetime else { return nil }
        guard let spentOn else { return .fresh }
        return UserActivation.place(spentOn) == UserActivation.place(url) ? .again : nil
    }

    /// An address without its fragment, which not every way of opening it reports.
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
