import AdCore
import CLibcurl

/// One connection as the loop carries it: its life, its handle, and the bytes on their way out.
final class CarriedSocket {
    let door: SocketDoor
    let isSecure: Bool
    let easy: EasyHandle
    let stall: MultiHandleShard
    var line: SocketLine
    /// The connection's own socket and its place in the watch, as soon as it is connected.
    var socket: (file: curl_socket_t, place: Int)?
    /// Whether it waits until it can write.
    var waitsToWrite = false
    /// Whether there may be more to read although the system does not say so.
    var isHungry = false

    /// Who is told; nobody any more once the end was told.
    private var report: (@Sendable (SocketEvent) -> Void)?
    /// Why nothing can be sent any more; what the other side said before may still be here to be read.
    private var mute: String?
    /// What is being sent.
    ///
    /// TLS wants to see the very same bytes at the very same place again, where it could not send them at once.
    private var chunk: UnsafeMutableRawBufferPointer?
    private var filled = 0
    private var gone = 0

    /// The most bytes that are sent in one piece.
    private static let largestChunk = 64 << 10
    /// The most bytes that are read in one go before the others have their turn.
    private static let mostInOneGo = 64 << 10

    init(_ opening: SocketOpening, _ line: SocketLine, on easy: EasyHandle, in stall: MultiHandleShard) {
        self.door = opening.door
        self.isSecure = opening.request.url.http.isSecure
        self.report = opening.report
        self.line = line
        self.easy = easy
        self.stall = stall
    }

    deinit { self.chunk?.deallocate() }

    /// How a step ended.
    enum Step {
        /// There is nothing more to do for now.
        case done
        /// There may be more, but the others have their turn first.
        case more
        /// The connection is gone; in libcurl's words.
        case broken(String)
    }

    /// Tells the program, which hears no more than the end once it has ended the connection itself.
    func tell(_ event: SocketEvent) {
        let report = self.report
        switch event {
        case .opened, .text, .binary, .passingOver, .passedOver:
            guard self.door.isWanted else { return }
            if event == .opened { self.door.open() }
        case .closed:
            self.door.shut()
            self.report = nil
        }
        report?(event)
    }

    /// Whether something is to be sent, and can be.
    var canWrite: Bool {
        self.socket != nil && self.mute == nil && !self.waitsToWrite && self.line.hasOutgoing
    }

    /// Sends as much as the other side takes.
    func write(using random: SocketLine.Random) {
        self.waitsToWrite = false
        guard self.mute == nil else { return }
        while self.gone < self.filled || self.line.hasOutgoing {
            if self.gone == self.filled { self.refill() }
            guard let chunk else { return }
            var count = 0
            let rest = UnsafeRawBufferPointer(rebasing: chunk[self.gone..<self.filled])
            let code = curl_easy_send(self.easy.raw, rest.baseAddress, rest.count, &count)
            if code == CURLE_AGAIN || (code == CURLE_OK && count == 0) {
                self.waitsToWrite = true
                return
            }
            guard code == CURLE_OK else {
                self.mute = self.words(code)
                break
            }
            self.gone += count
            self.line.sent(count, using: random)
        }
        self.chunk?.deallocate()
        self.chunk = nil
        (self.filled, self.gone) = (0, 0)
    }

    private func refill() {
        let size = min(CarriedSocket.largestChunk, self.line.unsent)
        if self.chunk.map({ $0.count < size }) ?? true {
            self.chunk?.deallocate()
            self.chunk = .allocate(byteCount: size, alignment: 1)
        }
        self.gone = 0
        self.filled = self.chunk.map { self.line.give(into: $0) } ?? 0
    }

    /// Reads what is here, within bounds.
    func read(
        through buffer: UnsafeMutableRawBufferPointer,
        at now: ContinuousClock.Instant,
        using random: SocketLine.Random
    ) -> Step {
        var left = CarriedSocket.mostInOneGo
        while left > 0 {
            var count = 0
            let code = curl_easy_recv(self.easy.raw, buffer.baseAddress, buffer.count, &count)
            if code == CURLE_AGAIN { return self.mute.map { .broken($0) } ?? .done }
            guard code == CURLE_OK else { return .broken(self.words(code)) }
            guard count > 0 else { return .broken("") }
            left -= count
            self.line.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now, using: random) {
                self.tell($0)
            }
            // What has to be answered is answered before the next bytes can say that the other side has gone.
            if self.canWrite { self.write(using: random) }
            if self.line.isOver { return .done }
            // Without TLS nothing is held back: whatever comes later makes the socket readable again.
            if !self.isSecure, self.mute == nil, count < buffer.count { return .done }
        }
        return .more
    }

    /// Whether it must be read because nothing can be sent any more.
    var isMute: Bool { self.mute != nil }

    private func words(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}
