import AdCore
import LibC
import PlayConsole

/// Records in temporary files, sorted into parts by a text: records with the same text are in the same part.
///
/// So two large inputs are compared part by part, in the memory of one part.
final class Partitions {
    private let folder: String
    private var files: [UnsafeMutablePointer<FILE>] = []

    /// The number of parts.
    let count: Int

    /// Creates the files in a temporary folder.
    init(count: Int) throws(UsageError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/yabbi-reconcile-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw UsageError("can't create a folder in \(parent): \(String(cString: strerror(errno)))")
        }
        self.folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.count = count
        for number in 0..<count {
            guard let file = fopen("\(self.folder)/\(number)", "w+") else { throw self.failed() }
            // The files are gone with the process, however it ends.
            unlink("\(self.folder)/\(number)")
            self.files.append(file)
        }
        rmdir(self.folder)
    }

    deinit { for file in self.files { fclose(file) } }

    /// Adds a record to the part of a text.
    func add(_ fields: [String], for text: String) throws(UsageError) {
        let file = self.files[Int(Checksum.of(text) % UInt64(self.count))]
        var bytes: [UInt8] = []
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(Partitions.separator) }
            // A control character in a URL or a reason is no separator.
            bytes += field.utf8.map { $0 < 0x20 ? 0x20 : $0 }
        }
        bytes.append(UInt8(ascii: "\n"))
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw self.failed() }
    }

    /// Calls a closure with each record of a part, in the order in which they were added.
    func forEachRecord(of part: Int, _ body: ([String]) -> Void) throws(UsageError) {
        let file = self.files[part]
        guard fflush(file) == 0 else { throw self.failed() }
        rewind(file)
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while case let size = fread(&chunk, 1, chunk.count, file), size > 0 {
            rest += chunk[..<size]
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                body(
                    rest[start..<end].split(separator: Partitions.separator, omittingEmptySubsequences: false)
                        .map { String(decoding: $0, as: UTF8.self) }
                )
                start = end + 1
            }
            rest.removeFirst(start)
        }
    }

    /// The unit separator of ASCII.
    private static let separator: UInt8 = 0x1F

    private func failed() -> UsageError {
        UsageError(
            "can't write temporary files in \(self.folder): \(String(cString: strerror(errno))); name a folder with space by TMPDIR"
        )
    }
}
