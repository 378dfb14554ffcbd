import AdCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The benchmarks: `yabbi-bench load`, `sessions`, `chain`, `memory`, `beacons`, `cards`, `sockets`, `stage`, `parse FILE…`, each
/// with `--json`.
@main
struct YabbiBench {
    static func main() async {
        // A peer that goes away is found out by what it does not answer.
        signal(SIGPIPE, SIG_IGN)
        let wish: Wish
        do throws(WishError) {
            wish = try Wish(parsing: Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain(
                "yabbi-bench: \(error.message); usage: yabbi-bench load|sessions|chain|memory|beacons|cards|sockets|stage|parse FILE… [--json]"
            )
            exit(2)
        }
        do {
            switch wish.benchmark {
            case .load: show(try await LoadBench.run(), wish.isJSON)
            case .chain: show(try await ChainBench.run(), wish.isJSON)
            case .beacons: show(try await BeaconBench.run(), wish.isJSON)
            case .cards: show(try await CardBench.run(), wish.isJSON)
            case .sockets: show(try await SocketBench.run(), wish.isJSON)
            case .stage: show(try await StageBench.run(), wish.isJSON)
            case .memory: show(try MemoryBench.run(), wish.isJSON)
            case .parse: show(try ParseBench.run(wish.files), wish.isJSON)
            case .sessions: show(try await LiveBench.run() + SessionBench.run(), wish.isJSON)
            }
        } catch {
            complain("yabbi-bench: \(error)")
            exit(1)
        }
    }

    private static func complain(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static func show(_ figures: [JSON], _ isJSON: Bool) {
        for figure in figures {
            if isJSON {
                print(figure.text())
            } else if case .object(let members) = figure {
                print(members.map { "\($0.name) \($0.value.string ?? $0.value.text())" }.joined(separator: "  "))
            }
        }
    }
}

/// What the system says of this process.
enum ProcessFigures {
    /// Memory in use, in bytes.
    static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The most memory that was in use since the peak was reset, in bytes.
    static var peakBytes: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return (Int(text.filter(\.isNumber)) ?? 0) * 1024
        }
        return 0
    }

    /// Begins to look for the peak anew; free memory goes back to the system first.
    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// Processor time spent so far, in seconds.
    static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The middle of some values.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }

    /// A value with two digits behind the point.
    static func rounded(_ value: Double) -> JSON { .double((value * 100).rounded() / 100) }
}
