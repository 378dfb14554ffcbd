package import WebStage

/// An engine in a process of its own.
package protocol ProcessEngine: BrowserEngine {
    associatedtype Reader: EnginePipeReader where Reader.Report: EngineReport

    /// Its process and pipe.
    var connection: EngineConnection<Reader> { get }

    /// Its name and version, as in `Chrome 140.0.7339.80`; nil if it is not known.
    func version() async -> String?
}

extension ProcessEngine {
    package var hasEnded: Bool { self.connection.hasEnded }
    package var isGone: Bool { self.connection.isGone }
    package var lastError: String? { self.connection.lastError }

    /// Ends the engine, which exits when the other end of its pipe is closed.
    package func close() { self.connection.pipe.close() }

    package func untilGone() async { await self.connection.untilGone() }

    // MARK: The pipe

    /// Sends a command and waits for the reply.
    package func call(
        _ command: Reader.Command,
        within limit: Duration = EngineTime.limit
    ) async throws(EngineError) -> Reader.Answer {
        try await self.connection.pipe.call(command, within: limit)
    }

    /// Sends a command; `reply` is called once, on the engine's thread.
    package func call(
        _ command: Reader.Command,
        within limit: Duration = EngineTime.limit,
        reply: @escaping @Sendable (Result<Reader.Answer, EngineError>) -> Void
    ) {
        self.connection.pipe.call(command, within: limit, reply: reply)
    }

    /// Sends a command and ignores the reply.
    package func post(_ command: Reader.Command) { self.connection.pipe.post(command) }

    /// Sends a command that may be large after all others, one at a time, and ignores the reply.
    package func postInTurn(_ command: Reader.Command) { self.connection.pipe.postInTurn(command) }

    /// Calls a closure on the engine's thread after a delay, unless the engine has ended by then.
    package func after(_ delay: Duration, _ body: @escaping @Sendable () -> Void) {
        self.connection.pipe.after(delay, body)
    }

    /// Sets the handler of a page or session, called in order on the engine's thread; nil removes it.
    package func listen(
        to address: Reader.Report.Address,
        _ listener: (@Sendable (Reader.Report) -> Void)?
    ) {
        self.connection.listen(to: address, listener)
    }

    /// Calls a closure once, on the engine's thread, when the engine has ended; returns a number for `forget`.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) -> Int? { self.connection.whenEnded(body) }

    /// Removes a closure that `whenEnded` added.
    package func forget(_ number: Int) { self.connection.forget(number) }
}
