#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files that a command is told to write.
enum OutputFiles {
    /// Sees that each of them can be written, and that none is one that the command reads, or keeps something else in,
    /// before anything is shown or lost.
    static func check(_ settings: Settings) throws(PlayError) {
        var written: [(option: String, path: String)] = []
        if let picture = settings.picture { written.append(("--screenshot", picture)) }
        if let trace = settings.trace { written.append(("--trace", trace)) }
        for (option, path) in written where path == "-" {
            throw PlayError(.usage, "\(option) takes the name of a file; write ./- for one that is called so")
        }
        for file in settings.report.map(ReportDesk.files) ?? [] { written.append(("--report", file)) }
        var others: [(name: String, path: String)] = []
        if let source = settings.source { others.append(("what is to be shown", source)) }
        if let ledger = settings.ledger { others.append(("the file of --ledger", ledger)) }
        for file in written {
            if let other = others.first(where: { self.isSame($0.path, file.path) }) {
                throw PlayError(.usage, "\(file.option) would write over \(file.path), which is \(other.name)")
            }
            others.append(("that of \(file.option)", file.path))
        }
        if let picture = settings.picture, let trouble = FileWriting.trouble(at: picture) {
            throw PlayError(.usage, "no picture can be written: \(trouble)")
        }
    }

    /// Whether two names are of one file, also where it is not there yet.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return one == other }
        // A terminal, a pipe or nothing at all takes what comes from anybody.
        guard first.st_mode & S_IFMT == S_IFREG else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
