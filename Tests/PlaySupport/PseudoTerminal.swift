import LibC
package import PlayConsole
import SystemSupport
import TestSupport

/// A pseudo-terminal, with the command at one end and a test at the other.
package final class PseudoTerminal: Sendable {
    private let master: Int32
    package let slave: Int32
    private let seen = Locked("")

    package init?(columns: UInt16 = 100) {
        guard let (master, slave) = PseudoTerminal.open() else { return nil }
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
        self.master = master
        self.slave = slave
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    private static func open() -> (master: Int32, slave: Int32)? {
        #if canImport(Glibc)
            // glibc's functions for this are not visible to Swift; these are the kernel's ioctls.
            let master = LibC.open("/dev/ptmx", O_RDWR | O_NOCTTY)
            var isLocked: Int32 = 0
            var number: Int32 = 0
            let unlock: UInt = 0x4004_5431
            let nameOf: UInt = 0x8004_5430
            guard master >= 0, ioctl(master, unlock, &isLocked) == 0, ioctl(master, nameOf, &number) == 0 else {
                return nil
            }
            let slave = LibC.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        #else
            let master = posix_openpt(O_RDWR | O_NOCTTY)
            guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
                return nil
            }
            let slave = LibC.open(name, O_RDWR | O_NOCTTY)
        #endif
        return slave < 0 ? nil : (master, slave)
    }

    deinit {
        close(self.slave)
        close(self.master)
    }

    package func console(term: String? = "xterm", noColor: String? = nil, columns: String? = nil) -> ProcessConsole {
        ProcessConsole(
            input: self.slave,
            output: self.slave,
            error: self.slave,
            term: term,
            noColor: noColor,
            columns: columns
        )
    }

    /// Whether the terminal echoes typed text, as it does unless a program changed its mode.
    package var echoes: Bool {
        var mode = termios()
        return tcgetattr(self.slave, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }

    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(self.master, $0.baseAddress, $0.count) }
    }

    /// All output so far.
    package var screen: String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = bytes.withUnsafeMutableBytes { read(self.master, $0.baseAddress, $0.count) }
            guard count > 0 else { return self.seen.withLock { $0 } }
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            self.seen.withLock { $0 += text }
        }
    }

    /// Waits until the output contains a text; false on a timeout.
    package func shows(_ text: String) async -> Bool {
        let deadline = ContinuousClock.now + .timeout(10)
        while ContinuousClock.now < deadline {
            if self.screen.contains(text) { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
