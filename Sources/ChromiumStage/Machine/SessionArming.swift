import AdCore

/// What each session is told before anything of a creative runs in it.
enum SessionArming {
    /// The name of the worlds in which our scripts run.
    static let worldName = "yabbi"

    /// What every page and frame is told.
    static func page(_ session: DevToolsSession) -> [StageOutput] {
        [
            DevToolsCommand("Page.enable", in: session),
            DevToolsCommand("Page.setLifecycleEventsEnabled", ["enabled": true], in: session),
            // Without it bindings are lost when a frame changes its process.
            DevToolsCommand("Runtime.enable", in: session),
            DevToolsCommand("Network.enable", in: session),
            DevToolsCommand("Log.enable", in: session),
            DevToolsCommand("Inspector.enable", in: session),
            // A phone's pages have touches: creatives ask for `ontouchstart`, and some listen to nothing else.
            DevToolsCommand("Emulation.setTouchEmulationEnabled", ["enabled": true], in: session),
            DevToolsCommand("Preload.enable", in: session),
            self.fetch(session),
            self.attach(session),
        ].map(StageOutput.say)
    }

    /// What a frame is told in which a user may do something: our script that sees it is there before its first one, also
    /// in a document that is there already.
    static func guarded(_ session: DevToolsSession, hasDocument: Bool = false) -> [StageOutput] {
        let world = JSON.string(self.worldName)
        let scripts = [
            DevToolsCommand(
                "Runtime.addBinding",
                ["name": "__yabbi_guard", "executionContextName": world],
                in: session
            ),
            DevToolsCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": .string(Scripts.guardian), "worldName": world, "runImmediately": .bool(hasDocument)],
                in: session
            ),
        ]
        return self.page(session) + scripts.map(StageOutput.say)
    }

    /// What a frame of a creative is told: windows that it opens lead nowhere, and tell us where they would have.
    static func frame(_ session: DevToolsSession, hasDocument: Bool = false) -> [StageOutput] {
        let scripts = [
            DevToolsCommand("Runtime.addBinding", ["name": "__yabbi_page"], in: session),
            DevToolsCommand(
                "Page.addScriptToEvaluateOnNewDocument",
                ["source": .string(Scripts.page), "runImmediately": .bool(hasDocument)],
                in: session
            ),
        ]
        return self.guarded(session, hasDocument: hasDocument) + scripts.map(StageOutput.say)
    }

    /// Gives a page a screen of this size.
    ///
    /// A frame of another site within it has the room that this makes, but sees the browser's own screen, which
    /// `LaunchPlan` gives it: `screen.width` there does not turn with the screen. To change the browser's screen does not
    /// reach frames of a page that has one of its own, and a page on a second screen makes no pictures.
    static func screen(_ screen: Size, in session: DevToolsSession) -> StageOutput {
        let isLandscape = screen.width > screen.height
        let metrics: JSON = [
            "width": .double(screen.width), "height": .double(screen.height),
            // As many pixels as the browser's screen has: a page with another ratio than the frames in it shifts where a
            // press in one of them lands.
            "deviceScaleFactor": 0, "mobile": true,
            "screenOrientation": [
                "type": isLandscape ? "landscapePrimary" : "portraitPrimary", "angle": isLandscape ? 90 : 0,
            ],
        ]
        return .say(DevToolsCommand("Emulation.setDeviceMetricsOverride", metrics, in: session))
    }

    /// What a worker is told.
    static func worker(_ session: DevToolsSession) -> [StageOutput] {
        [
            DevToolsCommand("Network.enable", in: session), self.fetch(session), self.attach(session),
        ].map(StageOutput.say)
    }

    /// Goes on with what waits for us.
    static func goOn(_ session: DevToolsSession) -> StageOutput {
        .say(DevToolsCommand("Runtime.runIfWaitingForDebugger", in: session))
    }

    /// Frames and workers of it wait for us.
    private static func attach(_ session: DevToolsSession) -> DevToolsCommand {
        let attach: JSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        return DevToolsCommand("Target.setAutoAttach", attach, in: session)
    }

    private static func fetch(_ session: DevToolsSession) -> DevToolsCommand {
        DevToolsCommand("Fetch.enable", ["patterns": [["urlPattern": "*"]]], in: session)
    }
}
