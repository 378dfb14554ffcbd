import LibC
import TestSupport

/// The profiles and processes of browsers that a child process starts with its own `TMPDIR`.
struct BrowserTrace {
    private let folder: TemporaryFolder

    /// Uses a folder as `TMPDIR`, which the browser may enter even if it runs as the user nobody.
    init(_ folder: TemporaryFolder) {
        self.folder = folder
        chmod(folder.path, 0o711)
    }

    /// The child's environment.
    var environment: [String: String] { ["TMPDIR": self.folder.path] }

    /// The browser profiles in the folder.
    var profiles: [String] { self.folder.names.filter { $0.hasPrefix("yabbi-") } }

    /// Whether processes of other users are visible.
    static let canSee = access("/proc/self/stat", R_OK) == 0

    /// The groups of processes that use one of the profiles.
    var groups: Set<Int> {
        Set(
            BrowserTrace.processes.compactMap { process in
                let command = BrowserTrace.text("/proc/\(process)/cmdline")
                return command.contains("\(self.folder.path)/yabbi-") ? BrowserTrace.state(of: process)?.group : nil
            }
        )
    }

    /// The number of running processes of these groups.
    static func living(in groups: Set<Int>) -> Int {
        self.processes.count { process in
            guard let state = self.state(of: process) else { return false }
            // A zombie does not run.
            return groups.contains(state.group) && !["Z", "X"].contains(state.letter)
        }
    }

    /// A running process of these groups by its program's name; nil if there is none.
    static func process(_ program: String, in groups: Set<Int>) -> Int? {
        self.processes.first { process in
            let name = self.text("/proc/\(process)/cmdline").prefix { $0 != "\0" }
            return (name == program || name.hasSuffix("/" + program))
                && self.state(of: process).map { groups.contains($0.group) } == true
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

    /// A process's state and group, which follow its name in parentheses.
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
