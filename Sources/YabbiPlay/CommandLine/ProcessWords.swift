import LibC
import PlayConsole

/// The words that the process was started with, as far as they can be trusted.
///
/// On Linux Swift finds them by walking back from the environment's place in memory; where something that was loaded into
/// the process has moved that, they are lost, and no words at all would be the demo in place of what was asked.
enum ProcessWords {
    /// The words behind the command's name.
    ///
    /// - Parameters:
    ///   - found: What Swift has found, the command's name first.
    ///   - told: The system's record of them, each word with a zero byte behind it; nil where there is none.
    /// - Returns: The words.
    /// - Throws: That they are lost, and what to do.
    static func behindName(_ found: [String], told: [UInt8]?) throws(UsageError) -> [String] {
        guard let name = found.first, !name.isEmpty else {
            throw UsageError(
                "the process was started without its name as the first argument; start it by exec with one"
            )
        }
        guard var told, !told.isEmpty else { return Array(found.dropFirst()) }
        if told.last == 0 { told.removeLast() }
        let words = told.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard words == found else {
            throw UsageError(
                """
                the arguments can't be read: the system tells of \(words.count), and \(found.count) were found; start this \
                without what moves its environment, as LD_PRELOAD may
                """
            )
        }
        return Array(found.dropFirst())
    }

    /// The system's record of this process's words; nil where there is none.
    static func tellOfSystem() -> [UInt8]? {
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
