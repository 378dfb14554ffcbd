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
                "libcurl \(library.version) has no TLS, so that no https address can be asked",
                cure: "install one that has it, as libcurl4-openssl-dev",
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
                cure: "install 3.37 or newer",
                .beacons,
                details
            )
        }
        return .fine("sqlite", "SQLite \(version)", details)
    }

    static func microhttpd(version: String) -> Diagnosis {
        .fine("libmicrohttpd", "libmicrohttpd \(version)", [.init("version", .string(version))])
    }

    /// The folder of creatives, where there is one, and how many it holds or why it can't be read.
    static func creatives(_ folder: String?, _ count: Result<Int, DoctorFault>) -> Diagnosis {
        guard let folder else {
            return .improvable(
                "creatives",
                "no Creatives folder was found, and demo has nothing to show",
                cure: "run this inside the project, or give --creatives DIR"
            )
        }
        switch count {
        case .success(0):
            return .improvable(
                "creatives",
                "\(folder) holds no creatives",
                cure: "give --creatives the folder with manifest.json"
            )
        case .success(let count):
            return .fine(
                "creatives",
                "\(count) in \(folder)",
                [.init("path", .string(folder)), .init("count", .int(count))]
            )
        case .failure(let fault):
            let cure = "give --creatives or YABBI_CREATIVES the folder with manifest.json"
            let parts = self.parted(fault.message, or: cure)
            return .broken("creatives", parts.found, cure: parts.cure, .loadFailed)
        }
    }

    /// Whether a server can be started and asked: how long that took, or why not.
    static func server(_ trial: Result<Duration, DoctorFault>) -> Diagnosis {
        switch trial {
        case .success(let time):
            return .fine(
                "server",
                "the built-in server starts on 127.0.0.1, and answers after \(time.wholeMilliseconds) ms"
            )
        case .failure(let fault):
            let (found, cure) = self.parted(
                fault.message,
                or: "see what forbids sockets on 127.0.0.1 here: a firewall, a container, a limit of open files"
            )
            return .broken("server", "the built-in server can't be asked: \(found)", cure: cure, .loadFailed)
        }
    }

    /// Whether the folder for temporary files can be written: why not, where it can't.
    static func temporaryFolder(_ folder: String, refusal: String?) -> Diagnosis {
        guard let refusal else { return .fine("temporary", "\(folder) can be written") }
        return .broken(
            "temporary",
            "nothing can be written to \(folder): \(refusal)",
            cure: "make room or give rights there, or set TMPDIR to a folder that can be written; a browser needs one",
            .showFailed
        )
    }

    /// What killed browsers have left, before a browser was started here and after.
    static func leftovers(in folder: String, before: [String], after: [String]) -> Diagnosis {
        guard before.count + after.count > 0 else {
            return .fine("leftovers", "no browser has left anything in \(folder)")
        }
        guard !after.isEmpty else {
            let count = before.count == 1 ? "one folder" : "\(before.count) folders"
            return .fine("leftovers", "\(count) of killed browsers lay in \(folder), and were removed just now")
        }
        let names = after.prefix(3).joined(separator: " ")
        let more = after.count > 3 ? ", and \(after.count - 3) more" : ""
        return .improvable(
            "leftovers",
            "killed browsers have left \(after.count == 1 ? "a folder" : "\(after.count) folders") in \(folder)",
            cure: "nobody uses them, and the next browser that may removes them; by hand: rm -r \(names)\(more)"
        )
    }
}
