import SandboxSSP

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Finds the bundled creatives: `--creatives`, `YABBI_CREATIVES`, the nearest parent folder that has them, and the
/// installed share folder.
enum CreativesFolder {
    static func catalogue(_ chosen: String?) throws(SandboxError) -> CreativeCatalogue {
        if let chosen { return try .load(directory: chosen) }
        if let variable = getenv("YABBI_CREATIVES") { return try .load(directory: String(cString: variable)) }
        guard let found = self.parent() ?? self.installed() else { return CreativeCatalogue() }
        return try .load(directory: found)
    }

    private static func parent() -> String? {
        guard let pointer = getcwd(nil, 0) else { return nil }
        defer { free(pointer) }
        var parts = String(cString: pointer).split(separator: "/")
        while true {
            let folder = "/" + (parts + ["Creatives"]).joined(separator: "/")
            if self.holdsManifest(folder) { return folder }
            guard parts.popLast() != nil else { return nil }
        }
    }

    private static func installed() -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = path.split(separator: "/").dropLast(2).joined(separator: "/")
        let share = "/\(folder)/share/yabbi/Creatives"
        return self.holdsManifest(share) ? share : nil
    }

    private static func holdsManifest(_ folder: String) -> Bool { access(folder + "/manifest.json", R_OK) == 0 }
}
