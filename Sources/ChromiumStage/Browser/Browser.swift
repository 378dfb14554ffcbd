import AdCore
import SystemLock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One running browser: it starts when it is made, and is gone, with its folder, soon after `close`.
final class Browser: Sendable {
    /// Who hears what is said in a session.
    typealias Listener = @Sendable (DevToolsEvent) -> Void

    private struct State {
        var listeners: [DevToolsSession: Listener] = [:]
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var last = 0
        /// Ends a window that a page has opened.
        var endWindow: (@Sendable (JSON) -> Void)?
        /// The conversation is over.
        var hasEnded = false
        /// The process and its folder are gone as well.
        var isGone = false
        /// What it complained of last, kept before its folder goes.
        var lastWords: String?
        var mourners: [CheckedContinuation<Void, Never>] = []
    }

    /// How long a browser has for its own end.
    private static let farewell = Duration.seconds(3)

    /// The process; for whoever counts what it takes.
    let process: ChromiumProcess
    private let pipe: DevToolsPipe
    private let state: Locked<State>

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
            // Where there is none to copy the desktop asks for none, or refuses, and the browser says so.
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
        self.process = process
        self.state = state
        let pipe = DevToolsPipe(
            reading: process.reading,
            writing: process.writing,
            onEvent: { event in
                guard let session = event.session else {
                    // Ours have nobody who opened them.
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
                let words = process.complaint
                state.withLock { $0.lastWords = words }
                folder.remove()
                let mourners = state.withLock { state in
                    state.isGone = true
                    defer { state.mourners = [] }
                    return state.mourners
                }
                for mourner in mourners { mourner.resume() }
            }
        )
        guard let pipe else {
            for file in [process.reading, process.writing] { Browser.close(file) }
            process.end(within: .zero)
            throw .notStarted("no thread is left to talk with a browser")
        }
        self.pipe = pipe
        // No session of a page hears of its windows, so that nothing in them would be judged.
        state.withLock { state in
            state.endWindow = { [weak pipe] in pipe?.post(DevToolsCommand("Target.closeTarget", ["targetId": $0])) }
        }
        pipe.post(DevToolsCommand("Target.setDiscoverTargets", ["discover": true, "filter": [["type": "page"]]]))
    }

    deinit { self.close() }

    /// Whether it is gone.
    var hasEnded: Bool { self.pipe.isClosed || self.state.withLock(\.hasEnded) }

    /// Whether its process and its folder are gone as well.
    var isGone: Bool { self.state.withLock(\.isGone) }

    /// The last thing it complained of.
    var complaint: String? { self.process.complaint ?? self.state.withLock(\.lastWords) }

    /// Says something, and waits for the answer.
    func call(
        _ command: DevToolsCommand,
        within patience: Duration = DevToolsPipe.patience
    ) async throws(DevToolsFault) -> JSON {
        try await self.pipe.call(command, within: patience)
    }

    /// Says something; the answer is given to a closure on the browser's thread, exactly once.
    func call(
        _ command: DevToolsCommand,
        within patience: Duration = DevToolsPipe.patience,
        answer: @escaping @Sendable (DevToolsPipe.Answer) -> Void
    ) {
        self.pipe.call(command, within: patience, answer: answer)
    }

    /// Says something whose answer nobody wants.
    func post(_ command: DevToolsCommand) { self.pipe.post(command) }

    /// Throws a context away with all that is in it; returns when that is done, and in any case after `patience`.
    ///
    /// A browser that does not manage it at all does not work any more, and is ended: whatever is shown next gets a new one.
    func dispose(of context: String, within patience: Duration = .seconds(1)) async {
        await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Void, Never>?>(continuation)
            @Sendable func go() {
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume()
            }
            self.pipe.after(patience, go)
            self.pipe.call(BrowserPlace.disposal(context)) { [weak self] answer in
                if case .failure(.late) = answer { self?.close() }
                go()
            }
        }
    }

    /// Calls a closure on the browser's thread when so much time has passed; never, where the browser is gone by then.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) { self.pipe.after(delay, body) }

    /// Has what is said in a session heard, in order, on the browser's thread; nil: nobody listens any more.
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

    /// Takes back what `whenEnded` was told.
    func forget(_ number: Int) { self.state.withLock { $0.onEnd[number] = nil } }

    /// Ends it; its process and its folder go a moment later.
    func close() {
        // It ends by itself when nobody holds the other end of its pipe.
        self.pipe.close()
    }

    /// Waits until its process and its folder are gone.
    func untilGone() async {
        await withCheckedContinuation { continuation in
            let isGone = self.state.withLock { state in
                if !state.isGone { state.mourners.append(continuation) }
                return state.isGone
            }
            if isGone { continuation.resume() }
        }
    }

    private static func close(_ file: Int32) {
        #if canImport(Glibc)
            Glibc.close(file)
        #elseif canImport(Musl)
            Musl.close(file)
        #else
            Darwin.close(file)
        #endif
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
