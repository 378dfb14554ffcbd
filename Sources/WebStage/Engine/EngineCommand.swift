package import AdCore

/// A command of a stage to its engine.
///
/// An engine executes commands in order. Commands for a target or world that no longer exists are ignored; queries for
/// one fail.
package enum EngineCommand: Hashable, Sendable {
    // MARK: Targets

    /// Report all events of a page or frame, hold its requests, and hold the targets that it creates.
    case observe(EngineTarget)
    /// The same for a worker.
    case observeWorker(EngineTarget)
    /// Stop reporting events of a target.
    case forget(EngineTarget)
    /// Start a target that was held when it was created.
    case resume(EngineTarget)
    /// Never start a target that was held when it was created.
    case refuse(EngineTarget)
    /// End the process of a target.
    case terminate(EngineTarget)
    /// Close the target with this id (`AttachedTarget.id`).
    case close(id: String)

    // MARK: Documents

    /// Navigate the top-level page. The reply is `done` when the navigation has started; a failure is `notLoaded`.
    case load(String, in: EngineTarget)
    /// Set the size of a page's screen.
    case setScreen(Size, in: EngineTarget)
    /// Set the user agent of all further requests.
    case setUserAgent(String, in: EngineTarget)
    /// Cancel a dialog of a script (`alert`, `confirm`, `prompt`, `beforeunload`).
    case dismissDialog(EngineTarget)

    // MARK: Scripts

    /// Create the host's isolated world in a frame with an existing document.
    case createWorld(frame: String, in: EngineTarget)
    /// Add a function with the channel's name to the channel's world; it sends a string to the stage.
    case addChannel(EngineChannel, in: EngineTarget)
    /// Run a script in each new document before the document's own scripts.
    case addScript(EngineScript, in: EngineTarget)
    /// Run a script; the reply is its value, awaited if it is a promise, or an exception.
    case evaluate(EngineEvaluation, in: EngineTarget)
    /// Call a function, given as source, with a string argument: the argument is never parsed as code.
    case call(function: String, argument: String, EngineWorld, in: EngineTarget)
    /// Reply from the target's main thread; everything that the target has reported before arrives before the reply.
    case ping(EngineTarget)
    /// Reply with the memory of the target's scripts and documents, measured on its main thread.
    case measureMemory(EngineTarget)

    /// Count the processor time of a target from now on.
    case startMeasuring(EngineTarget)
    /// Reply with the processor time of a target since `startMeasuring`.
    case measureUse(EngineTarget)
    /// Read the body of a response, by its request's identifier.
    case readBody(of: String, in: EngineTarget)
    /// Read the cookies that the page's creative and its servers have stored.
    case readCookies(EngineTarget)

    // MARK: Requests

    /// Send a held request.
    case proceed(EngineRequestID)
    /// Fail a held request.
    case fail(EngineRequestID, EngineRequest.Failure)
    /// Answer a held request instead of its server.
    case answer(EngineRequestID, EngineResponse)

    // MARK: The device

    /// Simulate a device in this target and in all that are observed later.
    case emulate(EngineDevice, in: EngineTarget)
    /// Simulate a network in this target and in all that are observed later; nil for the network of this computer.
    case throttle(EngineNetwork?, in: EngineTarget)

    // MARK: Pictures

    /// Report a picture of a page now and whenever it changes.
    ///
    /// A few are sent ahead; the next one waits until they are acknowledged.
    case startPictures(EnginePictures, in: EngineTarget)
    /// Report no more pictures.
    case stopPictures(EngineTarget)
    /// A picture was handled.
    case acknowledgePicture(Int, in: EngineTarget)

    // MARK: Screenshots and input

    /// Take a screenshot.
    case capture(EngineCapture, in: EngineTarget)
    /// Send a mouse event at a position of the screen.
    case mouse(EngineMouse, x: Double, y: Double, in: EngineTarget)
    /// Touch the screen with a finger.
    case touchStart(x: Double, y: Double, in: EngineTarget)
    /// Move the finger.
    case touchMove(x: Double, y: Double, in: EngineTarget)
    /// Lift the finger.
    case touchEnd(EngineTarget)
    /// Turn the mouse wheel by so many points.
    case wheel(dx: Double, dy: Double, x: Double, y: Double, in: EngineTarget)
    /// Press or release a key of the keyboard.
    case key(EngineKey, in: EngineTarget)
}

/// A mouse event.
package enum EngineMouse: Hashable, Sendable {
    case move, press, release
    /// A move with the button pressed.
    case drag
}

/// A key of the keyboard (W3C UI Events, "KeyboardEvent").
package struct EngineKey: Hashable, Sendable {
    package let isDown: Bool
    /// The value of the key, as in `Enter` or `a`.
    package let key: String
    /// The physical key, as in `KeyA`.
    package let code: String
    /// The text that it enters; empty for none.
    package let text: String
    /// Alt 1, Control 2, Meta 4, Shift 8.
    package let modifiers: Int

    package init(isDown: Bool, key: String, code: String, text: String, modifiers: Int) {
        self.isDown = isDown
        self.key = key
        self.code = code
        self.text = text
        self.modifiers = modifiers
    }
}

/// How pictures of a page are made.
package struct EnginePictures: Hashable, Sendable {
    /// The greatest size, in pixels.
    package let size: Size
    /// The quality of JPEG, from 0 to 100.
    package let quality: Int

    package init(size: Size, quality: Int) {
        self.size = size
        self.quality = quality
    }
}

/// The options of a screenshot.
package struct EngineCapture: Hashable, Sendable {
    package enum Format: String, Sendable {
        case png, webp
        /// The fastest to encode.
        case jpeg
    }

    package var format = Format.png
    /// The size of the captured part of the screen; nil for the whole screen without scaling.
    package var clip: Size?
    /// The upper left corner of that part.
    package var origin = ScreenPoint(x: 0, y: 0)
    /// Whether the encoding favors speed over size.
    package var isFast = false
}

/// A JavaScript world of a document: each has its own global object.
package enum EngineWorld: Hashable, Sendable {
    /// The main world of the target's outermost frame.
    case main
    /// The main world of a frame.
    case page(frame: String)
    /// The host's isolated world in a frame; the page can neither see nor call its scripts.
    case host(frame: String)
    /// The host's isolated world, or the main world if the document has no isolated one yet.
    case hostIfExisting(frame: String)
}

/// A script that runs in each new document before the document's own scripts.
package struct EngineScript: Hashable, Sendable {
    package let source: String
    /// Whether it runs in the host's isolated world.
    package let isHost: Bool
    /// Whether it also runs in the current document.
    package let runsNow: Bool

    init(_ source: String, isHost: Bool, runsNow: Bool = false) {
        self.source = source
        self.isHost = isHost
        self.runsNow = runsNow
    }
}

/// A script that runs once.
package struct EngineEvaluation: Hashable, Sendable {
    package let script: String
    package let world: EngineWorld
    /// Whether it gives the document user activation (HTML Living Standard, "Tracking user activation").
    package let isUserGesture: Bool
    /// Whether exceptions are not reported as errors of the page.
    package let isSilent: Bool

    package init(_ script: String, _ world: EngineWorld = .main, isUserGesture: Bool = false, isSilent: Bool = false) {
        self.script = script
        self.world = world
        self.isUserGesture = isUserGesture
        self.isSilent = isSilent
    }
}

/// A channel by which scripts send strings to the stage.
package enum EngineChannel: String, Hashable, Sendable, CaseIterable {
    /// `host.js`, `player.js` and `cover.js`.
    case host = "__yabbi"
    /// `gesture.js`.
    case gesture = "__yabbi_gesture"
    /// `creative.js`.
    case creative = "__yabbi_creative"
    /// `calls.js`.
    case calls = "__yabbi_calls"
    /// `mraid.js`.
    case mraid = "__yabbi_mraid"
    /// `omid.js`.
    case omid = "__yabbi_omid"
    /// `vpaid.js`.
    case vpaid = "__yabbi_vpaid"
    /// `bridge.js`, for the messages of a provider's page to the app.
    case bridge = "__yabbi_bridge"

    /// Whether the channel's function exists only in the host's isolated world.
    package var isHost: Bool {
        switch self {
        case .host, .gesture: true
        case .creative, .calls, .mraid, .omid, .vpaid, .bridge: false
        }
    }
}

/// An engine's reply to a query.
package enum EngineReply: Hashable, Sendable {
    case done
    /// The value of an evaluation; null for none.
    case value(AdJSON)
    /// The exception that an evaluation has thrown.
    case exception(String)
    /// A screenshot, base64-encoded.
    case picture(String)
    /// The used memory, in bytes.
    case memory(Int)
    /// The processor time that a target has used.
    case use(processor: Duration)
    /// The body of a response.
    case body([UInt8])
    /// The names of cookies, each with its domain, as in `id of ads.example`.
    case cookies([String])

    /// The value of an evaluation; null for other replies.
    var value: AdJSON { if case .value(let value) = self { value } else { .null } }
}

/// Why an engine's command failed.
package enum EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The engine refused it; the reason.
    case refused(String)
    /// The URL could not be loaded; the reason.
    case notLoaded(String)
    /// The reply is late; the engine's name of the command.
    case late(String)
    /// The engine has ended.
    case gone

    package var description: String {
        switch self {
        case .refused(let reason): "the browser refused: \(reason)"
        case .notLoaded(let reason): "the address did not load: \(reason)"
        case .late(let method): "the browser did not answer \(method) in time"
        case .gone: "the browser has ended"
        }
    }
}
