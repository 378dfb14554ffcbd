import ChromiumStage
import LibC
import TestSupport

/// A virtual X11 desktop (Xvfb) for a test.
package struct Desktop {
    private static let program = "/usr/bin/Xvfb"

    /// Whether Xvfb and a browser with windows are installed.
    static var isPossible: Bool {
        let named = getenv("CHROME").map { String(cString: $0) }
        return access(self.program, X_OK) == 0 && (try? ChromiumBinary.find(named: named, withWindows: true)) != nil
    }

    private let server: ChildProcess
    /// The value for `DISPLAY`.
    package let display: String

    /// Starts Xvfb with a free display number; nil if that fails.
    package init?() {
        var number: Int?
        // Xvfb prints its number when it is ready.
        let command = "exec \(Desktop.program) -displayfd 1 -screen 0 1280x1024x24 -ac -nolisten tcp 2>/dev/null"
        let server = ChildProcess(command) { text in
            number = Int(text)
            return number != nil
        }
        guard let server, let number else { return nil }
        self.server = server
        self.display = ":\(number)"
    }

    /// Ends Xvfb.
    package func stop() { self.server.stop() }
}
