import AdCore
import PlayConsole
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

    static func browser(_ probe: BrowserProbe, isRequired: Bool) -> Diagnosis {
        switch probe {
        case .missing(let message):
            let (found, fix) = self.split(message, or: "install Chromium, or set CHROME to the path of a browser")
            return isRequired
                ? .broken("browser", found, fix: fix, .showFailed)
                : .improvable("browser", "\(found); ads are shown as text, and reports have no pictures", fix: fix)
        case .shown(let path, let version, let time):
            return .fine(
                "browser",
                "\(version ?? "browser"), \(path), shows a page with its sandbox in "
                    + Quantity.seconds(time),
                [.init("path", .string(path)), .init("version", .text(version))]
            )
        case .failed(let path, let reason, let worksUnsandboxed):
            let fix = "run it manually to see its errors, or set CHROME to another browser"
            let sandbox = "it works without its sandbox: enable user namespaces, or use --no-sandbox"
            return .broken(
                "browser",
                "\(path) does not show a page: \(reason)",
                fix: worksUnsandboxed ? sandbox : fix,
                .showFailed,
                [.init("path", .string(path))]
            )
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
