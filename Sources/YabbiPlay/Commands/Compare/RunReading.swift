import AdCore
import AdReplay
import AdTrace
import LibC
import PlayCompare
import PlayConsole
import PlayReport

/// Reads a run that the command line names.
enum RunReading {
    static let expected = "expected the folder of a report, its report.html, or a trace recorded with --trace"

    /// The run of a report folder, a report page or a trace.
    static func run(_ path: String) throws(PlayError) -> ComparedRun {
        let name = Style.printable(path, upTo: 400)
        return try self.run(try self.bytes(path, name), called: name)
    }

    /// The run in the bytes of a report page or a trace.
    static func run(_ bytes: [UInt8], called name: String) throws(PlayError) -> ComparedRun {
        if bytes.starts(with: TraceHead.beginning.utf8) { return try self.trace(bytes, name) }
        let kind = FileKind(bytes)
        do throws(RunDocumentError) {
            return ComparedRun(try RunDocument(parsing: bytes))
        } catch {
            switch kind {
            case .page where error == .noRun:
                let what = "a page without a run, such as a report of an earlier version"
                throw PlayError(.loadFailed, "\(name) is \(what); \(self.expected)")
            case .page, .run: throw PlayError(.loadFailed, "can't read the run in \(name): \(error)")
            case .other(let what): throw PlayError(.loadFailed, "\(name) is \(what); \(self.expected)")
            }
        }
    }

    private static func bytes(_ path: String, _ name: String) throws(PlayError) -> [UInt8] {
        var status = stat()
        let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        let page = isFolder ? ReportWriter.files(in: path)[0] : path
        if isFolder, access(page, F_OK) != 0 {
            throw PlayError(.loadFailed, "\(name) is a folder without report.html; \(self.expected)")
        }
        do throws(UsageError) {
            return try FileReading.bytes(page, upTo: RunDocument.pageLimit, hint: self.expected)
        } catch {
            throw PlayError(.loadFailed, error.message)
        }
    }

    private static func trace(_ bytes: [UInt8], _ name: String) throws(PlayError) -> ComparedRun {
        do throws(ReplayError) {
            return try ComparedRun(trace: bytes, machines: ReplayCommand.machines)
        } catch {
            throw PlayError(.loadFailed, "\(name) can't be compared: \(ReplayCommand.text(error))")
        }
    }
}

/// What a file is, by its first bytes, for an error that says so.
enum FileKind: Equatable {
    /// An HTML page.
    case page
    /// JSON that looks like the run of a report.
    case run
    case other(String)

    init(_ bytes: [UInt8]) {
        let start = bytes.first == 0xEF ? bytes.dropFirst(3) : bytes[...]
        let text = start.drop(while: \.isWhiteSpace).prefix(1_000)
        let signatures = [
            ("SQLite format 3\u{0}", "an SQLite database, such as a ledger"), ("PK\u{3}\u{4}", "a ZIP archive"),
            ("%PDF", "a PDF document"), ("RIFF", "a picture or a video"), ("{\"log\":", "a HAR file"),
            ("{\"t\":", "the output of --json"), ("{\"event\":", "the output of --json"),
        ]
        if let known = signatures.first(where: { text.starts(with: $0.0.utf8) }) {
            self = .other(known.1)
        } else if text.startsIgnoringCase("<!doctype html") || text.startsIgnoringCase("<html") {
            self = .page
        } else {
            self = FileKind.unsigned(text)
        }
    }

    private static func unsigned(_ text: ArraySlice<UInt8>) -> FileKind {
        guard let first = text.first else { return .other("empty") }
        if text.contains(0) || first >= 0x80 { return .other("a binary file") }
        switch first {
        case UInt8(ascii: "{"):
            return text.starts(with: #"{"version":"#.utf8) ? .run : .other("JSON, but no run")
        case UInt8(ascii: "["): return .other("JSON, but no run")
        case UInt8(ascii: "<"): return .other("markup, but no report page")
        default: return .other("text")
        }
    }
}
