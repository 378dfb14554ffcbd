import AdCore
import LibC
import SystemSupport
import WebStage

/// One running browser: it starts when it is made, and is gone, with its folder, soon after `close`.
final class Browser: Sendable {
    /// Called with the events of a session.
    typealias Listener = @Sendable (DevToolsEvent) -> Void

    private struct State {
        var listeners: [DevToolsSession: Listener] = [:]
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var last = 0
        /// Ends a window that a page has opened.
        var endWindow: (@Sendable (AdJSON) -> Void)?
        /// The conversation is over.
        var hasEnded = false
        /// The last error that it wrote, kept before its folder is removed.
        var lastComplaint: String?
    }

    /// How long a browser has for its own end.
    private static let farewell = Duration.seconds(3)

    /// The process.
    let process: ChromiumProcess
    private let pipe: DevToolsPipe
    private let state: Locked<State>
    /// Resolved when the process and its folder are gone.
    private let gone: OneShot<Void>

    /// Starts a browser.
    convenience init(
        _ binary: ChromiumBinary,
        _ options: ChromiumOptions,
        screen: Size = Size(width: 390, height: 844)
    ) throws(ChromiumError) {
        let surroundings = Browser.environment()
        let parent = Browser.profileParent(surroundings)
        ProfileFolder.sweep(parent)
        let isNobodys = geteuid() == 0 && options.isSandboxed
        guard let folder = ProfileFolder(in: parent, owner: isNobodys ? LaunchPlan.nobody : nil) else {
            throw .notStarted(
                "no folder can be made in \(parent) for the browser; set TMPDIR to one that can be written"
            )
        }
        let plan = LaunchPlan(
            binary,
            options,
            screen: screen,
            profile: folder.path,
            surroundings: surroundings,
            isRoot: geteuid() == 0,
            limiter: access("/usr/bin/prlimit", X_OK) == 0 ? "/usr/bin/prlimit" : nil
        )
        if let key = plan.desktopKey {
            // Without one the desktop needs none, or refuses, and the browser reports that.
            folder.copy(key, to: LaunchPlan.keyCopy(folder.path), owner: isNobodys ? LaunchPlan.nobody : nil)
        }
        do throws(ChromiumError) {
            let process = try ChromiumProcess.start(plan, log: folder.path + "/complaints.txt")
            try self.init(process, folder)
        } catch {
            folder.remove()
            throw error
        }
    }

    private init(_ process: ChromiumProcess, _ folder: ProfileFolder) throws(ChromiumError) {
        let state = Locked(State())
        let gone = OneShot<Void>()
        self.process = process
        self.state = state
        self.gone = gone
        let pipe = DevToolsPipe(
            reading: process.reading,
            writing: process.writing,
            onEvent: { event in
                guard let session = event.session else {
                    // Pages of ours have no opener.
                    guard event.method == "Target.targetCreated", let target = event.params["targetInfo"],
                        target["openerId"]?.string != nil, let name = target["targetId"]
                    else { return }
                    state.withLock(\.endWindow)?(name)
                    return
                }
                state.withLock { $0.listeners[session] }?(event)
            },
            onEnd: {
                let waiting = state.withLock { state in
                    state.hasEnded = true
                    state.listeners = [:]
                    defer { state.onEnd = [:] }
                    return state.onEnd.sorted { $0.key < $1.key }.map(\.value)
                }
                for each in waiting { each() }
                process.end(within: Browser.farewell)
                let complaint = process.complaint
                state.withLock { $0.lastComplaint = complaint }
                folder.remove()
                gone.resolve(())
            }
        )
        guard let pipe else {
            for file in [process.reading, process.writing] { Browser.close(file) }
            process.end(within: .zero)
            throw .notStarted("no thread is left to talk with a browser")
        }
        self.pipe = pipe
        // Windows belong to no page's session, so that nothing in them would be judged: they are closed.
        state.withLock { state in
            state.endWindow = { [weak pipe] in pipe?.post(DevToolsCommand("Target.closeTarget", ["targetId": $0])) }
        }
        pipe.post(DevToolsCommand("Target.setDiscoverTargets", ["discover": true, "filter": [["type": "page"]]]))
    }

    deinit { self.close() }

    /// Whether it is gone.
    var hasEnded: Bool { self.pipe.isClosed || self.state.withLock(\.hasEnded) }

    /// Whether its process and its folder are gone as well.
    var isGone: Bool { self.gone.isResolved }

    /// The last error that it wrote.
    var complaint: String? { self.process.complaint ?? self.state.withLock(\.lastComplaint) }

    /// Sends a command, and waits for the answer.
    func call(
        _ command: DevToolsCommand,
        within limit: Duration = DevToolsPipe.timeLimit
    ) async throws(EngineFault) -> AdJSON {
        try await self.pipe.call(command, within: limit)
    }

    /// Sends a command; the answer is given to a closure on the browser's thread, exactly once.
    func call(
        _ command: DevToolsCommand,
        within limit: Duration = DevToolsPipe.timeLimit,
        answer: @escaping @Sendable (DevToolsPipe.Answer) -> Void
    ) {
        self.pipe.call(command, within: limit, answer: answer)
    }

    /// Sends a command whose answer is ignored.
    func post(_ command: DevToolsCommand) { self.pipe.post(command) }

    /// Removes a context with everything in it; returns when that is done, and in any case after `limit`.
    ///
    /// A browser that can't remove it does not work any more, and is ended: the next creative gets a new one.
    func dispose(of context: String, within limit: Duration = .seconds(1)) async {
        let isOver = OneShot<Void>()
        self.pipe.after(limit) { isOver.resolve(()) }
        self.pipe.call(ChromiumPage.disposal(context)) { [weak self] answer in
            if case .failure(.late) = answer { self?.close() }
            isOver.resolve(())
        }
        await isOver.value
    }

    /// Calls a closure on the browser's thread when so much time has passed; never, where the browser is gone by then.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) { self.pipe.after(delay, body) }

    /// Calls a closure with the events of a session, in order, on the browser's thread; nil stops that.
    func listen(to session: DevToolsSession, _ listener: Listener?) {
        self.state.withLock { state in
            if !state.hasEnded { state.listeners[session] = listener }
        }
    }

    /// Calls a closure once, on the browser's thread, when it is gone; the number takes that back.
    func whenEnded(_ body: @escaping @Sendable () -> Void) -> Int? {
        self.state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.last += 1
            state.onEnd[state.last] = body
            return state.last
        }
    }

    /// Removes a closure of `whenEnded`.
    func forget(_ number: Int) { self.state.withLock { $0.onEnd[number] = nil } }

    /// Ends it; its process and its folder go a moment later.
    func close() {
        // It ends by itself when the other end of its pipe is closed.
        self.pipe.close()
    }

    /// Waits until its process and its folder are gone.
    func untilGone() async {
        await self.gone.value
    }

    private static func close(_ file: Int32) {
        LibC.close(file)
    }

    /// Where the folders of browsers are made.
    static func profileParent(_ surroundings: [String: String]) -> String {
        surroundings["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// Our own environment.
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
