package import AdCore

/// An event that an engine reports.
package struct EngineEvent: Hashable, Sendable {
    /// The target in which it happened; nil if unknown.
    package let target: EngineTarget?
    package let kind: Kind

    package init(_ kind: Kind, in target: EngineTarget?) {
        self.target = target
        self.kind = kind
    }

    package enum Kind: Hashable, Sendable {
        // MARK: Targets

        /// This target has created another one, which is held.
        case attached(AttachedTarget)
        /// A target was removed.
        case detached(EngineTarget)
        /// The page was closed, as by its window's close button.
        case closed
        /// The target's process has crashed.
        case crashed
        /// The target sends too many messages.
        case flooded(EngineFlood)

        // MARK: Documents

        /// A navigation has committed a document.
        case committed(EngineDocument)
        /// A document was parsed (`DOMContentLoaded`).
        case parsed(frame: String, load: String)
        /// A document and its subresources were loaded (`load`).
        case loaded(frame: String, load: String)
        /// A frame has stopped loading, with or without success.
        case loadingStopped(frame: String)
        /// The top-level page was loaded.
        case pageLoaded

        // MARK: Scripts

        /// The host's world was created in a new document of a frame, and its scripts have run.
        case worldCreated(frame: String)
        case message(EngineMessage)
        /// An uncaught exception or rejected promise.
        case scriptError(ScriptError)
        /// A call of the console, with its place in the script.
        case console(ConsoleMessage.Level, ScriptError)

        // MARK: Requests

        /// A request waits for `proceed`, `fail` or `answer`.
        case requestHeld(EngineRequest)
        case network(NetworkEvent)
        /// The engine itself refused a request by one of its rules, without a network event.
        case requestRefused(EngineRefusal)

        // MARK: Pictures

        /// A picture of the page, which has changed.
        case picture(EnginePicture)

        // MARK: Attempts

        /// A page tried to open a window; none is opened.
        ///
        /// `frame` is the frame that tried, and `gesture` whether the engine counts it as caused by a user's gesture;
        /// each is nil if the engine does not know. A gesture opens a link only if `gesture.js` has reported it.
        case windowRequested(url: String, frame: String?, gesture: Bool?)
        /// A page tried to navigate a frame, with the same details. There is no held request if the engine does not
        /// load such a URL.
        case navigationRequested(url: String, frame: String?, gesture: Bool?, byPage: Bool)
        /// A script's dialog waits for `dismissDialog`; its kind, as in `alert`.
        case dialogOpened(kind: String, text: String)
        /// A page tried to start a download; none starts.
        case downloadRequested(url: String)
        /// The page contains speculation rules (HTML Living Standard, "Speculative loading").
        case speculationRules(String)
        /// The engine itself blocked an attempt of a script.
        case attemptBlocked(BlockedAttempt)
    }
}

/// A picture of a page, as `EngineCommand.startPictures` requests them.
package struct EnginePicture: Hashable, Sendable {
    /// The number for `EngineCommand.acknowledgePicture`.
    package let number: Int
    /// The picture, base64-encoded.
    package let data: String

    package init(number: Int, data: String) {
        self.number = number
        self.data = data
    }
}

/// A committed document.
package struct EngineDocument: Hashable, Sendable {
    package let frame: String
    /// The identifier of its load, the same as in the request for it.
    package let load: String?
    package let url: String?
    /// Whether it is the engine's error page for a URL that could not be loaded.
    package let isErrorPage: Bool

    package init(frame: String, load: String?, url: String?, isErrorPage: Bool) {
        self.frame = frame
        self.load = load
        self.url = url
        self.isErrorPage = isErrorPage
    }
}

/// A message of a script.
package struct EngineMessage: Hashable, Sendable {
    package let channel: EngineChannel
    package let payload: String
    /// The world of the script, `page` or `host` of a frame; nil if its document was replaced.
    package let sender: EngineWorld?

    package init(_ channel: EngineChannel, _ payload: String, from sender: EngineWorld?) {
        self.channel = channel
        self.payload = payload
        self.sender = sender
    }

    /// The maximum size of a message, in bytes.
    static let byteLimit = 65_536

    /// The parsed message; nil if it is too long or not JSON.
    func json(limit: Int = byteLimit) -> AdJSON? {
        self.payload.utf8.count <= limit ? try? AdJSON(parsing: self.payload) : nil
    }
}

/// A request that the engine itself refused.
package struct EngineRefusal: Hashable, Sendable {
    package let url: String
    package let rule: StageRequest.Rule

    package init(url: String, rule: StageRequest.Rule) {
        self.url = url
        self.rule = rule
    }
}

/// A flood of messages from a target.
package enum EngineFlood: Hashable, Sendable {
    /// It has started: messages are dropped.
    case started
    /// It goes on for longer than a burst.
    case persists(dropped: Int)
    /// It is over: messages are read again.
    case ended(dropped: Int)

    /// The number of messages of a target that an engine reads per second.
    package static let rate = 2_000

    /// The message of the report; `name` is the source, as in "the creative".
    func text(_ name: String) -> String {
        switch self {
        case .started:
            "\(name) floods the browser with messages (console, requests, windows or calls): more than "
                + "\(EngineFlood.rate) per second are dropped"
        case .persists(let count): "\(name) floods the browser with messages: \(count) were dropped, and it was ended"
        case .ended(let count): "\(name) flooded the browser with messages: \(count) were dropped"
        }
    }

    /// Whether the source has to be ended.
    var isPersistent: Bool { if case .persists = self { true } else { false } }
}
