import AdCore
import CLibcurl
import LibC

/// The event loop of all WebSocket connections, on one thread.
///
/// libcurl connects, verifies the server and provides the socket, which is then read and written through it. The
/// protocol is in `SocketMachine`. One `poll` waits for libcurl's sockets while connecting, for the open sockets and
/// for commands.
final class ClientSocketLoop {
    private enum Owner {
        case wake
        case shard(MultiHandleShard, curl_socket_t)
        case socket(SocketTransfer)
    }

    private let configuration: CurlTransport.Configuration
    private let trustStore: TrustStore
    private let authorities: UnsafeMutableBufferPointer<UInt8>?
    /// Shares TLS sessions between connections.
    private let sessions: UnsafeMutableRawPointer?
    private let queue: SocketQueue
    private let buffer: UnsafeMutableRawBufferPointer

    private var pollSet = PollSet<Owner>()
    private var shards: [MultiHandleShard] = []
    private var sockets: [UInt64: SocketTransfer] = [:]
    /// The sockets that may have more to read without a poll event.
    private var pendingReads: [SocketTransfer] = []
    /// A lower bound for the earliest deadline of the connections.
    private var nextDeadline: ContinuousClock.Instant?

    init(_ configuration: CurlTransport.Configuration, _ trustStore: TrustStore, _ queue: SocketQueue) {
        self.configuration = configuration
        self.trustStore = trustStore
        self.queue = queue
        self.authorities = trustStore.copy()
        self.sessions = curl_share_init()
        if let sessions { yabbi_share_tls_sessions(sessions) }
        // libcurl returns at most this much at once.
        self.buffer = .allocate(byteCount: 16 << 10, alignment: 16)
    }

    deinit {
        self.queue.disconnect()
        self.pendingReads = []
        for shard in self.shards { shard.onInterest = { _, _, _ in } }
        self.shards = []
        if let sessions { curl_share_cleanup(sessions) }
        self.authorities?.deallocate()
        self.buffer.deallocate()
    }

    /// Runs until the queue is closed, then ends all connections.
    func run() {
        _ = self.pollSet.add(self.queue.wakeFile, Int16(POLLIN), for: .wake)
        while true {
            let (commands, isClosed) = self.queue.drain()
            if isClosed { return self.endAll(commands) }
            for command in commands {
                switch command {
                case .open(let opening): self.open(opening)
                case .executeCommands(let id): self.executeCommands(of: id)
                }
            }
            self.readPending()
            self.connect()
            self.expire()
            self.wait()
        }
    }

    // MARK: Commands

    private func open(_ opening: SocketOpening) {
        let request = opening.request
        var machine = SocketMachine(request, at: .now, using: SocketMachine.systemRandom)
        guard let easy = EasyHandle(), let shard = self.shardWithCapacity() else {
            opening.commands.markClosed()
            return machine.failed(.transfer(.other, "out of memory"), opening.report)
        }
        self.trustStore.apply(to: easy, authorities: self.authorities)
        easy.applySocket(request, self.configuration)
        if let sessions { easy.set(CURLOPT_SHARE, pointer: sessions) }
        let socket = SocketTransfer(opening, machine, on: easy, in: shard)
        easy.set(CURLOPT_PRIVATE, pointer: Unmanaged.passUnretained(socket).toOpaque())
        guard easy.optionError == nil, curl_multi_add_handle(shard.multi, easy.raw) == CURLM_OK else {
            let message =
                easy.optionError.map { "libcurl rejected option \($0.option.rawValue)" } ?? "libcurl added no handle"
            return socket.machine.failed(.transfer(.other, message)) { socket.report($0) }
        }
        shard.count += 1
        self.sockets[opening.commands.id] = socket
        self.trackDeadline(socket.machine.deadline)
    }

    private func shardWithCapacity() -> MultiHandleShard? {
        if let shard = self.shards.last(where: { $0.count < MultiHandleShard.capacity }) { return shard }
        guard let shard = MultiHandleShard() else { return nil }
        shard.onInterest = { [unowned self] shard, socket, what in self.updateInterest(shard, socket, what) }
        self.shards.append(shard)
        return shard
    }

    private func executeCommands(of id: UInt64) {
        if let socket = self.sockets[id] { self.executeCommands(of: socket) }
    }

    /// Executes the pending commands of a connection.
    private func executeCommands(of socket: SocketTransfer) {
        let pending = socket.commands.drain()
        if pending.isOverLimit {
            socket.machine.overflow { socket.report($0) }
        } else {
            for text in pending.texts { socket.machine.send(text, using: SocketMachine.systemRandom) }
            if pending.isCloseRequested {
                socket.machine.close(at: .now, using: SocketMachine.systemRandom) { socket.report($0) }
            }
        }
        self.finishStep(socket, .done)
    }

    // MARK: Connecting

    /// Changes the events that libcurl waits for while it connects.
    private func updateInterest(_ shard: MultiHandleShard, _ socket: curl_socket_t, _ what: Int32) {
        if what == CURL_POLL_REMOVE {
            if let index = shard.pollIndices.removeValue(forKey: socket) { self.pollSet.remove(at: index) }
            return
        }
        var events: Int32 = 0
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { events |= Int32(POLLIN) }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { events |= Int32(POLLOUT) }
        if let index = shard.pollIndices[socket] {
            self.pollSet.set(Int16(events), at: index)
        } else {
            shard.pollIndices[socket] = self.pollSet.add(socket, Int16(events), for: .shard(shard, socket))
        }
    }

    private func connect() {
        let now = ContinuousClock.now
        for shard in self.shards where shard.runTimerIfDue(now) { self.collect(shard) }
    }

    private func collect(_ shard: MultiHandleShard) {
        for (handle, code) in shard.completedHandles() {
            var pointer: UnsafeMutableRawPointer?
            yabbi_easy_get_pointer(handle, CURLINFO_PRIVATE, &pointer)
            guard let pointer else { continue }
            self.connected(Unmanaged<SocketTransfer>.fromOpaque(pointer).takeUnretainedValue(), code)
        }
    }

    private func connected(_ socket: SocketTransfer, _ code: CURLcode) {
        var file = curl_socket_t(-1)
        if code == CURLE_OK { yabbi_easy_get_socket(socket.easy.raw, &file) }
        if code == CURLE_OK, file >= 0 {
            socket.socket = (file, self.pollSet.add(file, Int16(POLLIN), for: .socket(socket)))
            // TLS may have read data past the handshake.
            self.scheduleRead(socket)
            socket.machine.connected()
        } else {
            let number = socket.easy.number(CURLINFO_OS_ERRNO)
            let failure = SocketFailure.from(code, systemError: number, detail: socket.easy.detail)
            socket.machine.failed(failure) { socket.report($0) }
        }
        self.finishStep(socket, .done)
    }

    // MARK: Open connections

    /// Continues reading from the sockets that reached their limit per turn.
    private func readPending() {
        guard !self.pendingReads.isEmpty else { return }
        let sockets = self.pendingReads
        self.pendingReads = []
        for socket in sockets where socket.hasPendingRead {
            socket.hasPendingRead = false
            self.read(socket)
        }
    }

    private func read(_ socket: SocketTransfer) {
        guard socket.socket != nil, !socket.hasPendingRead else { return }
        self.finishStep(socket, socket.read(through: self.buffer, at: .now, using: SocketMachine.systemRandom))
    }

    private func handle(_ socket: SocketTransfer, _ events: Int16) {
        if events & Int16(POLLOUT) != 0 {
            socket.write(using: SocketMachine.systemRandom)
            self.finishStep(socket, .done)
        }
        if events & ~Int16(POLLOUT) != 0 { self.read(socket) }
    }

    /// Sends pending bytes after a step, then updates the poll events, or removes a connection that has ended.
    private func finishStep(_ socket: SocketTransfer, _ step: SocketTransfer.Step) {
        if socket.canWrite, case .done = step { socket.write(using: SocketMachine.systemRandom) }
        switch step {
        case .done:
            if socket.hasSendError { self.scheduleRead(socket) }
        case .more: self.scheduleRead(socket)
        case .broken(let message): socket.machine.disconnected(message) { socket.report($0) }
        }
        guard !socket.machine.hasEnded else { return self.remove(socket) }
        socket.commands.setUnsent(socket.machine.unsent)
        self.trackDeadline(socket.machine.deadline)
        guard let index = socket.socket?.index else { return }
        self.pollSet.set(Int16(socket.isWaitingForWrite ? POLLIN | POLLOUT : POLLIN), at: index)
    }

    private func scheduleRead(_ socket: SocketTransfer) {
        guard !socket.hasPendingRead else { return }
        socket.hasPendingRead = true
        self.pendingReads.append(socket)
    }

    private func remove(_ socket: SocketTransfer) {
        guard self.sockets.removeValue(forKey: socket.commands.id) != nil else { return }
        if let index = socket.socket?.index { self.pollSet.remove(at: index) }
        socket.socket = nil
        socket.hasPendingRead = false
        let shard = socket.shard
        curl_multi_remove_handle(shard.multi, socket.easy.raw)
        shard.count -= 1
        // Keep one handle for the next socket.
        if shard.count == 0, self.shards.count > 1 { self.shards.removeAll { $0 === shard } }
    }

    // MARK: Time

    private func trackDeadline(_ deadline: ContinuousClock.Instant?) {
        guard let deadline else { return }
        self.nextDeadline = min(self.nextDeadline ?? deadline, deadline)
    }

    private func expire() {
        guard let next = self.nextDeadline else { return }
        let now = ContinuousClock.now
        guard now >= next else { return }
        self.nextDeadline = nil
        for socket in Array(self.sockets.values) {
            socket.machine.advance(to: now) { socket.report($0) }
            if socket.machine.hasEnded { self.remove(socket) } else { self.trackDeadline(socket.machine.deadline) }
        }
    }

    private func wait() {
        let timers = self.shards.lazy.compactMap(\.due)
        let due = [self.nextDeadline, timers.min()].compactMap(\.self).min()
        var timeout = due.map { $0 <= .now ? 0 : Int32(CurlOptions.milliseconds($0 - .now)) } ?? -1
        if !self.pendingReads.isEmpty { timeout = 0 }
        if timeout != 0, !self.queue.prepareToSleep() { timeout = 0 }
        guard self.pollSet.wait(timeout) > 0 else { return }
        // Entries added in this loop have no events yet; removed ones have no owner.
        for index in 0..<self.pollSet.files.count {
            guard let (owner, events) = self.pollSet.ready(at: index) else { continue }
            switch owner {
            case .wake: self.queue.clearWakeFile()
            case .socket(let socket): self.handle(socket, events)
            case .shard(let shard, let file):
                shard.perform(file, events)
                self.collect(shard)
            }
        }
    }

    // MARK: Shutdown

    private func endAll(_ commands: [SocketQueue.Command]) {
        for command in commands {
            switch command {
            case .open(let opening):
                var machine = SocketMachine(opening.request, at: .now, using: SocketMachine.systemRandom)
                opening.commands.markClosed()
                machine.shutDown(using: SocketMachine.systemRandom, opening.report)
            case .executeCommands(let id): self.executeCommands(of: id)
            }
        }
        for socket in Array(self.sockets.values) {
            socket.machine.shutDown(using: SocketMachine.systemRandom) { socket.report($0) }
            if socket.canWrite { socket.write(using: SocketMachine.systemRandom) }
            self.remove(socket)
        }
    }
}

extension EasyHandle {
    /// Sets the options for connecting only, without HTTP requests by libcurl.
    fileprivate func applySocket(_ request: SocketRequest, _ configuration: CurlTransport.Configuration) {
        self.applyConnection(to: request.url.http, configuration)
        self.set(CURLOPT_CONNECT_ONLY, 1)
        self.set(CURLOPT_FRESH_CONNECT, 1)
        // The handshake uses HTTP/1.1 (RFC 6455 §4.1).
        self.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // Through a proxy, use a CONNECT tunnel (RFC 6455 §4.1).
        self.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        self.set(CURLOPT_CONNECTTIMEOUT_MS, CurlOptions.milliseconds(request.limits.connect))
        // Detect a server that disappeared without closing: TCP keepalive probes after a minute.
        self.set(CURLOPT_TCP_KEEPALIVE, 1)
        self.set(CURLOPT_TCP_KEEPIDLE, 60)
        self.set(CURLOPT_TCP_KEEPINTVL, 15)
    }
}
