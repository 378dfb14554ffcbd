/// Sends messages to any number of streams, in order, until it is finished.
package final class Broadcaster<Message: Sendable>: Sendable {
    private struct State {
        var streams: [UInt64: AsyncStream<Message>.Continuation] = [:]
        var lastNumber: UInt64 = 0
        var isFinished = false
    }

    private let state = Locked(State())
    private let buffering: AsyncStream<Message>.Continuation.BufferingPolicy

    /// - Parameter buffering: Which messages a stream keeps until they are read.
    package init(_ buffering: AsyncStream<Message>.Continuation.BufferingPolicy = .unbounded) {
        self.buffering = buffering
    }

    deinit { self.finish() }

    /// A new stream of the messages from now on; it ends when the broadcaster is finished.
    package var messages: AsyncStream<Message> {
        AsyncStream(bufferingPolicy: self.buffering) { continuation in
            let number = self.state.withLock { state -> UInt64? in
                guard !state.isFinished else { return nil }
                state.lastNumber += 1
                state.streams[state.lastNumber] = continuation
                return state.lastNumber
            }
            guard let number else { return continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.streams.removeValue(forKey: number) }
            }
        }
    }

    /// How many streams are open.
    package var streamCount: Int { self.state.withLock(\.streams.count) }

    /// Sends a message to every open stream.
    package func send(_ message: Message) {
        // A copy of the dictionary shares its storage: a message without a listener costs no allocation.
        for stream in self.state.withLock({ $0.streams }).values { stream.yield(message) }
    }

    /// Ends every stream, and every stream that is created later.
    package func finish() {
        let streams = self.state.withLock { state in
            state.isFinished = true
            defer { state.streams = [:] }
            return state.streams
        }
        for stream in streams.values { stream.finish() }
    }
}
