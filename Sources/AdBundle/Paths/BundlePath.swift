/// The names of entries.
enum BundlePath {
    /// An entry's name as a path of the bundle, or why it can't be one.
    ///
    /// Names are relative and have slashes (APPNOTE.TXT 4.4.17.1). What leads out of the bundle on any system is refused
    /// and not repaired: no program that makes ads writes such a name.
    static func path(of name: String, within limits: BundleLimits) -> Result<String, EntryFault> {
        let count = name.utf8.count
        guard count > 0 else { return .failure(.noName) }
        guard !name.utf8.contains(0) else { return .failure(.nul) }
        guard count <= limits.name else { return .failure(.longName(count, limit: limits.name)) }
        let parts = self.parts(of: name).filter { $0 != "." }
        let isAbsolute = name.utf8.first == UInt8(ascii: "/") || self.hasDrive(name)
        // `..\x` also leads out of the bundle, which is reported first.
        let isOutside = name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.contains {
            $0.elementsEqual("..".utf8)
        }
        guard !isAbsolute, !isOutside else { return .failure(.outside) }
        guard !name.utf8.contains(UInt8(ascii: "\\")) else { return .failure(.backslash) }
        guard parts.count <= limits.depth else { return .failure(.deep(parts.count, limit: limits.depth)) }
        guard !parts.isEmpty else { return .failure(.noName) }
        return .success(parts.joined(separator: "/"))
    }

    /// The parts of a path between slashes.
    ///
    /// A slash and an accent after it are one character, so bytes are compared.
    static func parts(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init)
    }

    /// Whether an entry is one that an operating system adds to folders, mostly unseen.
    static func isLitter(_ path: String) -> Bool {
        let parts = self.parts(of: path)
        guard let name = parts.last else { return false }
        // `._x` is what macOS keeps beside a file `x` outside `__MACOSX`.
        guard parts.first != "__MACOSX", !name.hasPrefix("._") else { return true }
        return [".ds_store", "thumbs.db", "desktop.ini"].contains(name.lowercased())
    }

    /// Whether a name begins as a path of Windows does: with `C:` or `\`.
    private static func hasDrive(_ name: String) -> Bool {
        let start = Array(name.utf8.prefix(2))
        if start.first == UInt8(ascii: "\\") { return true }
        guard start.count == 2, start[1] == UInt8(ascii: ":") else { return false }
        return (start[0] | 0x20) &- UInt8(ascii: "a") < 26
    }
}
