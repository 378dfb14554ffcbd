import AdCore
import PlayConsole
import PlayStages
import PlayText

/// The result of showing a page in a browser.
enum BrowserProbe: Equatable, Sendable {
    /// No browser was found, with the error.
    case missing(String)
    case shown(path: String, version: String?, after: Duration)
    /// The browser did not show the page.
    case failed(path: String, reason: String, worksUnsandboxed: Bool)
}

/// The diagnoses of the stages.
extension Diagnosis {
    static func terminal(isThere: Bool, width: Int) -> Diagnosis {
        .fine(
            "terminal",
            isThere
                ? "interactive, \(width) columns"
                : "output is not a terminal; ads are shown as text, without keys"
        )
    }

    /// Whether a browser shows a page; one that is not required may be missing.
    static func browser(
        _ probe: BrowserProbe,
        _ engine: BrowserEngineKind = .chromium,
        isRequired: Bool
    ) -> Diagnosis {
        let check = engine == .chromium ? "browser" : engine.rawValue
        switch probe {
        case .missing(let message):
            let (found, fix) = self.split(message, or: "install Chromium, or set CHROME to the path of a browser")
            return isRequired
                ? .broken(check, found, fix: fix, .showFailed)
                : .improvable(check, "\(found); \(self.consequence(ofMissing: engine))", fix: fix)
        case .shown(let path, let version, let time):
            return .fine(
                check,
                "\(version ?? "browser"), \(path), shows a page with its sandbox in "
                    + Quantity.seconds(time),
                [.init("path", .string(path)), .init("version", .text(version))]
            )
        case .failed(let path, let reason, let worksUnsandboxed):
            let sandbox = "it works without its sandbox: enable user namespaces, or use --no-sandbox"
            return .broken(
                check,
                "\(path) does not show a page: \(reason)",
                fix: worksUnsandboxed ? sandbox : self.fix(ofFailed: engine),
                .showFailed,
                [.init("path", .string(path))]
            )
        }
    }

    private static func consequence(ofMissing engine: BrowserEngineKind) -> String {
        switch engine {
        case .chromium: "ads are shown as text, and reports have no pictures"
        case .webKit: "only --stage webkit needs it"
        }
    }

    private static func fix(ofFailed engine: BrowserEngineKind) -> String {
        switch engine {
        case .chromium: "run it manually to see its errors, or set CHROME to another browser"
        case .webKit: "build it again (make webkit), or set YABBI_WEBKIT to another helper"
        }
    }

    /// Whether `--headful` can open a window, with the path of the browser.
    static func window(_ browser: Result<String, ProbeFailure>) -> Diagnosis {
        switch browser {
        case .success(let path): return .fine("window", "--headful uses \(path)")
        case .failure(let failure):
            let (found, fix) = self.split(failure.message, or: "only --headful needs a window")
            return .improvable("window", found, fix: fix)
        }
    }
}

/// Why a probe failed.
struct ProbeFailure: Error, Equatable, Sendable {
    let message: String
}
