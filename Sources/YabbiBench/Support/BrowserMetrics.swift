import LibC

/// Metrics of a browser's processes, from `/proc`.
enum BrowserMetrics {
    /// The running processes of a process group.
    static func processes(ofGroup group: Int32) -> [String] {
        BenchFolder.names(in: "/proc").filter { name in
            guard name.allSatisfy(\.isNumber), let stat = self.text("/proc/\(name)/stat") else { return false }
            // The command name in parentheses may have any characters; the state, the parent and the group follow.
            let rest = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return rest.count > 2 && Int32(rest[2]) == group && rest[0] != "Z"
        }
    }

    /// The memory of a process group; shared pages are counted once (PSS).
    static func residentBytes(ofGroup group: Int32) -> Int {
        self.processes(ofGroup: group).reduce(0) { sum, name in
            let line = self.text("/proc/\(name)/smaps_rollup")?.split(separator: "\n").first { $0.hasPrefix("Pss:") }
            return sum + (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) * 1024
        }
    }

    /// The busy time of all processors, without the time stolen by other virtual machines.
    static var busySeconds: Double {
        let fields = self.text("/proc/stat")?.prefix { $0 != "\n" }.split(separator: " ").dropFirst().compactMap {
            Double($0)
        }
        guard let fields, fields.count > 6 else { return 0 }
        // user, nice, system, idle, iowait, irq, softirq
        return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6]) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
