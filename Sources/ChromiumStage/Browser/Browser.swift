import AdCore
import EngineSupport
import LibC
import SystemSupport
import WebStage

/// A running browser.
///
/// `close` ends the process and removes its profile folder.
final class Browser: ProcessEngine {
    typealias Reader = DevToolsReader

    /// How long the process may take to exit before it is killed.
    private static let farewell = Duration.seconds(3)

    let connection: EngineConnection<DevToolsReader>
    /// Whether each page has a visible window.
    let hasWindows: Bool
    /// The sessions of new pages, by their targets, until `makePage` takes them.
    private let sessions = Locked<[String: DevToolsSession]>([:])

    /// Starts a browser.
    init(
        _ binary: ChromiumBinary,
        _ options: ChromiumOptions,
        screen: Size = Size(width: 390, height: 844)
    ) throws(ChromiumError) {
        let processEnvironment = ProcessEnvironment.variables
        let parent = ProfileFolder.parent(processEnvironment)
        ProfileFolder.removeLeftovers(parent)
        let owner = geteuid() == 0 && options.isSandboxed ? ProfileFolder.nobody : nil
        guard let folder = ProfileFolder(in: parent, owner: owner) else {
            throw .notStarted("can't create a profile folder in \(parent); set TMPDIR to a writable folder")
        }
        let plan = LaunchPlan(
            binary,
            options,
            screen: screen,
            profile: folder.path,
            processEnvironment: processEnvironment,
            isRoot: geteuid() == 0,
            limiter: access("/usr/bin/prlimit", X_OK) == 0 ? "/usr/bin/prlimit" : nil
        )
        if let key = plan.authorityFile {
            // If the copy fails, the X server may deny access; the browser's log has that error.
            folder.copy(key, to: LaunchPlan.authorityCopy(folder.path), owner: owner)
        }
        self.hasWindows = options.hasWindows
        let sessions = self.sessions
        do throws(EngineStartFailure) {
            self.connection = try EngineConnection(
                EngineLaunch(plan.arguments, environment: plan.environment),
                in: folder,
                ignoring: Browser.ignoredErrors,
                farewell: Browser.farewell,
                { Browser.handle($0, sessions, $1) }
            )
        } catch {
            throw .notStarted(error.message)
        }
        self.watchPages()
    }

    /// Asks for the windows that pages open, and for the session of each new page.
    private func watchPages() {
        let pages: AdJSON = [["type": "page"]]
        self.post(DevToolsCommand("Target.setDiscoverTargets", ["discover": true, "filter": pages]))
        // A new page waits before it loads anything, so that it is set up without an empty document first.
        let attach: AdJSON = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": pages]
        self.post(DevToolsCommand("Target.setAutoAttach", attach))
    }

    /// The session of a page that was just made; nil if there is none.
    func takeSession(ofPage target: String) -> DevToolsSession? {
        self.sessions.withLock { $0.removeValue(forKey: target) }
    }

    /// Ignored in its log are errors about the message bus, which is disabled on purpose, and the final line about the
    /// platform, which follows the actual reason.
    static let ignoredErrors = ["/bus.cc", "The platform failed to initialize"]

    /// Notes the sessions of new pages, and closes windows that pages open: they belong to no page's session, so their
    /// requests would not be held.
    private static func handle(
        _ report: DevToolsReport,
        _ sessions: Locked<[String: DevToolsSession]>,
        _ post: @Sendable (DevToolsCommand) -> Void
    ) {
        guard case .event(let event) = report, let target = event.params["targetInfo"],
            let name = target["targetId"]?.string
        else { return }
        // Only windows that pages open have an opener.
        let isOpened = target["openerId"]?.string != nil
        switch event.method {
        case "Target.targetCreated" where isOpened:
            post(DevToolsCommand("Target.closeTarget", ["targetId": .string(name)]))
        case "Target.attachedToTarget" where !isOpened:
            let session = event.params["sessionId"]?.string.map(DevToolsSession.init)
            sessions.withLock { $0[name] = session }
        default: break
        }
    }

    /// The name and version, as in `Chrome 140.0.7339.80`; nil if the browser does not answer.
    func version() async -> String? {
        let reply = try? await self.call(DevToolsCommand("Browser.getVersion"))
        return reply?["product"]?.string.map { $0.replacing("Headless", with: "").replacing("/", with: " ") }
    }

    /// Removes a browser context with its pages; returns when that is done, at the latest after `limit`.
    ///
    /// A browser that can't remove a context is unusable and is ended; the next creative gets a new one.
    func dispose(of context: String, within limit: Duration = .seconds(1)) async {
        let isOver = OneShot<Void>()
        self.after(limit) { isOver.set(()) }
        self.call(ChromiumPage.disposeCommand(context)) { [weak self] reply in
            if case .failure(.late) = reply { self?.close() }
            isOver.set(())
        }
        await isOver.value
    }
}
