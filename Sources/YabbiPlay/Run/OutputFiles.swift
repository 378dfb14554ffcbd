import LibC
import PlayConsole
import PlayReport

/// The files that a command is told to write, and those that it reads or keeps something in.
struct OutputFiles {
    private let picture: String?
    private let trace: String?
    private let report: String?
    /// The files that must not be written over, and what they are.
    private let kept: [(name: String, path: String)]

    init(_ options: RunOptions, source: String? = nil, picture: String? = nil) {
        self.picture = picture
        self.trace = options.trace?.file
        self.report = options.report
        var kept: [(String, String)] = []
        if let source { kept.append(("what is to be shown", source)) }
        if let ledger = options.ledger { kept.append(("the file of --ledger", ledger)) }
        self.kept = kept
    }

    /// Refuses files that cannot be written, or would be written over another, before anything is shown or lost.
    func check() throws(PlayError) {
        var written: [(option: String, path: String)] = []
        if let picture { written.append(("--screenshot", picture)) }
        if let trace { written.append(("--trace", trace)) }
        for (option, path) in written where path == "-" {
            throw PlayError(.usage, "\(option) takes the name of a file; write ./- for one that is called so")
        }
        for file in self.report.map(ReportWriter.files) ?? [] { written.append(("--report", file)) }
        var others = self.kept
        for file in written {
            if let other = others.first(where: { OutputFiles.isSame($0.path, file.path) }) {
                throw PlayError(.usage, "\(file.option) would write over \(file.path), which is \(other.name)")
            }
            others.append(("that of \(file.option)", file.path))
        }
        if let picture, let trouble = FileWriting.trouble(at: picture) {
            throw PlayError(.usage, "no picture can be written: \(trouble)")
        }
    }

    /// Whether two names are of one file, also where it does not exist yet.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return one == other }
        // A terminal, a pipe or a null device may be written from several places.
        guard first.st_mode & S_IFMT == S_IFREG else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
