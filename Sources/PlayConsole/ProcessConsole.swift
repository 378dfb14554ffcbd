import LibC
import SystemSupport

/// The standard input, output and error of the process.
package final class ProcessConsole: Console {
    private let input: Int32
    private let output: Int32
    private let error: Int32
    package let isTerminal: Bool
    /// The terminal of the status line; nil if there is none, or if the output is piped to another program, which may
    /// write to the same terminal.
    private let statusTerminal: Int32?
    /// Those of output and error that are terminals.
    private let terminals: [Int32]
    package let isColored: Bool
    /// The value of `COLUMNS`.
    private let columns: Int?
    private let state = Locked(State())

    private struct State {
        /// The status line, while there is one.
        var status: String?
        /// Whether the keyboard is in use, so the status line belongs to an ad or session.
        var isInteractive = false
        /// The first failure to write results.
        var loss: OutputLoss?
    }

    package convenience init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        self.init(
            input: input,
            output: output,
            error: error,
            term: ProcessConsole.variable("TERM"),
            noColor: ProcessConsole.variable("NO_COLOR"),
            columns: ProcessConsole.variable("COLUMNS")
        )
    }

    package init(input: Int32, output: Int32, error: Int32, term: String?, noColor: String?, columns: String? = nil) {
        self.input = input
        self.output = output
        self.error = error
        let isCapable = term != nil && term != "dumb"
        self.isTerminal = isatty(output) == 1 && isCapable
        self.terminals = [output, error].filter { isatty($0) == 1 }
        let isErrorUsable = isCapable && isatty(error) == 1 && ProcessConsole.isFile(output)
        self.statusTerminal = self.isTerminal ? output : isErrorUsable ? error : nil
        self.isColored = self.isTerminal && (noColor ?? "").isEmpty
        self.columns = columns.flatMap { Int($0) }.flatMap { (10...10_000).contains($0) ? $0 : nil }
    }

    /// Whether the output is a file or a device, and not a pipe.
    private static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFREG, S_IFCHR].contains(status.st_mode & S_IFMT)
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    package func out(_ line: String) { self.write(line, to: self.output) }

    package func err(_ line: String) { self.write(line, to: self.error) }

    package var loss: OutputLoss? { self.state.withLock { $0.loss } }

    package var width: Int { self.knownWidth ?? 80 }

    package var showsProgress: Bool { self.statusTerminal.map(self.isInForeground) ?? false }

    package func showProgress(_ line: String?) { self.show(line, isInteractive: false) }

    /// The maximum width of prose, for readability.
    private static let maxProseWidth = 100

    package var proseWidth: Int? { self.knownWidth.map { min($0, ProcessConsole.maxProseWidth) } }

    /// The terminal's columns, limited by `COLUMNS`.
    ///
    /// Without a terminal, the value of `COLUMNS`.
    private var knownWidth: Int? { self.width(of: self.isTerminal ? self.output : nil) }

    private func width(of terminal: Int32?) -> Int? {
        var size = winsize()
        guard let terminal, ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return self.columns }
        return min(Int(size.ws_col), self.columns ?? .max)
    }

    package func startInteraction(onKey: @escaping @Sendable (Key) -> Void) -> (any Interaction)? {
        guard self.isTerminal, isatty(self.input) == 1, self.isInForeground(self.input) else { return nil }
        guard let keyboard = Keyboard(self.input, onKey: onKey) else { return nil }
        self.state.withLock { $0.isInteractive = true }
        return TerminalInteraction(self, keyboard)
    }

    /// Whether the process may use the terminal: it is in the foreground, or there is no job control.
    private func isInForeground(_ terminal: Int32) -> Bool {
        let foreground = tcgetpgrp(terminal)
        return foreground == -1 || foreground == getpgrp()
    }

    /// Shows a status line.
    ///
    /// During an interaction, progress is not shown.
    fileprivate func show(_ status: String?, isInteractive: Bool) {
        guard let terminal = self.statusTerminal else { return }
        let line = status.map { Style.cut($0, to: max(1, (self.width(of: terminal) ?? 80) - 1)) }
        self.state.withLock { state in
            guard isInteractive || !state.isInteractive, state.status != line else { return }
            let old = state.status
            state.status = line
            self.send((old == nil ? "" : ProcessConsole.erase) + (line ?? ""), to: terminal, &state)
        }
    }

    fileprivate func endInteraction() {
        self.show(nil, isInteractive: true)
        self.state.withLock { $0.isInteractive = false }
    }

    private static let erase = "\r\u{1B}[2K"

    /// Writes a whole line at once, so that lines of several threads don't mix.
    private func write(_ line: String, to descriptor: Int32) {
        self.state.withLock { state in
            // Output that does not go to a terminal leaves the status line as it is.
            guard let terminal = self.statusTerminal, let status = state.status, self.terminals.contains(descriptor)
            else { return self.send(line + "\n", to: descriptor, &state) }
            self.send(ProcessConsole.erase, to: terminal, &state)
            self.send(line + "\n", to: descriptor, &state)
            self.send(status, to: terminal, &state)
        }
    }

    /// Writes the whole text.
    ///
    /// After the first failure to write results, nothing more is written to the output.
    private func send(_ text: String, to descriptor: Int32, _ state: inout State) {
        // A failure to write to the standard error can't be reported.
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
                // The descriptor is non-blocking, for example because another process changed it.
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

/// The status line and keyboard of a terminal.
private final class TerminalInteraction: Interaction {
    private let console: ProcessConsole
    private let keyboard: Keyboard

    package init(_ console: ProcessConsole, _ keyboard: Keyboard) {
        self.console = console
        self.keyboard = keyboard
    }

    func status(_ line: String) { self.console.show(line, isInteractive: true) }

    func end() {
        self.console.endInteraction()
        self.keyboard.end()
    }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, pointer, count)
}
