import LibC

/// Reads files.
enum ReadFile {
    /// The bytes of a file.
    static func bytes(_ path: String) throws(BenchError) -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw BenchError(message: "can't read \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    /// The size of a file in bytes.
    static func size(_ path: String) throws(BenchError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else { throw BenchError(message: "can't read \(path)") }
        return Int(status.st_size)
    }

    /// The files below a folder, in order.
    static func paths(below folder: String, ending: String, depth: Int = 4) -> [String] {
        BenchFolder.names(in: folder).sorted().flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            if name.hasSuffix(ending) { return [path] }
            return depth > 0 ? self.paths(below: path, ending: ending, depth: depth - 1) : []
        }
    }
}
