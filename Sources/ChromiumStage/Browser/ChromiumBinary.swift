import LibC

/// A browser on this machine.
public struct ChromiumBinary: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// Whether it is the small one that has no windows.
    public var isHeadlessShell: Bool { self.path.hasSuffix("headless-shell") || self.path.hasSuffix("headless_shell") }

    /// A browser that is known to be there.
    init(path: String) { self.path = path }

    /// Where distributions put the program itself.
    ///
    /// What they put on the PATH is often a script, whose end is not the browser's.
    static let places = [
        "/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium",
        "/usr/lib64/chromium-browser/headless_shell",
        "/usr/lib/chromium-browser/chromium-browser", "/usr/lib64/chromium-browser/chromium-browser",
        "/opt/google/chrome/chrome", "/opt/chromium.org/chromium/chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ]
    /// Scripts that start one of them.
    private static let scripts = [
        "/usr/bin/chromium-headless-shell": "/usr/lib/chromium/chromium-headless-shell",
        "/usr/bin/chromium": "/usr/lib/chromium/chromium",
        "/usr/bin/google-chrome": "/opt/google/chrome/chrome",
        "/usr/bin/google-chrome-stable": "/opt/google/chrome/chrome",
    ]

    /// Finds a browser: the one that is named (as the variable `CHROME` does), or else one at its usual place.
    ///
    /// - Parameters:
    ///   - named: The path of the one that is wanted; nil or empty for any.
    ///   - withWindows: Whether it must be able to open windows.
    /// - Returns: A browser that is there.
    /// - Throws: What is not there, and how to get it.
    public static func find(named: String? = nil, withWindows: Bool = false) throws(ChromiumError) -> ChromiumBinary {
        try self.find(named: named, withWindows: withWindows) { access($0, X_OK) == 0 }
    }

    /// Whether one is there that the surroundings don't deny.
    package static var isInstalled: Bool { (try? self.find(named: Browser.environment()["CHROME"])) != nil }

    static func find(
        named: String?,
        withWindows: Bool,
        isThere: (String) -> Bool
    ) throws(ChromiumError) -> ChromiumBinary {
        if let named, !named.isEmpty {
            // A script's program is taken where it is there.
            let path = self.scripts[named].flatMap { isThere($0) ? $0 : nil } ?? named
            guard isThere(path) else { throw .missing("there is no program \(named), which CHROME names") }
            let binary = ChromiumBinary(path: path)
            if withWindows, binary.isHeadlessShell {
                throw .missing("\(named) can't open windows; install chromium, or set CHROME to one that can")
            }
            return binary
        }
        let found = self.places.lazy.filter(isThere).map(ChromiumBinary.init(path:))
        guard let binary = found.first(where: { !withWindows || !$0.isHeadlessShell }) else {
            let package = withWindows ? "chromium" : "chromium-headless-shell"
            throw .missing("no browser was found; install one (apt-get install \(package)), or set CHROME to its path")
        }
        return binary
    }
}

/// Why there is no browser to show anything in.
public enum ChromiumError: Error, Hashable, Sendable, CustomStringConvertible {
    /// None is installed, or not the one that is wanted.
    case missing(String)
    /// It is there, and does not start.
    case notStarted(String)

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .missing(let message), .notStarted(let message): message
        }
    }
}
