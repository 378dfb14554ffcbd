import LibC
import PlayConsole
import PlayReport
import PlayText

/// The files that a command writes: each can be written, and overwrites no other one and no input.
struct OutputFiles {
    private let written: [(option: String, path: String)]

    /// Throws for files that can't be written, before anything is shown.
    init(_ options: RunOptions, source: String? = nil, picture: String? = nil) throws(PlayError) {
        var written: [(option: String, path: String)] = []
        if let picture { written.append(("--screenshot", picture)) }
        if let trace = options.trace { written.append(("--trace", trace.file)) }
        for (option, path) in written where path == "-" {
            throw PlayError(.usage, "\(option) requires a file name; for a file named -, write ./-")
        }
        for file in options.report.map(ReportWriter.files) ?? [] { written.append(("--report", file)) }
        self.written = written
        // The files that must not be overwritten, with a description.
        var others: [(name: String, path: String)] = []
        if let source { others.append(("the source", source)) }
        if let ledger = options.ledger { others.append(("the file of --ledger", ledger)) }
        for file in written {
            if let other = others.first(where: { OutputFiles.isSame($0.path, file.path) }) {
                throw PlayError(.usage, "\(file.option) would overwrite \(file.path), which is \(other.name)")
            }
            others.append(("the file of \(file.option)", file.path))
        }
        if let picture, let failure = FileWriting.failure(at: picture) {
            throw PlayError(.usage, "--screenshot: \(failure)")
        }
    }

    /// Whether two paths name the same file.
    ///
    /// Paths that do not exist are compared as text.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return one == other }
        // Devices and pipes may be used several times.
        guard first.st_mode & S_IFMT == S_IFREG else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
