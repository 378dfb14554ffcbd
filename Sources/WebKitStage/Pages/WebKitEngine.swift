import AdCore
import EngineSupport
import LibC
import SystemSupport
import WebStage

/// A running helper, which shows pages in WebKitGTK.
///
/// `close` ends the process and removes its folder.
final class WebKitEngine: BrowserEngine {
    /// Handles the reports about a page.
    typealias Listener = @Sendable (WireReport) -> Void

    private struct State {
        var listeners: [Int: Listener] = [:]
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var version: String?
        var hasEnded = false
        /// The last error in its log, read before the folder is removed.
        var finalError: String?
    }

    /// How long the process may take to exit before it is killed.
    private static let farewell = Duration.seconds(2)

    let process: EngineProcess
    let hasWindows: Bool
    /// The time zone of its pages; nil for that of this computer.
    let timeZone: String?
    private let pipe: WirePipe
    private let state: Locked<State>
    private let gone: OneShot<Void>
    /// Sends the requests of pages.
    let transport: any Transport

    /// Starts a helper.
    convenience init(
        _ files: HelperFiles,
        _ options: WebKitOptions,
        screen: Size,
        transport: any Transport
    ) throws(WebKitError) {
        let environment = HelperLaunch.environment()
        let parent = WebKitEngine.folderParent(environment)
        ProfileFolder.removeLeftovers(parent)
        guard let folder = ProfileFolder(in: parent) else {
            throw .notStarted("can't create a folder in \(parent); set TMPDIR to a writable folder")
        }
        let plan = HelperLaunch(
            files,
            options,
            screen: screen,
            folder: folder.path,
            processEnvironment: environment
        )
        do {
            let process = try EngineProcess.start(
                plan.launch,
                log: folder.path + "/complaints.txt",
                ignoring: HelperLaunch.ignoredErrors
            )
            try self.init(process, folder, options, transport)
        } catch let failure as EngineStartFailure {
            folder.remove()
            throw .notStarted(failure.message)
        } catch {
            folder.remove()
            throw .notStarted("\(error)")
        }
    }

    private init(
        _ process: EngineProcess,
        _ folder: ProfileFolder,
        _ options: WebKitOptions,
        _ transport: any Transport
    ) throws(WebKitError) {
        let state = Locked(State())
        let gone = OneShot<Void>()
        self.process = process
        self.hasWindows = options.hasWindows
        self.timeZone = options.timeZone
        self.transport = transport
        self.state = state
        self.gone = gone
        let pipe = WirePipe(
            reading: process.reading,
            writing: process.writing,
            report: { WebKitEngine.handle($0, state) },
            onEnd: {
                WebKitEngine.end(process, state)
                folder.remove()
                gone.set(())
            }
        )
        guard let pipe else {
            for file in [process.reading, process.writing] { LibC.close(file) }
            process.end(within: .zero)
            throw .notStarted("can't start a thread for the helper's pipe")
        }
        self.pipe = pipe
    }

    private static func handle(_ report: WireReport, _ state: Locked<State>) {
        switch report {
        case .event(let message) where message.name == "ready": state.withLock { $0.version = message.text(2) }
        case .event(let message): state.withLock { $0.listeners[message.integer(1)] }?(report)
        case .flood(_, let page, _): state.withLock { $0.listeners[page] }?(report)
        }
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
        process.end(within: WebKitEngine.farewell)
        let lastError = process.lastError
        state.withLock { $0.finalError = lastError }
    }

    deinit { self.close() }

    var hasEnded: Bool { self.pipe.isClosed || self.state.withLock(\.hasEnded) }
    var isGone: Bool { self.gone.isSet }
    var lastError: String? { self.process.lastError ?? self.state.withLock(\.finalError) }
    var opensPagesAhead: Bool { !self.hasWindows }

    /// The version of WebKitGTK, as in `2.50.6`; nil before the helper has started.
    var version: String? { self.state.withLock(\.version) }

    func close() { self.pipe.close() }
    func untilGone() async { await self.gone.value }

    /// Makes a page with a process, cookies, storage and caches of its own.
    func makePage(on screen: Size, within limit: Duration) async throws(EngineError) -> WebKitPage {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        let page = WebKitPage(in: self, number)
        do throws(EngineError) {
            try await page.open(on: screen, within: limit)
            return page
        } catch {
            await page.dispose()
            throw error
        }
    }

    // MARK: The pipe

    /// Sends a command; `reply` is called once, on the engine's thread.
    func call(
        _ command: WireCommand,
        within limit: Duration,
        reply: @escaping @Sendable (Result<WireReply, EngineError>) -> Void
    ) {
        self.pipe.call(command, within: limit, reply: reply)
    }

    /// Sends a command and waits for the reply.
    func call(_ command: WireCommand, within limit: Duration) async throws(EngineError) -> WireReply {
        try await self.pipe.call(command, within: limit)
    }

    /// Sends a command and ignores the reply.
    func post(_ command: WireCommand) { self.pipe.post(command) }

    /// Calls a closure on the engine's thread after a delay, unless the engine has ended by then.
    func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) { self.pipe.after(delay, body) }

    /// Sets the handler of a page's reports, called in order on the engine's thread; nil removes it.
    func listen(to page: Int, _ listener: Listener?) {
        self.state.withLock { state in
            if !state.hasEnded { state.listeners[page] = listener }
        }
    }

    /// Calls a closure once, on the engine's thread, when the engine has ended; returns a number for `forget`.
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

    /// The folder in which the folders of helpers are created.
    static func folderParent(_ environment: [String: String]) -> String {
        environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    static func explanation(of error: String) -> String? { nil }
}
