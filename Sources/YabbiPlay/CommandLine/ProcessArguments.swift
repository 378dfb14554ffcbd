import LibC
import PlayConsole

/// The arguments of the process, checked against the system's record.
///
/// On Linux, Swift finds the arguments by walking back from the environment's place in memory. A preloaded library that
/// moves the environment makes that walk fail. An empty argument list would then run `demo` in place of the requested
/// command, so a mismatch is an error.
enum ProcessArguments {
    /// The arguments after the command's name.
    ///
    /// - Parameters:
    ///   - found: The arguments that Swift found, the command's name first.
    ///   - systemRecord: The system's record of them, each followed by a zero byte. Nil if there is none.
    /// - Returns: The arguments after the name.
    /// - Throws: If the two differ.
    static func afterName(_ found: [String], systemRecord: [UInt8]?) throws(UsageError) -> [String] {
        guard let name = found.first, !name.isEmpty else {
            throw UsageError("the process was started without argv[0]; pass the command's name to exec")
        }
        guard var record = systemRecord, !record.isEmpty else { return Array(found.dropFirst()) }
        if record.last == 0 { record.removeLast() }
        let words = record.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard words == found else {
            throw UsageError(
                """
                can't read the arguments: the system has \(words.count), the process sees \(found.count); start the \
                command without libraries that move the environment, for example by LD_PRELOAD
                """
            )
        }
        return Array(found.dropFirst())
    }

    /// The system's record of this process's arguments; nil if there is none.
    static func systemRecord() -> [UInt8]? {
        #if os(Linux)
            guard let file = fopen("/proc/self/cmdline", "rb") else { return nil }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 1 << 14)
            while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
            return ferror(file) == 0 ? bytes : nil
        #else
            return nil
        #endif
    }
}
