import AdCore
import LibC

/// The computer and the build of a run, as far as figures depend on them.
struct RunEnvironment: Equatable, Sendable {
    let cores: Int
    let memoryBytes: Int
    /// The kernel's name and version number, without suffixes that could identify the computer.
    let kernel: String
    /// The compiler's version.
    let swift: String
    /// Whether the build is optimized.
    let isRelease: Bool
    /// Whether `--quick` was used.
    let isQuick: Bool
    /// The duration of the run, in seconds.
    let seconds: Int
    /// The value of `--date`.
    let date: String?
    /// The value of `--commit`.
    let commit: String?
}

extension RunEnvironment {
    /// The environment after a run.
    init(after run: Run, seconds: Int) {
        var system = utsname()
        uname(&system)
        let name = withUnsafeBytes(of: &system.sysname) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let release = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        self.memoryBytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        self.kernel = RunEnvironment.kernel(name, release)
        self.swift = RunEnvironment.compiler
        self.isRelease = RunEnvironment.isOptimised
        self.isQuick = run.isQuick
        self.seconds = seconds
        self.date = run.date
        self.commit = run.commit
    }

    /// A kernel's name and the version number at the start of its release.
    static func kernel(_ name: String, _ release: String) -> String {
        let numbers = release.prefix { $0.isNumber || $0 == "." }
        return numbers.isEmpty ? name : "\(name) \(numbers)"
    }

    /// Parses what `json` writes; nil for anything else.
    init?(_ json: AdJSON) {
        func integer(_ name: String) -> Int? { json[name]?.number.flatMap { Int(exactly: $0) } }
        guard let cores = integer("cores"), let memory = integer("memoryBytes"), let seconds = integer("seconds"),
            let kernel = json["kernel"]?.string, let swift = json["swift"]?.string
        else { return nil }
        self.cores = cores
        self.memoryBytes = memory
        self.kernel = kernel
        self.swift = swift
        self.isRelease = json["isRelease"] == true
        self.isQuick = json["isQuick"] == true
        self.seconds = seconds
        self.date = json["date"]?.string
        self.commit = json["commit"]?.string
    }

    /// The environment as a line of `--json`.
    var json: AdJSON {
        [
            "record": "machine", "cores": .int(self.cores), "memoryBytes": .int(self.memoryBytes),
            "kernel": .string(self.kernel), "swift": .string(self.swift), "isRelease": .bool(self.isRelease),
            "isQuick": .bool(self.isQuick), "seconds": .int(self.seconds), "date": .text(self.date),
            "commit": .text(self.commit),
        ]
    }

    #if DEBUG
        private static let isOptimised = false
    #else
        private static let isOptimised = true
    #endif

    #if compiler(>=6.4)
        private static let compiler = "6.4 or newer"
    #elseif compiler(>=6.3)
        private static let compiler = "6.3"
    #else
        private static let compiler = "older than 6.3"
    #endif
}
