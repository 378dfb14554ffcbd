import LibC
import SystemSupport
import TestSupport

/// A tracker as an independent accountant: counts how often each key has arrived, and misbehaves by a seed.
final class Tracker: Sendable {
    /// The port, on every address of 127.0.0.0/8.
    let port: Int
    private let listener: Int32
    private let counts = Locked<[String: Int]>([:])
    private let isStopped = Locked(false)
    private let random: Locked<TestRandom>

    init?(seed: UInt64, threads: Int = 8) {
        let listener = socket(AF_INET, SocketConstants.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port: Int? = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(listener, generic, length) == 0, listen(listener, 512) == 0,
                    getsockname(listener, generic, &length) == 0
                else { return nil }
                return Int(UInt16(bigEndian: pointer.pointee.sin_port))
            }
        }
        guard let port else { return nil }
        self.port = port
        self.listener = listener
        self.random = Locked(TestRandom(seed: seed))
        for _ in 0..<threads { _ = DedicatedThread.start("tracker") { self.serve() } }
    }

    /// How often each key was counted.
    var counted: [String: Int] { self.counts.withLock { $0 } }

    func stop() { self.isStopped.withLock { $0 = true } }

    private func serve() {
        while !self.isStopped.withLock({ $0 }) {
            var waiting = pollfd(fd: self.listener, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            let client = accept(self.listener, nil, nil)
            guard client >= 0 else { continue }
            self.answer(client)
            close(client)
        }
    }

    private func answer(_ client: Int32) {
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = read(client, &buffer, buffer.count)
            guard count > 0 else { return }
            request += buffer[..<count]
        }
        let lines = String(decoding: request, as: UTF8.self).split(separator: "\r\n")
        guard let key = lines.first(where: { $0.lowercased().hasPrefix("idempotency-key: ") })?.dropFirst(17) else {
            return
        }
        let bits = self.random.withLock { $0.next() }
        switch bits % 2_000 {
        // Refused without being counted: it is sent again.
        case 0..<40: return self.send("503 Service Unavailable", to: client)
        case 40..<60: usleep(20_000)
        default: break
        }
        self.counts.withLock { $0[String(key), default: 0] += 1 }
        // Counted, and the answer is lost.
        if bits % 50_000 == 777 { return }
        self.send("204 No Content", to: client)
    }

    private func send(_ status: String, to client: Int32) {
        let text = Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        _ = LibC.send(client, text, text.count, SocketConstants.sendWithoutSignal)
    }
}
