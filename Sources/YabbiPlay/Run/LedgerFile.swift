import LibC
import PlayConsole
import SQLiteLedger

/// The file of a ledger that the command line names: a ledger, or nothing yet.
struct LedgerFile {
    /// The path of the file.
    let path: String

    /// Throws if there is no such file, too.
    init(existing name: String) throws(PlayError) {
        let path = LedgerFile.path(name)
        guard access(path, F_OK) == 0 else {
            throw PlayError(.usage, "no ledger at \(path): \(String(cString: strerror(errno)))")
        }
        try self.init(name)
    }

    /// The file of a ledger.
    ///
    /// A folder stands for the ledger in it.
    private static func path(_ name: String) -> String {
        var status = stat()
        guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return name }
        return SQLiteLedger(folder: name).file
    }

    /// Throws for a file that is not a ledger, which would otherwise be moved aside as a damaged ledger.
    init(_ name: String) throws(PlayError) {
        let path = LedgerFile.path(name)
        self.path = path
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        // Opening a pipe would block.
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PlayError(.usage, "\(path) is not a regular file; use another file for --ledger")
        }
        guard let file = fopen(path, "rb") else { return }
        defer { fclose(file) }
        var header = [UInt8](repeating: 0, count: 16)
        let count = fread(&header, 1, header.count, file)
        guard count == 0 || header.elementsEqual("SQLite format 3\u{0}".utf8) else {
            throw PlayError(.usage, "\(path) is not a beacon ledger; use another file for --ledger")
        }
    }
}
