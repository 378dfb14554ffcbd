import LibC

/// The command that is built beside this executable.
enum PlayCommand {
    /// Its path; the error has the way to build it.
    static func path() throws(BenchmarkSkipped) -> String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let command =
            own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/yabbi-play"
        guard access(command, X_OK) == 0 else {
            throw BenchmarkSkipped(reason: "yabbi-play is not built beside it: swift build -c release")
        }
        return command
    }
}
