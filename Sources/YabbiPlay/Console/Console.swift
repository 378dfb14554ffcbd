import SystemLock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the command prints: results to one place, what went wrong to another.
protocol Console: Sendable {
    /// Prints a line of results.
    func out(_ line: String)
    /// Prints a line of what went wrong.
    func err(_ line: String)
    /// Whether results go to a terminal that may be coloured and redrawn.
    var isLive: Bool { get }
    /// How many columns there are.
    var width: Int { get }
}

/// The process's own standard output and error.
final class ProcessConsole: Console {
    private let lock = Locked(())
    let isLive: Bool

    init() {
        let isPlain = getenv("NO_COLOR") != nil || getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        self.isLive = isatty(STDOUT_FILENO) == 1 && !isPlain
    }

    func out(_ line: String) { self.write(line, to: STDOUT_FILENO) }

    func err(_ line: String) { self.write(line, to: STDERR_FILENO) }

    var width: Int {
        var size = winsize()
        guard self.isLive, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a whole line at once, so that lines of several threads don't mix; a reader that went away is no fault.
    private func write(_ line: String, to descriptor: Int32) {
        let bytes = Array((line + "\n").utf8)
        self.lock.withLock { _ in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    buffer.baseAddress.map { platformWrite(descriptor, $0 + sent, bytes.count - sent) } ?? -1
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
    }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, pointer, count)
}
