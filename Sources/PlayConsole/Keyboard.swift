import LibC
import SystemSupport

/// A terminal that gives each key at once and shows none, from `init` to `end`.
final class Keyboard: Sendable {
    private let mode: TerminalMode
    /// Closing this end wakes the thread that reads.
    private let wake: Int32

    /// Takes the terminal over; nil where it can't be had.
    init?(_ terminal: Int32, onKey: @escaping @Sendable (Key) -> Void) {
        guard let mode = TerminalMode(terminal) else { return nil }
        // A terminal that is closed and opened elsewhere meanwhile must not be read by mistake.
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

    /// Gives the terminal back as it was; called once.
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
            // The terminal is gone, and the user with it.
            guard count > 0 else { return onKey(.quit) }
            for key in Key.read(bytes.prefix(count)) { onKey(key) }
        }
    }
}

private func platformRead(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
    bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}

/// How the terminal was before it was taken over, and how it is while it is.
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
        Rescue.set(self.terminal, self.before)
        self.apply(self.during)
    }

    func leave() {
        self.apply(self.before)
        Rescue.clear()
    }

    /// Stops the process as the shell expects of Ctrl-Z, with the terminal as it was.
    func suspend() {
        self.apply(self.before)
        // To this very thread: another might take it later, when the keys are ours again.
        raise(SIGTSTP)
        self.apply(self.during)
    }

    private func apply(_ mode: termios) {
        var mode = mode
        while tcsetattr(self.terminal, TCSANOW, &mode) != 0, errno == EINTR {}
    }
}

/// Gives the terminal back when a signal ends the process in the middle of a show.
private enum Rescue {
    // A signal handler may touch next to nothing: these are written before it is set, and not while it is. The mode has
    // memory of its own, because the compiler gives a global of a C struct with padding at its end too little.
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
                tcsetattr(Rescue.terminal, TCSANOW, Rescue.mode)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func clear() {
        for number in self.signals { signal(number, SIG_DFL) }
    }
}
