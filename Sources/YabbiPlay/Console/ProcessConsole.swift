import SystemLock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The process's own input, output and error.
final class ProcessConsole: Console {
    private let input: Int32
    private let output: Int32
    private let error: Int32
    let isTerminal: Bool
    let isColoured: Bool
    /// What `COLUMNS` says.
    private let columns: Int?
    private let state = Locked(State())

    private struct State {
        /// The line below everything printed, while there is one.
        var status: String?
        /// The first failure to write results.
        var loss: OutputLoss?
    }

    convenience init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        self.init(
            input: input,
            output: output,
            error: error,
            term: ProcessConsole.variable("TERM"),
            noColour: ProcessConsole.variable("NO_COLOR"),
            columns: ProcessConsole.variable("COLUMNS")
        )
    }

    init(input: Int32, output: Int32, error: Int32, term: String?, noColour: String?, columns: String? = nil) {
        self.input = input
        self.output = output
        self.error = error
        self.isTerminal = isatty(output) == 1 && term != nil && term != "dumb"
        self.isColoured = self.isTerminal && (noColour ?? "").isEmpty
        self.columns = columns.flatMap { Int($0) }.flatMap { (10...10_000).contains($0) ? $0 : nil }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    func out(_ line: String) { self.write(line, to: self.output) }

    func err(_ line: String) { self.write(line, to: self.error) }

    var loss: OutputLoss? { self.state.withLock { $0.loss } }

    var width: Int { self.knownWidth ?? 80 }

    /// Lines that are longer than this are hard to read, however wide the terminal is.
    private static let longestLine = 100

    var proseWidth: Int? { self.knownWidth.map { min($0, ProcessConsole.longestLine) } }

    /// The terminal's columns, or fewer where `COLUMNS` says so; where there is no terminal, what that says.
    private var knownWidth: Int? {
        var size = winsize()
        guard self.isTerminal, ioctl(self.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return self.columns
        }
        return min(Int(size.ws_col), self.columns ?? .max)
    }

    func converse(_ onKey: @escaping @Sendable (Key) -> Void) -> (any Conversation)? {
        guard self.isTerminal, isatty(self.input) == 1, self.isInForeground else { return nil }
        return Keyboard(self.input, onKey: onKey).map { TerminalConversation(self, $0) }
    }

    /// A command in the background must not touch the terminal; one without job control may.
    private var isInForeground: Bool {
        let foreground = tcgetpgrp(self.input)
        return foreground == -1 || foreground == getpgrp()
    }

    fileprivate func show(_ status: String?) {
        let line = status.map { Style.cut($0, to: max(1, self.width - 1)) }
        self.state.withLock { state in
            guard state.status != line else { return }
            let old = state.status
            state.status = line
            self.send((old == nil ? "" : ProcessConsole.erase) + (line ?? ""), to: self.output, &state)
        }
    }

    private static let erase = "\r\u{1B}[2K"

    /// Writes a whole line at once, so that lines of several threads don't mix.
    private func write(_ line: String, to descriptor: Int32) {
        self.state.withLock { state in
            if state.status != nil { self.send(ProcessConsole.erase, to: self.output, &state) }
            self.send(line + "\n", to: descriptor, &state)
            if let status = state.status { self.send(status, to: self.output, &state) }
        }
    }

    /// Sends it all, or remembers why results can't be sent; nothing more is tried then.
    private func send(_ text: String, to descriptor: Int32, _ state: inout State) {
        // What goes wrong with the errors' own way out can't be told to anybody.
        let isResult = descriptor == self.output
        guard !isResult || state.loss == nil else { return }
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { platformWrite(descriptor, $0 + sent, bytes.count - sent) } ?? -1
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Somebody else has made the way out one that does not wait.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
                continue
            }
            guard count > 0 else {
                if isResult { state.loss = errno == EPIPE ? .readerGone : .failed(String(cString: strerror(errno))) }
                return
            }
            sent += count
        }
    }
}

/// A status line below what is printed, and the keys.
private final class TerminalConversation: Conversation {
    private let console: ProcessConsole
    private let keyboard: Keyboard

    init(_ console: ProcessConsole, _ keyboard: Keyboard) {
        self.console = console
        self.keyboard = keyboard
    }

    func status(_ line: String) { self.console.show(line) }

    func end() {
        self.console.show(nil)
        self.keyboard.end()
    }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, pointer, count)
}
