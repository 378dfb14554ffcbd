import SystemSupport

/// A progress line on a terminal, from `init` to `end`.
///
/// It is drawn at most ten times per second.
package final class Progress: Sendable {
    private struct State {
        var line: ProgressLine
        var isOver = false
    }

    private static let interval = Duration.milliseconds(100)

    private let console: any Console
    private let style: Style
    private let state: Locked<State>

    /// Shows the line; nil without a terminal, or if `isSilent`.
    package init?(_ line: ProgressLine, on console: any Console, isSilent: Bool) {
        guard !isSilent, console.showsProgress else { return nil }
        self.console = console
        self.style = Style(isColored: console.isColored)
        self.state = Locked(State(line: line))
        self.draw()
        Task { [weak self] in
            while (try? await Task.sleep(for: Progress.interval)) != nil {
                guard let self, self.draw() else { return }
            }
        }
    }

    /// Counts one more item, and shows its name.
    package func step(_ name: String? = nil) { self.state.withLock { $0.line.step(name) } }

    /// Removes the line.
    package func end() {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            self.console.showProgress(nil)
        }
    }

    /// Draws the line; false after `end`.
    @discardableResult
    private func draw() -> Bool {
        self.state.withLock { state in
            // Drawn under the lock, so that no line is drawn after `end`.
            if !state.isOver { self.console.showProgress(state.line.text(self.style)) }
            return !state.isOver
        }
    }
}
