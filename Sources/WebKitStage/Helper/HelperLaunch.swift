import AdCore
import EngineSupport

/// How the helper is started: its arguments and environment.
struct HelperLaunch: Hashable, Sendable {
    let launch: EngineLaunch

    /// Plans a start.
    ///
    /// - Parameters:
    ///   - files: The built helper.
    ///   - options: How WebKit is started and used.
    ///   - screen: The size of the screen, in points.
    ///   - folder: The folder for the helper's files.
    ///   - processEnvironment: The environment of this process, of which little is passed on.
    init(
        _ files: HelperFiles,
        _ options: WebKitOptions,
        screen: Size,
        folder: String,
        processEnvironment: [String: String]
    ) {
        let scale = min(max(1, options.scale), 4)
        let sides = [screen.width, screen.height].map { "\(Int(($0 * Double(scale)).rounded(.up)))" }
        let words = (options.hasWindows ? ["windows"] : []) + (options.isSandboxed ? [] : ["unsandboxed"])
        let arguments = [files.program, folder, files.extensionFolder] + sides + words
        var environment = [
            "PATH": processEnvironment["PATH"] ?? "/usr/bin:/bin", "HOME": folder, "TMPDIR": folder,
            "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": folder, "XDG_CONFIG_HOME": folder, "XDG_CACHE_HOME": folder,
            "XDG_DATA_HOME": folder, "GDK_SCALE": "\(scale)",
            // There is no message bus at this address, so that WebKit does not wait for one.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/dev/null", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/dev/null",
            // No service for assistive technology is started.
            "NO_AT_BRIDGE": "1", "GTK_A11Y": "none",
        ]
        if options.hasWindows {
            for name in ["DISPLAY", "WAYLAND_DISPLAY"] { environment[name] = processEnvironment[name] }
            // The helper has another home folder, where the display's key is not.
            environment["XAUTHORITY"] =
                processEnvironment["XAUTHORITY"] ?? processEnvironment["HOME"].map { $0 + "/.Xauthority" }
        }
        if let zone = processEnvironment["TZ"] { environment["TZ"] = zone }
        self.launch = EngineLaunch(arguments, environment: environment)
    }

    /// What the last error in the log means, with the fix; nil for one of WebKit itself.
    static func explanation(of error: String) -> String? {
        let (own, loader) = ("yabbi-webkit: ", "error while loading shared libraries: ")
        if error.hasPrefix(own) { return "WebKit can't be used: \(error.dropFirst(own.count))" }
        guard let start = error.firstRange(of: loader)?.upperBound else { return nil }
        let library = error[start...].prefix { $0 != ":" }
        return "WebKit can't be used: the library \(library) is missing; install WebKitGTK "
            + "(apt-get install libwebkit2gtk-4.1-0) and build the helper again (make webkit)"
    }

    /// Warnings in the log that are not the reason of a failure.
    static let ignoredErrors = ["Failed to connect to bus", "a11y bus", "WARNING **"]
}
