#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes files, whole or not at all as far as anybody sees.
enum FileWriting {
    /// Writes bytes in the place of what is there; says why not where that can't be.
    static func write(_ bytes: [UInt8], to path: String) -> String? {
        let draft = path + ".part"
        guard let file = fopen(draft, "w") else {
            return "\(path) can't be written: \(String(cString: strerror(errno)))"
        }
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let isClosed = fclose(file) == 0
        guard isWhole, isClosed, rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            return "\(path) can't be written: \(reason)"
        }
        return nil
    }
}
