import AdCore
import CLibcurl
import LibC

/// The loop of the sockets: everything here runs on its one thread.
///
/// It moves bytes; what they mean `SocketLine` knows. libcurl finds the server, trusts it and gives the socket, which is then read and written through it. While libcurl
/// connects it says what it waits for, and one `poll` waits for that, for the open sockets and for news.
final class SocketEngine {
    private enum Owner {
        case bell
        case stall(MultiHandleShard, curl_socket_t)
        case socket(CarriedSocket)
    }

    private let configuration: CurlTransport.Configuration
    private let trust: Trust
    private let authorities: UnsafeMutableBufferPointer<UInt8>?
    /// Lets a new connection go on with the TLS session of an earlier one.
    private let sessions: UnsafeMutableRawPointer?
    private let queue: SocketQueue
    private let buffer: UnsafeMutableRawBufferPointer

    private var watch = PollSet<Owner>()
    private var stalls: [MultiHandleShard] = []
    private var sockets: [UInt64: CarriedSocket] = [:]
    /// Those that may have more to read although their socket does not say so.
    private var hungry: [CarriedSocket] = []
    /// No connection's deadline is before this.
    private var nextDeadline: ContinuousClock.Instant?

    init(_ configuration: CurlTransport.Configuration, _ trust: Trust, _ queue: SocketQueue) {
        self.configuration = configuration
        self.trust = trust
        self.queue = queue
        self.authorities = trust.copy()
        self.sessions = curl_share_init()
        if let sessions { yabbi_share_tls_sessions(sessions) }
        // No more than libcurl hands over at once.
        self.buffer = .allocate(byteCount: 16 << 10, alignment: 16)
    }

    deinit {
        self.queue.disconnect()
        self.hungry = []
        for stall in self.stalls { stall.onInterest = { _, _, _ in } }
        self.stalls = []
        if let sessions { curl_share_cleanup(sessions) }
        self.authorities?.deallocate()
        self.buffer.deallocate()
    }

    /// Works until the queue is closed, then ends every connection.
    func run() {
        _ = self.watch.add(self.queue.wakeFile, Int16(POLLIN), for: .bell)
        while true {
            let (commands, isClosed) = self.queue.drain()
            if isClosed { return self.endAll(commands) }
            for command in commands {
                switch command {
                case .open(let opening): self.open(opening)
                case .visit(let id): self.visit(id)
                }
            }
            self.feed()
            self.connect()
            self.expire()
            self.wait()
        }
    }

    // MARK: Commands

    private func open(_ opening: SocketOpening) {
        let request = opening.request
        var line = SocketLine(request, at: .now, using: SocketLine.systemRandom)
        guard let easy = EasyHandle(), let stall = self.stallWithRoom() else {
            opening.door.shut()
            return line.failed(.transfer(.other, "the memory is used up"), opening.report)
        }
        self.trust.apply(to: easy, authorities: self.authorities)
        easy.applySocket(request, self.configuration)
        if let sessions { easy.set(CURLOPT_SHARE, pointer: sessions) }
        let socket = CarriedSocket(opening, line, on: easy, in: stall)
        easy.set(CURLOPT_PRIVATE, pointer: Unmanaged.passUnretained(socket).toOpaque())
        guard easy.refusal == nil, curl_multi_add_handle(stall.multi, easy.raw) == CURLM_OK else {
            let words = easy.refusal.map { "libcurl refused option \($0.option.rawValue)" } ?? "libcurl gave no handle"
            return socket.line.failed(.transfer(.other, words)) { socket.tell($0) }
        }
        stall.count += 1
        self.sockets[opening.door.id] = socket
        self.note(socket.line.deadline)
    }

    private func stallWithRoom() -> MultiHandleShard? {
        if let stall = self.stalls.last(where: { $0.count < MultiHandleShard.room }) { return stall }
        guard let stall = MultiHandleShard() else { return nil }
        stall.onInterest = { [unowned self] stall, socket, what in self.follow(stall, socket, what) }
        self.stalls.append(stall)
        return stall
    }

    private func visit(_ id: UInt64) { if let socket = self.sockets[id] { self.obey(socket) } }

    /// Does what was left at the door of a connection.
    private func obey(_ socket: CarriedSocket) {
        let wishes = socket.door.take()
        if wishes.isOverfull {
            socket.line.overflow { socket.tell($0) }
        } else {
            for text in wishes.texts { socket.line.send(text, using: SocketLine.systemRandom) }
            if wishes.wantsEnd { socket.line.close(at: .now, using: SocketLine.systemRandom) { socket.tell($0) } }
        }
        self.settle(socket, .done)
    }

    // MARK: Connecting

    /// What libcurl waits for while it connects.
    private func follow(_ stall: MultiHandleShard, _ socket: curl_socket_t, _ what: Int32) {
        if what == CURL_POLL_REMOVE {
            if let place = stall.places.removeValue(forKey: socket) { self.watch.remove(at: place) }
            return
        }
        var events: Int32 = 0
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { events |= Int32(POLLIN) }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { events |= Int32(POLLOUT) }
        if let place = stall.places[socket] {
            self.watch.set(Int16(events), at: place)
        } else {
            stall.places[socket] = self.watch.add(socket, Int16(events), for: .stall(stall, socket))
        }
    }

    private func connect() {
        let now = ContinuousClock.now
        for stall in self.stalls where stall.actIfDue(now) { self.collect(stall) }
    }

    private func collect(_ stall: MultiHandleShard) {
        for (handle, code) in stall.finished() {
            var pointer: UnsafeMutableRawPointer?
            yabbi_easy_get_pointer(handle, CURLINFO_PRIVATE, &pointer)
            guard let pointer else { continue }
            self.connected(Unmanaged<CarriedSocket>.fromOpaque(pointer).takeUnretainedValue(), code)
        }
    }

    private func connected(_ socket: CarriedSocket, _ code: CURLcode) {
        var file = curl_socket_t(-1)
        if code == CURLE_OK { yabbi_easy_get_socket(socket.easy.raw, &file) }
        if code == CURLE_OK, file >= 0 {
            socket.socket = (file, self.watch.add(file, Int16(POLLIN), for: .socket(socket)))
            // TLS may have read more than it needed.
            self.makeHungry(socket)
            socket.line.connected()
        } else {
            let number = socket.easy.number(CURLINFO_OS_ERRNO)
            let trouble = SocketTrouble.of(code, systemError: number, detail: socket.easy.detail)
            socket.line.failed(trouble) { socket.tell($0) }
        }
        self.settle(socket, .done)
    }

    // MARK: Open

    /// Goes on with those that were stopped so that the others had their turn.
    private func feed() {
        guard !self.hungry.isEmpty else { return }
        let sockets = self.hungry
        self.hungry = []
        for socket in sockets where socket.isHungry {
            socket.isHungry = false
            self.read(socket)
        }
    }

    private func read(_ socket: CarriedSocket) {
        guard socket.socket != nil, !socket.isHungry else { return }
        self.settle(socket, socket.read(through: self.buffer, at: .now, using: SocketLine.systemRandom))
    }

    private func act(_ socket: CarriedSocket, _ events: Int16) {
        if events & Int16(POLLOUT) != 0 {
            socket.write(using: SocketLine.systemRandom)
            self.settle(socket, .done)
        }
        if events & ~Int16(POLLOUT) != 0 { self.read(socket) }
    }

    /// After each step: sends what there is to send, waits for what there is to wait for, or lets go.
    private func settle(_ socket: CarriedSocket, _ step: CarriedSocket.Step) {
        if socket.canWrite, case .done = step { socket.write(using: SocketLine.systemRandom) }
        switch step {
        case .done:
            if socket.isMute { self.makeHungry(socket) }
        case .more: self.makeHungry(socket)
        case .broken(let words): socket.line.broke(words) { socket.tell($0) }
        }
        guard !socket.line.isOver else { return self.letGo(socket) }
        socket.door.note(unsent: socket.line.unsent)
        self.note(socket.line.deadline)
        guard let place = socket.socket?.place else { return }
        self.watch.set(Int16(socket.waitsToWrite ? POLLIN | POLLOUT : POLLIN), at: place)
    }

    private func makeHungry(_ socket: CarriedSocket) {
        guard !socket.isHungry else { return }
        socket.isHungry = true
        self.hungry.append(socket)
    }

    private func letGo(_ socket: CarriedSocket) {
        guard self.sockets.removeValue(forKey: socket.door.id) != nil else { return }
        if let place = socket.socket?.place { self.watch.remove(at: place) }
        socket.socket = nil
        socket.isHungry = false
        let stall = socket.stall
        curl_multi_remove_handle(stall.multi, socket.easy.raw)
        stall.count -= 1
        // One is kept for the next that comes.
        if stall.count == 0, self.stalls.count > 1 { self.stalls.removeAll { $0 === stall } }
    }

    // MARK: Time

    private func note(_ deadline: ContinuousClock.Instant?) {
        guard let deadline else { return }
        self.nextDeadline = min(self.nextDeadline ?? deadline, deadline)
    }

    private func expire() {
        guard let next = self.nextDeadline else { return }
        let now = ContinuousClock.now
        guard now >= next else { return }
        self.nextDeadline = nil
        for socket in Array(self.sockets.values) {
            socket.line.elapsed(to: now) { socket.tell($0) }
            if socket.line.isOver { self.letGo(socket) } else { self.note(socket.line.deadline) }
        }
    }

    private func wait() {
        let dues = self.stalls.lazy.compactMap(\.due)
        let due = [self.nextDeadline, dues.min()].compactMap(\.self).min()
        var patience = due.map { $0 <= .now ? 0 : Int32(RequestForm.milliseconds($0 - .now)) } ?? -1
        if !self.hungry.isEmpty { patience = 0 }
        if patience != 0, !self.queue.prepareToSleep() { patience = 0 }
        guard self.watch.wait(patience) > 0 else { return }
        // What is added meanwhile is not ready yet; what is removed is no longer there.
        for place in 0..<self.watch.files.count {
            guard let (owner, events) = self.watch.ready(at: place) else { continue }
            switch owner {
            case .bell: self.queue.clearWakeFile()
            case .socket(let socket): self.act(socket, events)
            case .stall(let stall, let file):
                stall.act(file, events)
                self.collect(stall)
            }
        }
    }

    // MARK: The end

    private func endAll(_ commands: [SocketQueue.Command]) {
        for command in commands {
            switch command {
            case .open(let opening):
                var line = SocketLine(opening.request, at: .now, using: SocketLine.systemRandom)
                opening.door.shut()
                line.shutDown(using: SocketLine.systemRandom, opening.report)
            case .visit(let id): self.visit(id)
            }
        }
        for socket in Array(self.sockets.values) {
            socket.line.shutDown(using: SocketLine.systemRandom) { socket.tell($0) }
            if socket.canWrite { socket.write(using: SocketLine.systemRandom) }
            self.letGo(socket)
        }
    }
}

extension EasyHandle {
    /// Sets all that libcurl must know to connect and to keep its hands off what comes then.
    fileprivate func applySocket(_ request: SocketRequest, _ configuration: CurlTransport.Configuration) {
        self.applyConnection(to: request.url.http, configuration)
        self.set(CURLOPT_CONNECT_ONLY, 1)
        self.set(CURLOPT_FRESH_CONNECT, 1)
        // Over HTTP/2 a connection is not one's own.
        self.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // A proxy must let the bytes through as they are.
        self.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        self.set(CURLOPT_CONNECTTIMEOUT_MS, RequestForm.milliseconds(request.limits.connect))
        // A server that vanished says nothing: the system asks after it once a minute.
        self.set(CURLOPT_TCP_KEEPALIVE, 1)
        self.set(CURLOPT_TCP_KEEPIDLE, 60)
        self.set(CURLOPT_TCP_KEEPINTVL, 15)
    }
}
