import AdCore
import EngineSupport
import LibC
import SystemSupport
import WebStage

/// A running browser.
///
/// `close` ends the process and removes its profile folder.
final class Browser: Sendable {
    /// Handles the events and floods of a session.
    typealias Listener = @Sendable (DevToolsReport) -> Void

    private struct State {
        var listeners: [DevToolsSession: Listener] = [:]
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var last = 0
        /// Closes a window that a page has opened.
        var endWindow: (@Sendable (AdJSON) -> Void)?
        /// The pipe is closed.
        var hasEnded = false
        /// The last error in its log, read before the folder is removed.
        var finalError: String?
    }

    /// How long the process may take to exit before it is killed.
    private static let farewell = Duration.seconds(3)

    let process: EngineProcess
    /// Whether each page has a visible window.
    let hasWindows: Bool
    private let pipe: DevToolsPipe
    private let state: Locked<State>
    /// Resolved when the process has ended and its folder is removed.
    private let gone: OneShot<Void>

    /// Starts a browser.
    convenience init(
        _ binary: ChromiumBinary,
        _ options: ChromiumOptions,
        screen: Size = Size(width: 390, height: 844)
    ) throws(ChromiumError) {
        let processEnvironment = Browser.environment()
        let parent = Browser.profileParent(processEnvironment)
        ProfileFolder.removeLeftovers(parent)
        let isNobodys = geteuid() == 0 && options.isSandboxed
        guard let folder = ProfileFolder(in: parent, owner: isNobodys ? ProfileFolder.nobody : nil) else {
            throw .notStarted(
                "can't create a profile folder in \(parent); set TMPDIR to a writable folder"
            )
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
            folder.copy(key, to: LaunchPlan.authorityCopy(folder.path), owner: isNobodys ? ProfileFolder.nobody : nil)
        }
        do throws(ChromiumError) {
            let process = try Browser.start(plan, log: folder.path + "/complaints.txt")
            try self.init(process, folder, hasWindows: options.hasWindows)
        } catch {
            folder.remove()
            throw error
        }
    }

    /// Starts the process.
    ///
    /// Ignored in its log are errors about the message bus, which is disabled on purpose, and the final line about the
    /// platform, which follows the actual reason.
    private static func start(_ plan: LaunchPlan, log: String) throws(ChromiumError) -> EngineProcess {
        let launch = EngineLaunch(plan.arguments, environment: plan.environment)
        do {
            return try EngineProcess.start(launch, log: log, ignoring: Browser.ignoredErrors)
        } catch {
            throw .notStarted(error.message)
        }
    }

    static let ignoredErrors = ["/bus.cc", "The platform failed to initialize"]

    private init(_ process: EngineProcess, _ folder: ProfileFolder, hasWindows: Bool) throws(ChromiumError) {
        let state = Locked(State())
        let gone = OneShot<Void>()
        self.process = process
        self.hasWindows = hasWindows
        self.state = state
        self.gone = gone
        let pipe = DevToolsPipe(
            reading: process.reading,
            writing: process.writing,
            report: { Browser.handle($0, state) },
            onEnd: {
                Browser.end(process, state)
                folder.remove()
                gone.set(())
            }
        )
        guard let pipe else {
            for file in [process.reading, process.writing] { Browser.close(file) }
            process.end(within: .zero)
            throw .notStarted("can't start a thread for the browser's pipe")
        }
        self.pipe = pipe
        // Windows belong to no page's session, so their requests would not be held: they are closed.
        state.withLock { state in
            state.endWindow = { [weak pipe] in pipe?.post(DevToolsCommand("Target.closeTarget", ["targetId": $0])) }
        }
        pipe.post(DevToolsCommand("Target.setDiscoverTargets", ["discover": true, "filter": [["type": "page"]]]))
    }

    /// Passes a report to its session's listener, and closes windows that pages open.
    private static func handle(_ report: DevToolsReport, _ state: Locked<State>) {
        if let session = report.session {
            state.withLock { $0.listeners[session] }?(report)
            return
        }
        // Only windows that pages open have an opener.
        guard case .event(let event) = report, event.method == "Target.targetCreated",
            let target = event.params["targetInfo"],
            target["openerId"]?.string != nil, let name = target["targetId"]
        else { return }
        state.withLock(\.endWindow)?(name)
    }

    /// Ends the process after its pipe was closed.
    private static func end(_ process: EngineProcess, _ state: Locked<State>) {
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.listeners = [:]
            defer { state.onEnd = [:] }
            return state.onEnd.sorted { $0.key < $1.key }.map(\.value)
        }
        for each in waiting { each() }
        process.end(within: Browser.farewell)
        let lastError = process.lastError
        state.withLock { $0.finalError = lastError }
    }

    deinit { self.close() }

    /// Whether the browser has ended.
    var hasEnded: Bool { self.pipe.isClosed || self.state.withLock(\.hasEnded) }

    /// Whether its process has ended and its folder is removed.
    var isGone: Bool { self.gone.isSet }

    /// The last error in the browser's log.
    var lastError: String? { self.process.lastError ?? self.state.withLock(\.finalError) }

    /// Sends a command and waits for the reply.
    func call(
        _ command: DevToolsCommand,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineError) -> AdJSON {
        try await self.pipe.call(command, within: limit)
    }

    /// Sends a command; `reply` is called once, on the browser's thread.
    func call(
        _ command: DevToolsCommand,
        within limit: Duration = EngineTime.limit,
        reply: @escaping @Sendable (DevToolsPipe.Reply) -> Void
    ) {
        self.pipe.call(command, within: limit, reply: reply)
    }

    /// Sends a command and ignores the reply.
    func post(_ command: DevToolsCommand) { self.pipe.post(command) }

    /// Removes a browser context with its pages; returns when that is done, at the latest after `limit`.
    ///
    /// A browser that can't remove a context is unusable and is ended; the next creative gets a new one.
    func dispose(of context: String, within limit: Duration = .seconds(1)) async {
        let isOver = OneShot<Void>()
        self.pipe.after(limit) { isOver.set(()) }
        self.pipe.call(ChromiumPage.disposeCommand(context)) { [weak self] reply in
            if case .failure(.late) = reply { self?.close() }
            isOver.set(())
        }
        await isOver.value
    }

    /// Calls a closure on the browser's thread after a delay, unless the browser has ended by then.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) { self.pipe.after(delay, body) }

    /// Sets the handler of a session's events, called in order on the browser's thread; nil removes it.
    func listen(to session: DevToolsSession, _ listener: Listener?) {
        self.state.withLock { state in
            if !state.hasEnded { state.listeners[session] = listener }
        }
    }

    /// Calls a closure once, on the browser's thread, when the browser has ended; returns a number for `forget`.
    func whenEnded(_ body: @escaping @Sendable () -> Void) -> Int? {
        self.state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.last += 1
            state.onEnd[state.last] = body
            return state.last
        }
    }

    /// Removes a closure that `whenEnded` added.
    func forget(_ number: Int) { self.state.withLock { $0.onEnd[number] = nil } }

    /// Ends the browser; `untilGone` waits for its process and folder.
    func close() {
        // The browser exits when the other end of its pipe is closed.
        self.pipe.close()
    }

    /// Waits until its process has ended and its folder is removed.
    func untilGone() async {
        await self.gone.value
    }

    private static func close(_ file: Int32) {
        LibC.close(file)
    }

    /// The folder in which the profile folders are created.
    static func profileParent(_ processEnvironment: [String: String]) -> String {
        processEnvironment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// The environment of this process.
    static func environment() -> [String: String] {
        var result: [String: String] = [:]
        var place = environ
        while let entry = place.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                result[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            place += 1
        }
        return result
    }
}
