import AdCore
import CurlTransport
import PlayConsole

/// The diagnoses of the command itself, its libraries and its environment.
extension Diagnosis {
    static let version = Diagnosis.fine(
        "version",
        "yabbi-play \(CommandVersion.number)",
        [.init("version", .string(CommandVersion.number))]
    )

    static func curl(_ library: CurlLibrary) -> Diagnosis {
        let details: [AdJSON.Member] = [.init("version", .string(library.version)), .init("tls", .text(library.tls))]
        guard let tls = library.tls else {
            return .broken(
                "libcurl",
                "libcurl \(library.version) has no TLS, so https URLs can't be requested",
                fix: "install a build with TLS, for example libcurl4-openssl-dev",
                .loadFailed,
                details
            )
        }
        return .fine("libcurl", "libcurl \(library.version) with \(tls)", details)
    }

    static func markup(version: String) -> Diagnosis {
        .fine("libxml2", "libxml2 \(version)", [.init("version", .string(version))])
    }

    static func sqlite(version: String, isNewEnough: Bool) -> Diagnosis {
        let details: [AdJSON.Member] = [.init("version", .string(version))]
        guard isNewEnough else {
            return .broken(
                "sqlite",
                "SQLite \(version) is too old for a ledger",
                fix: "install 3.37 or newer",
                .beacons,
                details
            )
        }
        return .fine("sqlite", "SQLite \(version)", details)
    }

    static func microhttpd(version: String) -> Diagnosis {
        .fine("libmicrohttpd", "libmicrohttpd \(version)", [.init("version", .string(version))])
    }

    /// The folder of creatives, with the number of creatives or the error.
    static func creatives(_ folder: String?, _ count: Result<Int, ProbeFailure>) -> Diagnosis {
        guard let folder else {
            return .improvable(
                "creatives",
                "no Creatives folder was found; demo has nothing to show",
                fix: "run this inside the project, or use --creatives <dir>"
            )
        }
        switch count {
        case .success(0):
            return .improvable(
                "creatives",
                "\(folder) contains no creatives",
                fix: "use --creatives with the folder of manifest.json"
            )
        case .success(let count):
            return .fine(
                "creatives",
                "\(count) in \(folder)",
                [.init("path", .string(folder)), .init("count", .int(count))]
            )
        case .failure(let failure):
            let fix = "set --creatives or YABBI_CREATIVES to the folder of manifest.json"
            let parts = self.split(failure.message, or: fix)
            return .broken("creatives", parts.found, fix: parts.fix, .loadFailed)
        }
    }

    /// Whether the built-in server starts and answers, with the time it took.
    static func server(_ probe: Result<Duration, ProbeFailure>) -> Diagnosis {
        switch probe {
        case .success(let time):
            return .fine(
                "server",
                "the built-in server starts on 127.0.0.1 and answers after \(time.wholeMilliseconds) ms"
            )
        case .failure(let failure):
            let (found, fix) = self.split(
                failure.message,
                or: "allow sockets on 127.0.0.1: check firewall, container and open file limits"
            )
            return .broken("server", "the built-in server does not answer: \(found)", fix: fix, .loadFailed)
        }
    }

    /// Whether the folder for temporary files is writable.
    static func temporaryFolder(_ folder: String, writeError: String?) -> Diagnosis {
        guard let writeError else { return .fine("temporary", "\(folder) is writable") }
        return .broken(
            "temporary",
            "\(folder) is not writable: \(writeError)",
            fix: "free space or fix its permissions, or set TMPDIR to a writable folder; the browser needs one",
            .showFailed
        )
    }

    /// The profiles that killed browsers left, before and after a browser was started here.
    static func leftovers(in folder: String, before: [String], after: [String]) -> Diagnosis {
        guard before.count + after.count > 0 else {
            return .fine("leftovers", "no browser profiles are left in \(folder)")
        }
        guard !after.isEmpty else {
            let count = Quantity.text(before.count, "profile")
            return .fine("leftovers", "\(count) of killed browsers removed from \(folder)")
        }
        let names = after.prefix(3).joined(separator: " ")
        let more = after.count > 3 ? ", and \(after.count - 3) more" : ""
        return .improvable(
            "leftovers",
            "killed browsers left \(Quantity.text(after.count, "profile")) in \(folder)",
            fix: "the next browser removes them if it has permission; to remove them now: rm -r \(names)\(more)"
        )
    }
}
