import AdCore

/// An input event as `gesture.js` reports it.
package struct UserGesture: Hashable, Sendable {
    let type: String
    /// Whether the pointer is a finger or pen, and not a mouse.
    let isTouch: Bool

    /// Creates an event by its name in the DOM.
    package init(_ type: String, isTouch: Bool = false) {
        self.type = type
        self.isTouch = isTouch
    }

    init(_ message: AdJSON) {
        let pointer = message["pointer"]?.string ?? ""
        self.init(message["type"]?.string ?? "", isTouch: !pointer.isEmpty && pointer != "mouse")
    }

    /// Whether it is an activation triggering input event, or follows one.
    ///
    /// HTML Living Standard, "Tracking user activation": a mouse button or key that goes down, or a finger that is
    /// lifted. A finger that goes down may still scroll; then the gesture ends with `pointercancel`.
    var activates: Bool {
        switch self.type {
        case "pointerdown": !self.isTouch
        case "keydown", "pointerup", "click": true
        default: false
        }
    }

    /// Whether it is the first activation triggering event of a press.
    var begins: Bool {
        switch self.type {
        case "pointerdown", "pointerup": self.isTouch == (self.type == "pointerup")
        case "keydown": true
        default: false
        }
    }
}

/// Transient user activation of a creative: each gesture opens one link (HTML Living Standard, "Tracking user
/// activation"; opening a link consumes the activation).
package struct UserActivation: Hashable, Sendable {
    /// The transient activation duration; the standard requires a few seconds at most, and engines take up to five.
    static let lifetime = Duration.seconds(5)

    private var last: Duration?
    private var consumedBy: String?

    /// Creates one without a gesture.
    package init() {}

    /// How a link may use the activation.
    package enum Allowance: Hashable, Sendable {
        /// The activation is not consumed yet.
        case unused
        /// The same gesture has opened this link already, in another way.
        case sameLink
    }

    /// Handles an input event; the first activating event of a press starts a new gesture.
    package mutating func handle(_ gesture: UserGesture, at now: Duration) {
        guard gesture.activates else { return }
        if gesture.begins || self.last == nil { self.consumedBy = nil }
        self.last = now
    }

    /// How a link may be opened; nil if it may not.
    func allows(_ url: String, at now: Duration) -> Allowance? {
        guard let last, now - last <= UserActivation.lifetime else { return nil }
        guard let consumedBy else { return .unused }
        return UserActivation.withoutFragment(consumedBy) == UserActivation.withoutFragment(url) ? .sameLink : nil
    }

    /// The URL without its fragment, because some reports lack it.
    private static func withoutFragment(_ url: String) -> Substring {
        url.prefix { $0 != "#" }
    }

    /// Consumes the activation for a link; nil if the link may not be opened.
    package mutating func consume(for url: String, at now: Duration) -> Allowance? {
        let allowance = self.allows(url, at: now)
        if allowance == .unused { self.consumedBy = url }
        return allowance
    }
}
