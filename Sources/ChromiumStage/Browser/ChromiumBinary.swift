import EngineSupport
import LibC

/// An installed browser.
public struct ChromiumBinary: Hashable, Sendable {
    /// The path of the executable.
    public let path: String

    /// Whether it is the headless shell, which has no windows.
    public var isHeadlessShell: Bool { self.path.hasSuffix("headless-shell") || self.path.hasSuffix("headless_shell") }

    /// A browser at an existing path.
    init(path: String) { self.path = path }

    /// The executables' locations on common distributions.
    ///
    /// The commands on the PATH are often wrapper scripts, whose process is not the browser's.
    static let places = [
        "/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium",
        "/usr/lib64/chromium-browser/headless_shell",
        "/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium-browser/chromium-browser",
        "/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ]
    /// Wrapper scripts, and the executables that they start.
    private static let scripts = [
        "/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell",
        "/usr/bin/chromium": "/usr/lib/chromium/chromium",
        "/usr/bin/google-chrome": "/opt/google/chrome/chrome",
        "/usr/bin/google-chrome-stable": "/opt/google/chrome/chrome",
    ]

    /// Finds a browser: at the given path (as in the variable `CHROME`), or else at one of the usual locations.
    ///
    /// - Parameters:
    ///   - named: The path of the browser; nil or empty for any.
    ///   - withWindows: Whether it must be able to open windows.
    /// - Returns: An installed browser.
    /// - Throws: `ChromiumError` if there is none; its description has the way to install one.
    public static func find(named: String? = nil, withWindows: Bool = false) throws(ChromiumError) -> ChromiumBinary {
        try self.find(named: named, withWindows: withWindows) { access($0, X_OK) == 0 }
    }

    /// Whether a browser is installed, or `CHROME` names one.
    package static var isInstalled: Bool { (try? self.find(named: ProcessEnvironment.variables["CHROME"])) != nil }

    static func find(
        named: String?,
        withWindows: Bool,
        exists: (String) -> Bool
    ) throws(ChromiumError) -> ChromiumBinary {
        if let named, !named.isEmpty {
            // A wrapper script stands for its executable, if that exists.
            let path = self.scripts[named].flatMap { exists($0) ? $0 : nil } ?? named
            guard exists(path) else { throw .missing("CHROME names \(named), which is not an executable file") }
            let binary = ChromiumBinary(path: path)
            if withWindows, binary.isHeadlessShell {
                throw .missing("\(named) can't open windows; install chromium, or set CHROME to one that can")
            }
            return binary
        }
        let found = self.places.lazy.filter(exists).map(ChromiumBinary.init(path:))
        guard let binary = found.first(where: { !withWindows || !$0.isHeadlessShell }) else {
            let package = withWindows ? "chromium" : "chromium-headless-shell"
            throw .missing("no browser was found; install one (apt-get install \(package)), or set CHROME to its path")
        }
        return binary
    }
}

/// Why a browser can't be used.
public enum ChromiumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No browser, or not the requested one, is installed.
    case missing(String)
    /// The browser does not start.
    case notStarted(String)

    /// The problem and its fix.
    public var description: String {
        switch self {
        case .missing(let message), .notStarted(let message): message
        }
    }
}
