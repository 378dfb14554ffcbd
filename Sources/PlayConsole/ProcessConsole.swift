import LibC
import SystemSupport

/// The process's own input, output and error.
package final class ProcessConsole: Console {
    private let input: Int32
    private let output: Int32
    private let error: Int32
    package let isTerminal: Bool
    /// The terminal that a line below everything printed goes to; nil where there is none, or what is printed goes on
    /// to another program, whose output it would spoil.
    private let statusPlace: Int32?
    /// Which of the two ways out are terminals.
    private let terminals: [Int32]
    package let isColoured: Bool
    /// What `COLUMNS` says.
    private let columns: Int?
    private let state = Locked(State())

    private struct State {
        /// The line below everything printed, while there is one.
        var status: String?
        /// Whether the line is a conversation's.
        var isConversing = false
        /// The first failure to write results.
        var loss: OutputLoss?
    }

    package convenience init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, error: Int32 = STDERR_FILENO) {
        self.init(
            input: input,
            output: output,
            error: error,
            term: ProcessConsole.variable("TERM"),
            noColour: ProcessConsole.variable("NO_COLOR"),
            columns: ProcessConsole.variable("COLUMNS")
        )
    }

    package init(input: Int32, output: Int32, error: Int32, term: String?, noColour: String?, columns: String? = nil) {
        self.input = input
        self.output = output
        self.error = error
        let isCapable = term != nil && term != "dumb"
        self.isTerminal = isatty(output) == 1 && isCapable
        self.terminals = [output, error].filter { isatty($0) == 1 }
        let isErrorFree = isCapable && isatty(error) == 1 && ProcessConsole.isFile(output)
        self.statusPlace = self.isTerminal ? output : isErrorFree ? error : nil
        self.isColoured = self.isTerminal && (noColour ?? "").isEmpty
        self.columns = columns.flatMap { Int($0) }.flatMap { (10...10_000).contains($0) ? $0 : nil }
    }

    /// Whether the output ends in a file or a null device, and is no program's input.
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

    package var showsProgress: Bool { self.statusPlace.map(self.isInForeground) ?? false }

    package func showProgress(_ line: String?) { self.show(line, inConversation: false) }

    /// Lines that are longer than this are hard to read, however wide the terminal is.
    private static let longestLine = 100

    package var proseWidth: Int? { self.knownWidth.map { min($0, ProcessConsole.longestLine) } }

    /// The terminal's columns, or fewer where `COLUMNS` says so; where there is no terminal, what that says.
    private var knownWidth: Int? { self.width(of: self.isTerminal ? self.output : nil) }

    private func width(of terminal: Int32?) -> Int? {
        var size = winsize()
        guard let terminal, ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return self.columns }
        return min(Int(size.ws_col), self.columns ?? .max)
    }

    package func converse(_ onKey: @escaping @Sendable (Key) -> Void) -> (any Conversation)? {
        guard self.isTerminal, isatty(self.input) == 1, self.isInForeground(self.input) else { return nil }
        guard let keyboard = Keyboard(self.input, onKey: onKey) else { return nil }
        self.state.withLock { $0.isConversing = true }
        return TerminalConversation(self, keyboard)
    }

    /// A command in the background must not touch the terminal; one without job control may.
    private func isInForeground(_ terminal: Int32) -> Bool {
        let foreground = tcgetpgrp(terminal)
        return foreground == -1 || foreground == getpgrp()
    }

    /// Shows a line below everything printed; one that counts gives way to a conversation.
    fileprivate func show(_ status: String?, inConversation: Bool) {
        guard let place = self.statusPlace else { return }
        let line = status.map { Style.cut($0, to: max(1, (self.width(of: place) ?? 80) - 1)) }
        self.state.withLock { state in
            guard inConversation || !state.isConversing, state.status != line else { return }
            let old = state.status
            state.status = line
            self.send((old == nil ? "" : ProcessConsole.erase) + (line ?? ""), to: place, &state)
        }
    }

    fileprivate func endConversation() {
        self.show(nil, inConversation: true)
        self.state.withLock { $0.isConversing = false }
    }

    private static let erase = "\r\u{1B}[2K"

    /// Writes a whole line at once, so that lines of several threads don't mix.
    private func write(_ line: String, to descriptor: Int32) {
        self.state.withLock { state in
            // What goes elsewhere does not touch the line.
            guard let place = self.statusPlace, let status = state.status, self.terminals.contains(descriptor) else {
                return self.send(line + "\n", to: descriptor, &state)
            }
            self.send(ProcessConsole.erase, to: place, &state)
            self.send(line + "\n", to: descriptor, &state)
            self.send(status, to: place, &state)
        }
    }

    /// Sends it all, or remembers why results can't be sent; nothing more is tried then.
    private func send(_ text: String, to descriptor: Int32, _ state: inout State) {
        // A failure to write to the standard error can be reported nowhere.
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
                // Another process has made the descriptor non-blocking.
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

    package init(_ console: ProcessConsole, _ keyboard: Keyboard) {
        self.console = console
        self.keyboard = keyboard
    }

    func status(_ line: String) { self.console.show(line, inConversation: true) }

    func end() {
        self.console.endConversation()
        self.keyboard.end()
    }
}

private func platformWrite(_ descriptor: Int32, _ pointer: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, pointer, count)
}
