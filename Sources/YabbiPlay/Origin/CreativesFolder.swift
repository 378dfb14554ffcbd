import LibC
import SandboxSSP

/// Finds the folder of the bundled creatives.
///
/// The order is `--creatives`, `YABBI_CREATIVES`, the working directory and its parents, the installed share folder, and
/// the parents of the executable.
enum CreativesFolder {
    static func catalogue(_ chosen: String?) throws(SandboxError) -> CreativeCatalogue {
        guard let folder = self.chosen(chosen) else { return CreativeCatalogue() }
        return try .load(directory: folder)
    }

    /// The folder; nil if there is none.
    static func chosen(_ chosen: String?) -> String? {
        let variable = getenv("YABBI_CREATIVES").map { String(cString: $0) }
        return self.find(chosen, variable: variable, from: self.workingDirectory, executable: self.executable)
    }

    /// The folder, if there is one.
    ///
    /// The option and the variable are not checked.
    static func find(
        _ chosen: String?,
        variable: String?,
        from workingDirectory: String?,
        executable: String?
    ) -> String? {
        if let chosen { return chosen }
        // An empty variable counts as not set.
        if let variable, !variable.isEmpty { return variable }
        if let workingDirectory, let folder = self.above(workingDirectory) { return folder }
        guard let executable else { return nil }
        // An installation has PREFIX/bin/yabbi-play and PREFIX/share/yabbi/Creatives.
        let prefix = self.parts(executable).dropLast(2)
        let share = self.path(prefix + ["share", "yabbi", "Creatives"])
        return self.holdsManifest(share) ? share : self.above(executable)
    }

    private static func above(_ path: String) -> String? {
        var parts = self.parts(path)
        while true {
            let folder = self.path(parts + ["Creatives"])
            if self.holdsManifest(folder) { return folder }
            guard parts.popLast() != nil else { return nil }
        }
    }

    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
    private static func path(_ parts: [String]) -> String { "/" + parts.joined(separator: "/") }

    private static func holdsManifest(_ folder: String) -> Bool { access(folder + "/manifest.json", R_OK) == 0 }

    private static var workingDirectory: String? {
        guard let pointer = getcwd(nil, 0) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// The path of the executable, with symbolic links resolved.
    private static var executable: String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        #if canImport(Darwin)
            var size = UInt32(buffer.count)
            guard _NSGetExecutablePath(&buffer, &size) == 0, let pointer = realpath(buffer, nil) else { return nil }
            defer { free(pointer) }
            return String(cString: pointer)
        #else
            let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
            guard count > 0 else { return nil }
            return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #endif
    }
}
