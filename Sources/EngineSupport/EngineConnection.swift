import LibC
import SystemSupport

/// A report of an engine, which is for the listener of its address.
package protocol EngineReport: Sendable {
    associatedtype Address: Hashable & Sendable

    /// The page or session that it is about; nil for the engine as a whole.
    var address: Address? { get }
}

/// The process of an engine with its pipe and its folder; `close` ends all three.
package final class EngineConnection<Reader: EnginePipeReader>: Sendable where Reader.Report: EngineReport {
    package typealias Report = Reader.Report
    /// Handles the reports of an address.
    package typealias Listener = @Sendable (Report) -> Void
    /// Handles a report about the engine as a whole; the closure sends a command.
    package typealias Handler = @Sendable (Report, _ post: @Sendable (Reader.Command) -> Void) -> Void

    private struct State {
        var listeners: [Report.Address: Listener] = [:]
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var post: (@Sendable (Reader.Command) -> Void)?
        /// The pipe is closed.
        var hasEnded = false
        /// The last error in its log, read before the folder is removed.
        var finalError: String?
    }

    package let process: EngineProcess
    package let pipe: EnginePipe<Reader>
    private let state: Locked<State>
    /// Resolved when the process has ended and its folder is removed.
    private let gone: OneShot<Void>

    /// Starts a process and its pipe.
    ///
    /// - Parameters:
    ///   - launch: The program.
    ///   - folder: The folder of its files, which is removed at the end, or if the program does not start.
    ///   - ignored: Texts of lines in its log that are not the reason of a failure.
    ///   - farewell: How long the process may take to exit before it is killed.
    ///   - handle: Handles reports about the engine as a whole.
    /// - Throws: `EngineStartFailure` if the program can't be started.
    package init(
        _ launch: EngineLaunch,
        in folder: ProfileFolder,
        ignoring ignored: [String],
        farewell: Duration,
        _ handle: @escaping Handler
    ) throws(EngineStartFailure) {
        let state = Locked(State())
        let gone = OneShot<Void>()
        do throws(EngineStartFailure) {
            self.process = try EngineProcess.start(launch, log: folder.path + "/complaints.txt", ignoring: ignored)
            self.pipe = try EngineConnection.pipe(self.process, report: { EngineConnection.deliver($0, state, handle) })
            {
                [process] in
                EngineConnection.end(process, within: farewell, state)
                folder.remove()
                gone.set(())
            }
        } catch {
            folder.remove()
            throw error
        }
        self.state = state
        self.gone = gone
        state.withLock { $0.post = { [weak pipe] in pipe?.post($0) } }
    }

    /// The pipe of a process, which is ended if there is no thread for it.
    private static func pipe(
        _ process: EngineProcess,
        report: @escaping @Sendable (Report) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) throws(EngineStartFailure) -> EnginePipe<Reader> {
        let pipe = EnginePipe<Reader>(
            reading: process.reading,
            writing: process.writing,
            report: report,
            onEnd: onEnd
        )
        if let pipe { return pipe }
        for file in [process.reading, process.writing] { LibC.close(file) }
        process.end(within: .zero)
        throw EngineStartFailure(message: "can't start a thread for the engine's pipe")
    }

    deinit { self.pipe.close() }

    private static func deliver(_ report: Report, _ state: Locked<State>, _ handle: Handler) {
        guard let address = report.address else { return handle(report) { state.withLock(\.post)?($0) } }
        state.withLock { $0.listeners[address] }?(report)
    }

    /// Ends the process after its pipe was closed.
    private static func end(_ process: EngineProcess, within limit: Duration, _ state: Locked<State>) {
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.listeners = [:]
            defer { state.onEnd = [:] }
            return state.onEnd.sorted { $0.key < $1.key }.map(\.value)
        }
        for each in waiting { each() }
        process.end(within: limit)
        let lastError = process.lastError
        state.withLock { $0.finalError = lastError }
    }

    package var hasEnded: Bool { self.pipe.isClosed || self.state.withLock(\.hasEnded) }

    /// Whether the process has ended and its folder is removed.
    package var isGone: Bool { self.gone.isSet }

    /// The last error in the engine's log.
    package var lastError: String? { self.process.lastError ?? self.state.withLock(\.finalError) }

    /// A number that no other call returns.
    package func number() -> Int {
        self.state.withLock { state in
            state.last += 1
            return state.last
        }
    }

    /// Sets the handler of an address, called in order on the engine's thread; nil removes it.
    package func listen(to address: Report.Address, _ listener: Listener?) {
        self.state.withLock { state in
            if !state.hasEnded { state.listeners[address] = listener }
        }
    }

    /// Calls a closure once, on the engine's thread, when the engine has ended; returns a number for `forget`.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) -> Int? {
        self.state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.last += 1
            state.onEnd[state.last] = body
            return state.last
        }
    }

    /// Removes a closure that `whenEnded` added.
    package func forget(_ number: Int) { self.state.withLock { $0.onEnd[number] = nil } }

    /// Waits until the process has ended and its folder is removed.
    package func untilGone() async { await self.gone.value }
}
