package import AdCore

/// Something that an engine reports.
package struct EngineEvent: Hashable, Sendable {
    /// Where it happened; nil where the engine does not know.
    package let target: EngineTarget?
    package let kind: Kind

    package init(_ kind: Kind, in target: EngineTarget?) {
        self.target = target
        self.kind = kind
    }

    package enum Kind: Hashable, Sendable {
        // MARK: Targets

        /// A target was created in this one, and is held.
        case attached(AttachedTarget)
        /// A target is gone.
        case detached(EngineTarget)
        /// The page was closed from outside, as by its window's button.
        case closed
        /// The target's process has ended.
        case crashed
        /// The target reports more than is read.
        case flooded(EngineFlood)

        // MARK: Documents

        /// A document is in its frame.
        case committed(EngineDocument)
        /// A document was parsed (`DOMContentLoaded`).
        case parsed(frame: String, load: String)
        /// A document and all that it needs was loaded (`load`).
        case loaded(frame: String, load: String)
        /// A frame loads nothing any more, whatever became of its document.
        case loadingStopped(frame: String)
        /// The whole page was loaded.
        case pageLoaded

        // MARK: Scripts

        /// The host's world exists in a new document of a frame, and its scripts have run.
        case worldCreated(frame: String)
        case message(EngineMessage)
        /// An uncaught exception, or a rejected promise.
        case scriptError(ScriptError)
        /// A call of `console.error`.
        case consoleError(ScriptError)

        // MARK: Requests

        /// A request waits for `proceed`, `fail` or `answer`.
        case requestHeld(EngineRequest)
        case network(NetworkEvent)
        /// The engine itself refused a request by one of its rules, and reports no more of it.
        case requestRefused(EngineRefusal)

        // MARK: Attempts

        /// A window was to be opened; none was.
        case windowRequested(url: String)
        /// A frame was to be navigated. No request is held where the engine does not load such an address.
        case navigationRequested(url: String, byPage: Bool)
        /// A dialog of a script waits for `dismissDialog`; its kind, as in `alert`.
        case dialogOpened(kind: String, text: String)
        /// A download was to begin; none did.
        case downloadRequested(url: String)
        /// The page has rules for pages to be loaded ahead (HTML Living Standard, "Speculative loading").
        case speculationRules(String)
        /// The engine itself blocked something that a script tried.
        case attemptBlocked(BlockedAttempt)
    }
}

/// A document that is in a frame now.
package struct EngineDocument: Hashable, Sendable {
    package let frame: String
    /// The identifier of its loading; that of the request for it is the same.
    package let load: String?
    package let url: String?
    /// Whether it is the engine's own page for an address that could not be loaded.
    package let isErrorPage: Bool

    package init(frame: String, load: String?, url: String?, isErrorPage: Bool) {
        self.frame = frame
        self.load = load
        self.url = url
        self.isErrorPage = isErrorPage
    }
}

/// What a script sent over a channel.
package struct EngineMessage: Hashable, Sendable {
    package let channel: EngineChannel
    package let payload: String
    /// The world of the script, `page` or `host` of a frame; nil where its document has been replaced.
    package let sender: EngineWorld?

    package init(_ channel: EngineChannel, _ payload: String, from sender: EngineWorld?) {
        self.channel = channel
        self.payload = payload
        self.sender = sender
    }

    /// The longest message that is read, in bytes.
    static let byteLimit = 65_536

    /// The message, where it is JSON and not too long.
    func json(limit: Int = byteLimit) -> AdJSON? {
        self.payload.utf8.count <= limit ? try? AdJSON(parsing: self.payload) : nil
    }
}

/// A request that the engine itself refused.
package struct EngineRefusal: Hashable, Sendable {
    package let url: String
    /// The engine's name of its rule.
    package let rule: String

    package init(url: String, rule: String) {
        self.url = url
        self.rule = rule
    }
}

/// A target that made the engine report more than is read.
package enum EngineFlood: Hashable, Sendable {
    /// Its messages are dropped from now on.
    case began
    /// It has gone on for longer than anything that stops by itself.
    case lasts(dropped: Int)
    /// It is read again.
    case passed(dropped: Int)

    /// The messages of a target that an engine reads in a second.
    package static let rate = 2_000

    /// What is reported; `name` is what floods, as in "the creative".
    func text(_ name: String) -> String {
        switch self {
        case .began:
            "\(name) floods the browser with messages (console, requests, windows or calls): more than "
                + "\(EngineFlood.rate) a second are dropped"
        case .lasts(let count): "\(name) floods the browser with messages: \(count) were dropped, and it was ended"
        case .passed(let count): "\(name) flooded the browser with messages: \(count) were dropped"
        }
    }

    /// Whether what floods has to be ended.
    var lasts: Bool { if case .lasts = self { true } else { false } }
}
