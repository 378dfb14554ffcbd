import AdCore
import PlayConsole
import PlayReport

/// What became of the attempt to show a page in a browser.
enum BrowserProbe: Equatable, Sendable {
    /// There is none to try, and why.
    case missing(String)
    /// It has started, and has shown a page.
    case shown(path: String, version: String?, after: Duration)
    /// It does not show anything, why, and whether it does without its own sandbox.
    case failed(path: String, why: String, worksUnsandboxed: Bool)
}

/// The diagnoses of the stages.
extension Diagnosis {
    static func terminal(isThere: Bool, width: Int) -> Diagnosis {
        .fine(
            "terminal",
            isThere
                ? "the terminal stage shows everything as text, here in \(width) columns, and takes keys"
                : "the terminal stage shows everything as text; here is no terminal, so that nobody is asked for keys"
        )
    }

    static func browser(_ trial: BrowserProbe, isAskedFor: Bool) -> Diagnosis {
        switch trial {
        case .missing(let message):
            let (found, cure) = self.parted(message, or: "set CHROME to the path of a browser, or to nothing")
            return isAskedFor
                ? .broken("browser", found, cure: cure, .showFailed)
                : .improvable("browser", "\(found); ads are shown as text, reports have no pictures", cure: cure)
        case .shown(let path, let version, let time):
            return .fine(
                "browser",
                "\(version ?? "a browser"), \(path), starts with its sandbox and shows a page in "
                    + Quantity.seconds(time),
                [.init("path", .string(path)), .init("version", .text(version))]
            )
        case .failed(let path, let why, let worksUnsandboxed):
            let cure = "start it by hand to see what it lacks, or set CHROME to another one"
            let sandbox =
                "it works without its sandbox: let the system give it user namespaces, or run show with --no-sandbox"
            return .broken(
                "browser",
                "\(path) is there and shows nothing: \(why)",
                cure: worksUnsandboxed ? sandbox : cure,
                .showFailed,
                [.init("path", .string(path))]
            )
        }
    }

    /// Whether a window can be opened: the browser that would do it, or why not.
    static func window(_ browser: Result<String, DoctorFault>) -> Diagnosis {
        switch browser {
        case .success(let path): return .fine("window", "--headful can open one, by \(path)")
        case .failure(let fault):
            let (found, cure) = self.parted(fault.message, or: "only --headful needs one")
            return .improvable("window", found, cure: cure)
        }
    }
}

/// Why something that was tried did not work.
struct DoctorFault: Error, Equatable, Sendable {
    let message: String
}
