import AdCore
import CLibcurl

/// One WebSocket connection in the loop: its machine, its libcurl handle and the bytes being sent.
final class SocketTransfer {
    let commands: SocketCommandQueue
    let isSecure: Bool
    let easy: EasyHandle
    let shard: MultiHandleShard
    var machine: SocketMachine
    /// The connection's file descriptor and its index in the poll set, after it is connected.
    var socket: (file: curl_socket_t, index: Int)?
    /// Whether it waits for the socket to become writable.
    var isWaitingForWrite = false
    /// Whether there may be more to read without a poll event.
    var hasPendingRead = false

    /// The program's callback; nil after the end was reported.
    private var onEvent: (@Sendable (SocketEvent) -> Void)?
    /// The error that ended sending; received data may still be unread.
    private var sendError: String?
    /// The bytes being sent.
    ///
    /// After a partial write, TLS needs the same bytes at the same address again.
    private var chunk: UnsafeMutableRawBufferPointer?
    private var filledCount = 0
    private var sentCount = 0

    /// The maximum number of bytes per send call.
    private static let maxChunk = 64 << 10
    /// The maximum number of bytes read before the other sockets have their turn.
    private static let maxReadPerTurn = 64 << 10

    init(_ opening: SocketOpening, _ machine: SocketMachine, on easy: EasyHandle, in shard: MultiHandleShard) {
        self.commands = opening.commands
        self.isSecure = opening.request.url.http.isSecure
        self.onEvent = opening.report
        self.machine = machine
        self.easy = easy
        self.shard = shard
    }

    deinit { self.chunk?.deallocate() }

    /// The result of reading.
    enum Step {
        /// Nothing is left to read.
        case done
        /// There may be more, but the other sockets have their turn first.
        case more
        /// The connection is lost, with libcurl's message.
        case broken(String)
    }

    /// Reports an event to the program; after it has closed the connection, only the end.
    func report(_ event: SocketEvent) {
        let onEvent = self.onEvent
        switch event {
        case .opened, .text, .binary, .skippingMessage, .skippedMessage:
            guard self.commands.isActive else { return }
            if event == .opened { self.commands.markOpen() }
        case .closed:
            self.commands.markClosed()
            self.onEvent = nil
        }
        onEvent?(event)
    }

    /// Whether there are bytes to send and the socket is writable.
    var canWrite: Bool {
        self.socket != nil && self.sendError == nil && !self.isWaitingForWrite && self.machine.hasOutgoing
    }

    /// Sends as many bytes as the socket accepts.
    func write(using random: SocketMachine.Random) {
        self.isWaitingForWrite = false
        guard self.sendError == nil else { return }
        while self.sentCount < self.filledCount || self.machine.hasOutgoing {
            if self.sentCount == self.filledCount { self.refill() }
            guard let chunk else { return }
            var count = 0
            let rest = UnsafeRawBufferPointer(rebasing: chunk[self.sentCount..<self.filledCount])
            let code = curl_easy_send(self.easy.raw, rest.baseAddress, rest.count, &count)
            if code == CURLE_AGAIN || (code == CURLE_OK && count == 0) {
                self.isWaitingForWrite = true
                return
            }
            guard code == CURLE_OK else {
                self.sendError = self.message(code)
                break
            }
            self.sentCount += count
            self.machine.sent(count, using: random)
        }
        self.chunk?.deallocate()
        self.chunk = nil
        (self.filledCount, self.sentCount) = (0, 0)
    }

    private func refill() {
        let size = min(SocketTransfer.maxChunk, self.machine.unsent)
        if self.chunk.map({ $0.count < size }) ?? true {
            self.chunk?.deallocate()
            self.chunk = .allocate(byteCount: size, alignment: 1)
        }
        self.sentCount = 0
        self.filledCount = self.chunk.map { self.machine.dequeue(into: $0) } ?? 0
    }

    /// Reads the available bytes, up to the limit per turn.
    func read(
        through buffer: UnsafeMutableRawBufferPointer,
        at now: ContinuousClock.Instant,
        using random: SocketMachine.Random
    ) -> Step {
        var left = SocketTransfer.maxReadPerTurn
        while left > 0 {
            var count = 0
            let code = curl_easy_recv(self.easy.raw, buffer.baseAddress, buffer.count, &count)
            if code == CURLE_AGAIN { return self.sendError.map { .broken($0) } ?? .done }
            guard code == CURLE_OK else { return .broken(self.message(code)) }
            guard count > 0 else { return .broken("") }
            left -= count
            self.machine.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now, using: random) {
                self.report($0)
            }
            // Send responses such as pongs before a later read can end the connection.
            if self.canWrite { self.write(using: random) }
            if self.machine.hasEnded { return .done }
            // Without TLS nothing is buffered: later bytes make the socket readable again.
            if !self.isSecure, self.sendError == nil, count < buffer.count { return .done }
        }
        return .more
    }

    /// Whether sending has failed, so only reading is left.
    var hasSendError: Bool { self.sendError != nil }

    private func message(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}
