import EngineSupport
import LibC

/// The built helper: its program, and the folder of its extension.
public struct HelperFiles: Hashable, Sendable {
    /// The path of the program.
    public let program: String
    /// The path of the folder of its extension.
    public let extensionFolder: String

    init(program: String) {
        // WebKit's sandbox takes only absolute paths.
        let resolved = realpath(program, nil)
        defer { free(resolved) }
        let program = resolved.map { String(cString: $0) } ?? program
        self.program = program
        let folder = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
        self.extensionFolder = folder + "/extension"
    }

    /// Finds the helper: at the given path (as in the variable `YABBI_WEBKIT`), or else beside the running program.
    ///
    /// - Parameter named: The path of the program; nil or empty to search.
    /// - Returns: The files.
    /// - Throws: `WebKitError` if there is none; its description has the way to build one.
    public static func find(named: String? = nil) throws(WebKitError) -> HelperFiles {
        try self.find(named: named, program: self.ownPath) { access($0, X_OK) == 0 }
    }

    /// Whether the helper is built, or `YABBI_WEBKIT` names one.
    package static var areBuilt: Bool { (try? self.find(named: ProcessEnvironment.variables["YABBI_WEBKIT"])) != nil }

    static func find(
        named: String?,
        program: String,
        exists: (String) -> Bool
    ) throws(WebKitError) -> HelperFiles {
        if let named, !named.isEmpty {
            guard exists(named) else {
                throw .missing(
                    "YABBI_WEBKIT names \(named), which is not an executable file; build it with: make webkit"
                )
            }
            return HelperFiles(program: named)
        }
        guard let found = self.places(program).first(where: exists) else {
            throw .missing(
                "the helper for WebKit is not built; install WebKitGTK and build it (make webkit), or set YABBI_WEBKIT to "
                    + "its path"
            )
        }
        return HelperFiles(program: found)
    }

    /// Where the helper may be: where `make webkit` builds it, and where `make install` puts it.
    private static func places(_ program: String) -> [String] {
        var folders: [String] = []
        var rest = program[...]
        while let slash = rest.lastIndex(of: "/"), folders.count < 4 {
            rest = rest[..<slash]
            folders.append(String(rest))
        }
        return folders.map { $0 + "/webkit/yabbi-webkit" } + folders.prefix(2).map { $0 + "/lib/yabbi/yabbi-webkit" }
    }

    /// The path of the running program.
    private static var ownPath: String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
