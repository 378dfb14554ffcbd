import AdCore
import LibC

/// The memory of this process.
enum ProcessMemory {
    /// What is in the computer's memory, in bytes; 0 without a `/proc`.
    static var ofThisProcess: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = fread(&bytes, 1, bytes.count, file)
        // The second number is that of the pages in memory (proc(5)).
        let numbers = String(decoding: bytes[..<count], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        return numbers.count > 1 ? numbers[1] * sysconf(Int32(_SC_PAGESIZE)) : 0
    }
}

/// The processor time of processes.
enum ProcessorTime {
    /// That of this process.
    static var ofThisProcess: Duration {
        var usage = rusage()
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return .zero }
        return [usage.ru_utime, usage.ru_stime].reduce(.zero) { sum, time in
            sum + .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
        }
    }

    /// That of the processes of a group, and of their processes that have ended; zero without a `/proc`.
    static func ofGroup(_ group: Int32) -> Duration {
        guard let folder = opendir("/proc") else { return .zero }
        defer { closedir(folder) }
        var ticks = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.utf8.allSatisfy(\.isDigit), let fields = ProcessorTime.fields(of: name), fields.count > 14,
                fields[2] == String(group)
            else { continue }
            ticks += fields[11...14].reduce(0) { $0 + (Int($1) ?? 0) }
        }
        return .seconds(Double(ticks) / Double(max(1, sysconf(Int32(_SC_CLK_TCK)))))
    }

    /// The fields of `/proc/ID/stat` after the name in parentheses, which may have spaces (proc(5)).
    private static func fields(of process: String) -> [Substring]? {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 2_048)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }
}
