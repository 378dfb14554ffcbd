import SystemSupport

/// Shows on a terminal how far long work is, until `end`.
///
/// It is drawn ten times a second at most, however fast the work goes.
package final class Progress: Sendable {
    private struct State {
        var line: ProgressLine
        var isOver = false
    }

    private static let interval = Duration.milliseconds(100)

    private let console: any Console
    private let style: Style
    private let state: Locked<State>

    /// Starts to show it; nil without a terminal, or where programs read the output.
    package init?(_ line: ProgressLine, on console: any Console, isSilent: Bool) {
        guard !isSilent, console.showsProgress else { return nil }
        self.console = console
        self.style = Style(isColoured: console.isColoured)
        self.state = Locked(State(line: line))
        self.draw()
        Task { [weak self] in
            while (try? await Task.sleep(for: Progress.interval)) != nil {
                guard let self, self.draw() else { return }
            }
        }
    }

    /// One more, and what it is called.
    package func step(_ name: String? = nil) { self.state.withLock { $0.line.step(name) } }

    /// Takes the line away; called whatever became of the work.
    package func end() {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            self.console.showProgress(nil)
        }
    }

    /// Draws the line as it is now; false when it is over.
    @discardableResult
    private func draw() -> Bool {
        self.state.withLock { state in
            // Drawn under the lock: a line must not come after the end.
            if !state.isOver { self.console.showProgress(state.line.text(self.style)) }
            return !state.isOver
        }
    }
}
