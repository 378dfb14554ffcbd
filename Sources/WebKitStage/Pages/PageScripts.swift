import AdCore
import WebStage

/// The scripts by which pages report what other engines report by themselves.
enum PageScripts {
    /// The channel of `page.js`.
    static let channel = "__yabbi_page"
    /// The channel of `console.js`, which runs in the page's own world.
    static let consoleChannel = "__yabbi_console"

    /// What runs first in every document.
    static let setup = [
        "channel", "host", channel, "script", "host", withWindows(PackageResources.page_js),
        "channel", "page", consoleChannel, "script", "page", withWindows(PackageResources.console_js),
    ]

    /// The script that sets what a creative can read of the device.
    static func device(_ device: EngineDevice?, screen: Size) -> String {
        let touches = device?.hasTouch ?? true ? 5 : 0
        let values: AdJSON = [
            "platform": device?.navigatorPlatform.map(AdJSON.string) ?? .null,
            "language": device?.locale.map(AdJSON.string) ?? .null, "touches": .int(touches),
        ]
        let size = AdJSON.array([screen.width, screen.height].map { .int(Int($0.rounded())) })
        return self.text(PackageResources.device_js).replacing(
            "(SCREEN, DEVICE)",
            with: "(\(size.text()), \(values.text()))"
        )
    }

    /// A script with the functions that it shares with others.
    private static func withWindows(_ script: [UInt8]) -> String {
        self.text(script).replacing("WINDOWS", with: self.text(PackageResources.windows_js))
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The events of a message of `page.js`.
    static func events(_ message: AdJSON, _ frame: FrameTargets.Frame?, called id: String, isMain: Bool) -> [EngineEvent
        .Kind]
    {
        guard let frame else { return [] }
        let load = frame.load ?? ""
        switch message["k"]?.string {
        case "parsed": return [.parsed(frame: id, load: load)]
        case "load":
            return [.loaded(frame: id, load: load), .loadingStopped(frame: id)] + (isMain ? [.pageLoaded] : [])
        case "window":
            let url = message["url"]?.string ?? ""
            return [.windowRequested(url: url, frame: id, gesture: message["gesture"] == true)]
        default: return []
        }
    }

    /// The address of a window that WebKit's console says it has not opened; nil for another text.
    static func blockedWindow(_ text: String) -> String? {
        guard let start = text.firstRange(of: "Blocked opening '"), start.lowerBound == text.startIndex,
            let end = text.firstRange(of: "' in a new window")
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// The error of an entry of WebKit's console about a script, with the place that the frame's script was told of.
    ///
    /// Nil for an entry about something else, for a rejected promise, which `console.js` reports, and for a script of
    /// the stage.
    static func error(_ report: WireMessage, toldOf failing: FailingScript?) -> ScriptError? {
        let (text, url) = (report.text(2), report.text(3))
        // An error during the report of another one, as in `TypeError: x is not a function`, has no event.
        let isNested = text.prefix(100).firstRange(of: "Error: ").map { end in
            text[..<end.lowerBound].allSatisfy(\.isLetter)
        }
        guard failing != nil || isNested == true, !text.hasPrefix("Unhandled Promise Rejection"), url != "yabbi:script"
        else { return nil }
        var place: AdJSON = ["url": .string(url), "line": .int(report.integer(4)), "text": .string("Uncaught \(text)")]
        if let told = failing?.place, (told["line"]?.number ?? 0) > 0 {
            place = [
                "url": told["url"] ?? .null, "line": told["line"] ?? .null, "column": told["column"] ?? .null,
                "text": .string("Uncaught \(text)"),
            ]
        }
        return self.error(place)
    }

    /// The event of a message of `console.js`.
    static func consoleEvent(_ payload: String) -> EngineEvent.Kind? {
        guard let message = try? AdJSON(parsing: payload) else { return nil }
        switch message["k"]?.string {
        case "console":
            let name = message["level"]?.string ?? "log"
            let level = ConsoleMessage.Level(rawValue: name) ?? .log
            return .console(level, self.error(message, prefix: level == .error ? "console.error: " : ""))
        case "error": return .scriptError(self.error(message))
        // The page can forge this: the stage knows by itself whether it had a user's gesture.
        case "window": return .windowRequested(url: message["url"]?.string ?? "", frame: nil, gesture: nil)
        default: return nil
        }
    }

    private static func error(_ message: AdJSON, prefix: String = "") -> ScriptError {
        func number(_ name: String) -> Int? { message[name]?.number.flatMap(Int.init(exactly:)) }
        let text = (message["text"]?.string ?? "").prefix(2_000).prefix { $0 != "\n" }
        // WebKit counts from 1, and the stage expects places that count from 0.
        return ScriptError(
            reported: prefix + text,
            url: message["url"]?.string ?? "",
            line: number("line").map { $0 - 1 },
            column: number("column").map { $0 - 1 }
        )
    }
}
