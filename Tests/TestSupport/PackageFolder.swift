import LibC

/// The package's root folder, for tests that read its files.
public enum PackageFolder {
    /// The folder's path.
    public static let path = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// A file's text, by its path within the package; nil if there is none.
    public static func text(_ name: String) -> String? {
        guard let file = fopen("\(self.path)/\(name)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces a file's text; returns false if that fails.
    public static func write(_ text: String, _ name: String) -> Bool {
        guard let file = fopen("\(self.path)/\(name)", "w") else { return false }
        let bytes = Array(text.utf8)
        return fwrite(bytes, 1, bytes.count, file) == bytes.count && fclose(file) == 0
    }

    /// The sorted paths, within the package, of the files below a folder with this suffix.
    public static func files(below folder: String, ending: String) -> [String] {
        var found: [String] = []
        var folders = [folder]
        while let next = folders.popLast() {
            guard let stream = opendir("\(self.path)/\(next)") else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard !name.hasPrefix(".") else { continue }
                let path = "\(next)/\(name)"
                if path.hasSuffix(ending) { found.append(path) } else { folders.append(path) }
            }
        }
        return found.sorted()
    }
}
