import LibC

/// A temporary folder of a test.
public struct TemporaryFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Creates a folder; nil if that fails.
    public init?() {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
        var template = Array("\(parent)/yabbi-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        self.path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The sorted names of its entries.
    public var names: [String] { TemporaryFolder.names(self.path) }

    /// The bytes of a file in it.
    public func bytes(_ name: String) -> [UInt8] {
        guard let file = fopen("\(self.path)/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    /// Overwrites a file's bytes from an offset on; creates the file if it is missing.
    public func overwrite(_ bytes: [UInt8], _ name: String, at offset: Int = 0) {
        guard let file = fopen("\(self.path)/\(name)", "r+") ?? fopen("\(self.path)/\(name)", "w") else { return }
        defer { fclose(file) }
        fseek(file, offset, SEEK_SET)
        fwrite(bytes, 1, bytes.count, file)
    }

    /// Writes a file and returns its path; nil if that fails.
    public func write(_ text: String, _ name: String) -> String? { self.write(Array(text.utf8), name) }

    /// Writes a file and returns its path; nil if that fails.
    public func write(_ bytes: [UInt8], _ name: String) -> String? {
        guard let file = fopen("\(self.path)/\(name)", "w") else { return nil }
        defer { fclose(file) }
        return fwrite(bytes, 1, bytes.count, file) == bytes.count ? "\(self.path)/\(name)" : nil
    }

    /// The permissions of a file in it.
    public func mode(_ name: String) -> UInt32 {
        var info = stat()
        return stat("\(self.path)/\(name)", &info) == 0 ? UInt32(info.st_mode) & 0o777 : 0
    }

    /// Removes the folder and everything in it.
    public func remove() { TemporaryFolder.remove(self.path) }

    private static func names(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in self.names(path) where unlink("\(path)/\(name)") != 0 { self.remove("\(path)/\(name)") }
        rmdir(path)
    }
}
