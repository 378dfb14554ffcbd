#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads files that the command line names.
enum FileReading {
    /// The largest file that can be an ad.
    static let largest = 16 << 20

    static func bytes(_ path: String) throws(UsageError) -> [UInt8] {
        guard let file = fopen(path, "rb") else {
            throw UsageError("\(path) can't be read: \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= self.largest else { throw UsageError("\(path) is larger than an ad can be") }
        }
        guard ferror(file) == 0 else { throw UsageError("\(path) can't be read: is it a folder?") }
        return bytes
    }
}
