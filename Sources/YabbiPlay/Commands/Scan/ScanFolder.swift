import AdCore
import LibC
import PlayConsole
import PlayScan

/// The folder of a scan's report; without one, a temporary folder for the journal.
final class ScanFolder: Sendable {
    private let path: String
    private let isTemporary: Bool

    /// Makes the folder, and checks that outputs can be written.
    init(_ report: String?, _ outputs: [(format: ScanOutput, path: String)]) throws(PlayError) {
        for (_, path) in outputs {
            if let failure = FileWriting.failure(at: path) { throw PlayError(.usage, failure) }
        }
        if let report {
            self.path = report.hasSuffix("/") ? String(report.dropLast()) : report
            self.isTemporary = false
            if let failure = FileWriting.makeFolder("\(self.path)/pictures") { throw PlayError(.usage, failure) }
            return
        }
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/yabbi-scan-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw PlayError(.usage, "no folder can be made in \(parent): \(String(cString: strerror(errno)))")
        }
        self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.isTemporary = true
    }

    deinit {
        guard self.isTemporary else { return }
        unlink(self.journal)
        rmdir(self.path)
    }

    var journal: String { "\(self.path)/journal.jsonl" }

    /// The page with all creatives; nil without a report.
    var page: String? { self.isTemporary ? nil : "\(self.path)/index.html" }

    var outputs: [(format: ScanOutput, path: String)] { self.page.map { [(.wall, $0)] } ?? [] }

    /// Writes the picture of a creative; returns its name in the folder.
    func write(_ picture: [UInt8], of id: String) throws(PlayError) -> String {
        let name = "pictures/\(String(Checksum.of(id), radix: 16)).webp"
        if let failure = FileWriting.write(picture, to: "\(self.path)/\(name)") { throw PlayError(.usage, failure) }
        return name
    }
}
