import AdCore
import LibC

/// Where a run took place, as far as its figures depend on it, and what was run.
struct Machine: Equatable, Sendable {
    let cores: Int
    let memoryBytes: Int
    /// The kernel's name and the numbers of its version: what stands behind them says whose machine it is.
    let kernel: String
    /// The compiler's version.
    let swift: String
    /// Whether the compiler has optimised.
    let isRelease: Bool
    /// Whether it was the short form.
    let isQuick: Bool
    /// How long the run took, in seconds.
    let seconds: Int
    /// When it was, in the words of who ran it.
    let date: String?
    /// Which commit was measured.
    let commit: String?
}

extension Machine {
    /// This machine after a run.
    init(after run: Run, seconds: Int) {
        var system = utsname()
        uname(&system)
        let name = withUnsafeBytes(of: &system.sysname) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let release = withUnsafeBytes(of: &system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        self.memoryBytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        self.kernel = Machine.kernel(name, release)
        self.swift = Machine.compiler
        self.isRelease = Machine.isOptimised
        self.isQuick = run.isQuick
        self.seconds = seconds
        self.date = run.date
        self.commit = run.commit
    }

    /// The name of a kernel and the numbers that its release begins with.
    static func kernel(_ name: String, _ release: String) -> String {
        let numbers = release.prefix { $0.isNumber || $0 == "." }
        return numbers.isEmpty ? name : "\(name) \(numbers)"
    }

    /// Reads what `json` has written; nil where that is something else.
    init?(_ json: AdJSON) {
        func whole(_ name: String) -> Int? { json[name]?.number.flatMap { Int(exactly: $0) } }
        guard let cores = whole("cores"), let memory = whole("memoryBytes"), let seconds = whole("seconds"),
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

    /// The machine as a line of `--json` has it.
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
