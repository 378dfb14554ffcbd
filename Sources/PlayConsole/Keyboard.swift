import LibC
import SystemSupport

/// Reads keys from a terminal without echo and line buffering, from `init` to `end`.
final class Keyboard: Sendable {
    private let mode: TerminalMode
    /// The write end of a pipe.
    ///
    /// Closing it wakes the reading thread.
    private let wake: Int32

    /// Changes the terminal's mode and starts reading; nil if that is not possible.
    init?(_ terminal: Int32, onKey: @escaping @Sendable (Key) -> Void) {
        guard let mode = TerminalMode(terminal) else { return nil }
        // A copy, so that the thread never reads another file that reuses a closed descriptor.
        guard let reading = PrivateDescriptor.copy(of: terminal) else { return nil }
        guard let (waking, wake) = PrivateDescriptor.pipe() else {
            close(reading)
            return nil
        }
        self.mode = mode
        self.wake = wake
        mode.enter()
        let hasStarted = DedicatedThread.start("yabbi-keys") {
            Keyboard.read(reading, waking) { key in
                if key == .suspend { mode.suspend() } else { onKey(key) }
            }
            close(reading)
            close(waking)
        }
        guard hasStarted else {
            mode.leave()
            for descriptor in [reading, waking, self.wake] { close(descriptor) }
            return nil
        }
    }

    /// Restores the terminal.
    ///
    /// Called once.
    func end() {
        self.mode.leave()
        close(self.wake)
    }

    private static func read(_ terminal: Int32, _ wake: Int32, _ onKey: (Key) -> Void) {
        var bytes = [UInt8](repeating: 0, count: 64)
        while true {
            var waiting = [
                pollfd(fd: terminal, events: Int16(POLLIN), revents: 0), pollfd(fd: wake, events: 0, revents: 0),
            ]
            if poll(&waiting, 2, -1) < 0 {
                guard errno == EINTR else { return }
                continue
            }
            guard waiting[1].revents == 0 else { return }
            let count = platformRead(terminal, &bytes)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            // The terminal was closed.
            guard count > 0 else { return onKey(.quit) }
            for key in Key.parse(bytes.prefix(count)) { onKey(key) }
        }
    }
}

private func platformRead(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
    bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}

/// The terminal's original mode, and the mode for reading keys.
private struct TerminalMode: Sendable {
    private let terminal: Int32
    private let before: termios
    private let during: termios

    init?(_ terminal: Int32) {
        var mode = termios()
        guard tcgetattr(terminal, &mode) == 0 else { return nil }
        self.terminal = terminal
        self.before = mode
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        self.during = mode
    }

    func enter() {
        TerminalRestoration.set(self.terminal, self.before)
        self.apply(self.during)
    }

    func leave() {
        self.apply(self.before)
        TerminalRestoration.clear()
    }

    /// Stops the process like Ctrl-Z, with the terminal in its original mode meanwhile.
    func suspend() {
        self.apply(self.before)
        // `raise` signals this thread, so the process stops before the next line.
        raise(SIGTSTP)
        self.apply(self.during)
    }

    private func apply(_ mode: termios) {
        var mode = mode
        while tcsetattr(self.terminal, TCSANOW, &mode) != 0, errno == EINTR {}
    }
}

/// Restores the terminal when a signal ends the process.
private enum TerminalRestoration {
    // Few operations are async-signal-safe, so these are written only while no handler is set. The mode is allocated,
    // because the compiler reserves too little memory for a global of a C struct with trailing padding.
    nonisolated(unsafe) private static var terminal: Int32 = -1
    nonisolated(unsafe) private static let mode: UnsafeMutablePointer<termios> = {
        let mode = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        mode.initialize(to: termios())
        return mode
    }()
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    static func set(_ terminal: Int32, _ mode: termios) {
        self.terminal = terminal
        self.mode.pointee = mode
        for number in self.signals {
            signal(number) { number in
                tcsetattr(TerminalRestoration.terminal, TCSANOW, TerminalRestoration.mode)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func clear() {
        for number in self.signals { signal(number, SIG_DFL) }
    }
}
