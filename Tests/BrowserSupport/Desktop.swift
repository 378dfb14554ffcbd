import ChromiumStage
import LibC
import TestSupport

/// A desktop that nobody sees, for as long as a test needs it.
package struct Desktop {
    private static let program = "/usr/bin/Xvfb"

    /// Whether there is one, and a browser that opens windows.
    static var isPossible: Bool {
        let named = getenv("CHROME").map { String(cString: $0) }
        return access(self.program, X_OK) == 0 && (try? ChromiumBinary.find(named: named, withWindows: true)) != nil
    }

    private let server: ChildProcess
    /// What `DISPLAY` says of it.
    package let display: String

    /// Starts one under a number that is free; nil where it does not start.
    package init?() {
        var number: Int?
        // It says its number when it can be used.
        let command = "exec \(Desktop.program) -displayfd 1 -screen 0 1280x1024x24 -ac -nolisten tcp 2>/dev/null"
        let server = ChildProcess(command) { text in
            number = Int(text)
            return number != nil
        }
        guard let server, let number else { return nil }
        self.server = server
        self.display = ":\(number)"
    }

    /// Ends it.
    package func stop() { self.server.stop() }
}
