#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A folder of a test's own.
struct TemporaryFolder {
    let path: String

    init?() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/yabbi-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file and returns its path.
    func write(_ text: String, _ name: String) -> String? { self.write(Array(text.utf8), name) }

    /// Writes a file and returns its path.
    func write(_ bytes: [UInt8], _ name: String) -> String? {
        guard let file = fopen("\(self.path)/\(name)", "w") else { return nil }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count ? "\(self.path)/\(name)" : nil
    }

    /// Removes the folder and everything in it.
    func remove() { TemporaryFolder.remove(self.path) }

    private static func remove(_ path: String) {
        guard let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            // What is no file is a folder of the test's own.
            if unlink("\(path)/\(name)") != 0 { self.remove("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }
}
