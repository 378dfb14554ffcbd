import LibC
import SandboxSSP

/// Finds the bundled creatives: `--creatives`, `YABBI_CREATIVES`, the nearest folder above the present one that has
/// them, what was installed with the command, and the nearest folder above the command itself.
enum CreativesFolder {
    static func catalogue(_ chosen: String?) throws(SandboxError) -> CreativeCatalogue {
        guard let folder = self.chosen(chosen) else { return CreativeCatalogue() }
        return try .load(directory: folder)
    }

    /// The folder that is taken; nil where there is none.
    static func chosen(_ chosen: String?) -> String? {
        let variable = getenv("YABBI_CREATIVES").map { String(cString: $0) }
        return self.find(chosen, variable: variable, from: self.present, executable: self.executable)
    }

    /// The folder, where there is one; the first two are taken as they are.
    static func find(_ chosen: String?, variable: String?, from present: String?, executable: String?) -> String? {
        if let chosen { return chosen }
        // An empty variable is the shell's way to say that there is none.
        if let variable, !variable.isEmpty { return variable }
        if let present, let folder = self.above(present) { return folder }
        guard let executable else { return nil }
        // Installed, the command is in bin and the creatives in the share folder beside that.
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

    private static var present: String? {
        guard let pointer = getcwd(nil, 0) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// Where the command itself is, every link followed.
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
