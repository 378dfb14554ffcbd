package import AdCore

/// What a stage sends to its engine.
///
/// An engine executes commands in their order. It ignores those for a target or a world that no longer exists; a query for
/// one fails.
package enum EngineCommand: Hashable, Sendable {
    // MARK: Targets

    /// Report everything that happens in a page or a frame, hold its requests, and hold targets that it creates.
    case observe(EngineTarget)
    /// The same for a worker.
    case observeWorker(EngineTarget)
    /// Report nothing of a target any more.
    case forget(EngineTarget)
    /// Let a target run that was held when it was created.
    case resume(EngineTarget)
    /// End the process of a target.
    case terminate(EngineTarget)
    /// Close what `AttachedTarget.id` names.
    case close(id: String)

    // MARK: Documents

    /// Load an address as the whole page. The reply is `done` when the navigation has begun; a failure is `notLoaded`.
    case load(String, in: EngineTarget)
    /// Give a page a screen of this size.
    case setScreen(Size, in: EngineTarget)
    /// The user agent of all further requests.
    case setUserAgent(String, in: EngineTarget)
    /// Answer a dialog of a script (`alert`, `confirm`, `prompt`, `beforeunload`) as a user who cancels it.
    case dismissDialog(EngineTarget)

    // MARK: Scripts

    /// Create the host's world in a frame whose document exists already.
    case createWorld(frame: String, in: EngineTarget)
    /// Give scripts in the channel's world a function of the channel's name, which sends one text to the stage.
    case addChannel(EngineChannel, in: EngineTarget)
    /// Run a script in each document, before the document's own.
    case addScript(EngineScript, in: EngineTarget)
    /// Run a script; the reply is its value, or the value of the promise that it returns, or an exception.
    case evaluate(EngineEvaluation, in: EngineTarget)
    /// Call a function, given as its source, with one text: an argument is data and never code.
    case call(function: String, argument: String, EngineWorld, in: EngineTarget)
    /// Reply as soon as the target's main thread can; all that the target reported before arrives before the reply.
    case ping(EngineTarget)
    /// Reply with the memory of the target's scripts and documents, from its main thread.
    case measureMemory(EngineTarget)

    // MARK: Requests

    /// Let the engine send a held request.
    case proceed(EngineRequestID)
    /// Fail a held request.
    case fail(EngineRequestID, EngineRequest.Failure)
    /// Answer a held request, in place of its server.
    case answer(EngineRequestID, EngineResponse)

    // MARK: Picture and input

    /// A picture of the screen.
    case capture(EngineCapture, in: EngineTarget)
    /// Move or press the mouse, at a place of the screen.
    case mouse(EngineMouse, x: Double, y: Double, in: EngineTarget)
    /// Put a finger on the screen.
    case touchStart(x: Double, y: Double, in: EngineTarget)
    /// Lift the finger.
    case touchEnd(EngineTarget)
}

/// One step of a press with the mouse.
package enum EngineMouse: Hashable, Sendable {
    case move, press, release
}

/// How a picture is made.
package struct EngineCapture: Hashable, Sendable {
    package enum Format: String, Sendable {
        case png, webp
    }

    package var format = Format.png
    /// The part of the screen from its upper left corner; nil for the whole screen as it is drawn.
    package var clip: Size?
    /// Whether speed matters more than the picture's length.
    package var isFast = false
}

/// A world of scripts: each has its own global object; all share the document.
package enum EngineWorld: Hashable, Sendable {
    /// The page's own scripts, in the target's outermost frame.
    case main
    /// The page's own scripts in a frame.
    case page(frame: String)
    /// The host's scripts in a frame: the page can neither see nor call them.
    case host(frame: String)
    /// The host's, and the page's in a document that has none of the host's yet.
    case hostIfPresent(frame: String)
}

/// A script that runs before each document's own.
package struct EngineScript: Hashable, Sendable {
    package let source: String
    /// Whether it runs in the host's world.
    package let isHost: Bool
    /// Whether it also runs in the document that exists already.
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
    /// Whether the document gets user activation by it (HTML Living Standard, "Tracking user activation").
    package let isUserGesture: Bool
    /// Whether an exception is kept out of the page's errors.
    package let isSilent: Bool

    init(_ script: String, _ world: EngineWorld = .main, isUserGesture: Bool = false, isSilent: Bool = false) {
        self.script = script
        self.world = world
        self.isUserGesture = isUserGesture
        self.isSilent = isSilent
    }
}

/// A way for scripts to send texts to the stage.
package enum EngineChannel: String, Hashable, Sendable, CaseIterable {
    /// The script in our own page, or above a provider's page.
    case host = "__yabbi"
    /// The script that proves gestures, in the host's world of each frame.
    case gesture = "__yabbi_gesture"
    /// The script in the creative's own world.
    case creative = "__yabbi_creative"
    /// An MRAID document's commands.
    case mraid = "__yabbi_mraid"
    /// A provider's page to the app.
    case bridge = "__yabbi_bridge"

    /// Whether the function exists only in the host's world.
    package var isHost: Bool {
        switch self {
        case .host, .gesture: true
        case .creative, .mraid, .bridge: false
        }
    }
}

/// What an engine replies to a query.
package enum EngineReply: Hashable, Sendable {
    case done
    /// The value of an evaluation; null where it has none.
    case value(AdJSON)
    /// An evaluation threw this.
    case exception(String)
    /// A picture, in base64.
    case picture(String)
    /// So many bytes of memory.
    case memory(Int)

    /// The value of an evaluation, null where it threw.
    var value: AdJSON { if case .value(let value) = self { value } else { .null } }
}

/// Why an engine did not execute a command.
package enum EngineFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The engine refused, and why.
    case refused(String)
    /// An address could not be loaded, and why.
    case notLoaded(String)
    /// No reply came in time; the engine's name for the command.
    case late(String)
    /// The engine has ended.
    case gone

    package var description: String {
        switch self {
        case .refused(let reason): "the browser refused: \(reason)"
        case .notLoaded(let reason): "the address did not load: \(reason)"
        case .late(let method): "the browser did not answer \(method) in time"
        case .gone: "the browser is gone"
        }
    }
}
