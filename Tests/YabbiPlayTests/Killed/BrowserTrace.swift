import LibC
import TestSupport

/// What browsers leave that are started by a child with a folder of its own as `TMPDIR`.
struct BrowserTrace {
    private let folder: TemporaryFolder

    /// Looks into a folder, which a browser that is nobody's may pass through.
    init(_ folder: TemporaryFolder) {
        self.folder = folder
        chmod(folder.path, 0o711)
    }

    /// What the child is told of the folder.
    var environment: [String: String] { ["TMPDIR": self.folder.path] }

    /// The folders of browsers in it.
    var profiles: [String] { self.folder.names.filter { $0.hasPrefix("yabbi-") } }

    /// Whether the processes of other users and of ended parents can be seen here.
    static let canSee = access("/proc/self/stat", R_OK) == 0

    /// The groups of processes that were started with one of those folders.
    var groups: Set<Int> {
        Set(
            BrowserTrace.processes.compactMap { process in
                let command = BrowserTrace.text("/proc/\(process)/cmdline")
                return command.contains("--user-data-dir=\(self.folder.path)/")
                    ? BrowserTrace.state(of: process)?.group : nil
            }
        )
    }

    /// How many processes of these groups live.
    static func living(in groups: Set<Int>) -> Int {
        self.processes.count { process in
            guard let state = self.state(of: process) else { return false }
            // Whoever has ended and is not asked for its status takes nothing.
            return groups.contains(state.group) && !["Z", "X"].contains(state.letter)
        }
    }

    private static var processes: [Int] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var numbers: [Int] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int(name) { numbers.append(number) }
        }
        return numbers
    }

    /// A process's letter and group, which stand behind its name in brackets.
    private static func state(of process: Int) -> (letter: Substring, group: Int)? {
        let text = self.text("/proc/\(process)/stat")
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        let words = text[bracket...].split(separator: " ").dropFirst()
        guard words.count > 2, let group = words.dropFirst(2).first.flatMap({ Int($0) }) else { return nil }
        return (words.first ?? "", group)
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
