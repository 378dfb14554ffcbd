import LibC
import SystemSupport

/// A TCP proxy in front of a server, whose connections a test can cut at the worst moments.
package final class CuttingProxy: Sendable {
    /// What happens to connections.
    package enum Mode: Sendable {
        /// Everything is passed on.
        case open
        /// Connections are closed, and new ones as soon as they are made.
        case closed
        /// What the client sends arrives, but the answer is lost, and the connection with it.
        case losingAnswers
    }

    /// The port on which it listens.
    package let port: Int
    private let listener: Int32
    private let target: UInt16
    private let mode = Locked(Mode.open)
    private let isStopped = Locked(false)
    /// How many answers were lost.
    private let lost = Locked(0)

    /// Starts a proxy on loopback in front of a port; nil if that fails.
    package init?(to port: Int) {
        self.target = UInt16(port)
        let listener = socket(AF_INET, SocketConstants.stream, 0)
        guard listener >= 0 else { return nil }
        self.listener = listener
        var address = CuttingProxy.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let own: Int? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(listener, generic, length) == 0, listen(listener, 64) == 0,
                    getsockname(listener, generic, &length) == 0
                else { return nil }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
        guard let own else {
            LibC.close(listener)
            return nil
        }
        self.port = own
        _ = DedicatedThread.start("proxy") { self.accept() }
    }

    /// Changes what happens to connections, also to those that are open.
    package func set(_ mode: Mode) { self.mode.withLock { $0 = mode } }

    /// The number of answers that were lost.
    package var lostAnswers: Int { self.lost.withLock { $0 } }

    /// Closes all connections and stops listening.
    package func stop() { self.isStopped.withLock { $0 = true } }

    private func accept() {
        while !self.isStopped.withLock({ $0 }) {
            var waiting = pollfd(fd: self.listener, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 20) > 0 else { continue }
            let client = LibC.accept(self.listener, nil, nil)
            guard client >= 0 else { continue }
            _ = DedicatedThread.start("proxy-pair") { self.pass(client) }
        }
        LibC.close(self.listener)
    }

    private func pass(_ client: Int32) {
        defer { LibC.close(client) }
        if case .closed = self.mode.withLock({ $0 }) { return }
        let server = socket(AF_INET, SocketConstants.stream, 0)
        defer { LibC.close(server) }
        var address = CuttingProxy.loopback(self.target)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { return }
        while !self.isStopped.withLock({ $0 }) {
            var waiting = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, 5) >= 0 else { return }
            let mode = self.mode.withLock { $0 }
            if case .closed = mode { return }
            if waiting[0].revents != 0, !CuttingProxy.copy(client, server) { return }
            guard waiting[1].revents != 0 else { continue }
            if case .losingAnswers = mode {
                self.lost.withLock { $0 += 1 }
                return
            }
            if !CuttingProxy.copy(server, client) { return }
        }
    }

    private static func copy(_ from: Int32, _ to: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return false }
        var sent = 0
        while sent < count {
            let part = buffer[sent..<count].withUnsafeBytes {
                send(to, $0.baseAddress, $0.count, SocketConstants.sendWithoutSignal)
            }
            guard part > 0 else { return false }
            sent += part
        }
        return true
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
