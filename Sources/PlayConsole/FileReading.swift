import LibC

/// Reads files that the command line names.
package enum FileReading {
    /// The bytes of a file, which must not exceed a limit.
    package static func bytes(
        _ path: String,
        upTo limit: Int,
        hint: String = "use a smaller file"
    ) throws(UsageError) -> [UInt8] {
        guard let file = fopen(path, "rb") else { throw self.failed(path, errno) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            let reason = errno
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= limit else { throw UsageError("\(path) is larger than \(limit) bytes; \(hint)") }
            // `fread` returns less only at the end of the file, or on an error.
            guard count < chunk.count else { continue }
            guard ferror(file) == 0 else { throw self.failed(path, reason) }
            return bytes
        }
    }

    private static func failed(_ path: String, _ reason: Int32) -> UsageError {
        guard reason != EISDIR else { return UsageError("\(path) can't be read: it is a folder; name a file in it") }
        return UsageError("\(path) can't be read: \(String(cString: strerror(reason)))")
    }
}
