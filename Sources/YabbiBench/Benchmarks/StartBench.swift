import AdCore
import LibC

/// Starts of the command: a file is inspected, in a process of its own.
enum StartBench {
    static func run(_ bench: BenchContext) throws {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let file = folder.file("ad")
        guard BenchFolder.write(SampleVAST.document(ads: 1), file) else {
            throw BenchError(message: "can't write a file into a temporary folder")
        }
        let words = [try PlayProcess.path(), "inspect", file]
        let hasPeer = try self.start(["node", "-e", "0"]) != nil
        var pairs = PairedSamples(warmUp: 2)
        for _ in 0..<bench.full(42, quick: 3) {
            guard let own = try self.start(words) else { throw BenchError(message: "yabbi-play can't inspect a file") }
            pairs.add(own, baseline: hasPeer ? try self.start(["node", "-e", "0"]) ?? 0 : 0)
        }
        let what = "yabbi-play inspect, from its start to its end"
        bench.report(what, pairs, against: "node -e 0", .each("ms"), target: .valueAtMost(12))
        if !hasPeer { bench.skip("node -e 0", "node is not installed") }
    }

    /// The milliseconds that a program runs, without its output; nil if it fails.
    private static func start(_ words: [String]) throws -> Double? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        var status: Int32 = 0
        let passed = ContinuousClock().measure {
            guard posix_spawnp(&process, words[0], &actions, nil, arguments, environ) == 0 else { return status = -1 }
            while waitpid(process, &status, 0) == -1, errno == EINTR {}
        }
        return status == 0 ? passed.inMicroseconds / 1000 : nil
    }
}
