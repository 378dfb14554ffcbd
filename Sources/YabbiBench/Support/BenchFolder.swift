import AdCore
import AdRuntime
import LibC
import SystemSupport

/// A temporary folder for the files of one run.
struct BenchFolder {
    private let path: String

    init() throws(BenchError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/yabbi-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchError(message: "can't create a folder in \(parent)") }
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func file(_ name: String) -> String { "\(self.path)/\(name).sqlite" }

    /// Writes a file; false if that fails.
    static func write(_ bytes: [UInt8], _ path: String) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count
    }

    /// Removes the folder and its contents.
    func remove() { BenchFolder.remove(self.path) }

    private static func remove(_ path: String) {
        for name in self.names(in: path) where unlink("\(path)/\(name)") != 0 { self.remove("\(path)/\(name)") }
        rmdir(path)
    }

    /// The names in a folder.
    static func names(in folder: String) -> [String] {
        guard let folder = opendir(folder) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// A moment that one thread sets and another reads.
final class SharedInstant: Sendable {
    private let moment = Locked(ContinuousClock.now)

    func set() {
        let now = ContinuousClock.now
        self.moment.withLock { $0 = now }
    }

    /// The seconds from another moment to this one.
    func passed(since other: SharedInstant) -> Double {
        other.moment.withLock { $0 }.duration(to: self.moment.withLock { $0 }).inSeconds
    }
}

/// Records the moment of a view.
struct ViewObserver: AdObserver {
    let instant: SharedInstant

    func observe(_ record: AdRecord) {
        if case .view = record.event { self.instant.set() }
    }

    func observe(_ input: IgnoredInput) {}
}
