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
}
