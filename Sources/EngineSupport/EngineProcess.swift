package import LibC

/// How an engine's process is started.
package struct EngineLaunch: Hashable, Sendable {
    /// The path of the program, and its arguments.
    package var arguments: [String]
    package var environment: [String: String]

    package init(_ arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }
}

/// Why an engine's process did not start.
package struct EngineStartFailure: Error, Hashable, Sendable {
    package let message: String
}

/// The process of an engine, which reads commands from file descriptor 3 and writes messages to 4.
package struct EngineProcess: Sendable {
    /// The identifier of the process and of its process group.
    package let id: pid_t
    /// The file descriptor from which the browser's messages are read.
    package let reading: Int32
    /// The file descriptor to which commands are written.
    package let writing: Int32
    /// The file with its error output.
    private let log: String
    /// Lines of the log with these texts are not the reason of a failure.
    private let ignored: [String]

    /// Starts a process.
    ///
    /// - Parameters:
    ///   - plan: The program.
    ///   - log: The path of the file for its error output.
    ///   - ignored: Texts of lines in the log that are not the reason of a failure.
    /// - Returns: The running process.
    /// - Throws: `EngineStartFailure` if the program can't be started.
    package static func start(
        _ plan: EngineLaunch,
        log: String,
        ignoring ignored: [String] = []
    ) throws(EngineStartFailure) -> EngineProcess {
        var (hostEnds, browserEnds): ([Int32], [Int32]) = ([], [])
        defer { for file in browserEnds { close(file) } }
        for _ in 0..<2 {
            guard let (near, far) = self.socketPair() else {
                for file in hostEnds { close(file) }
                throw EngineStartFailure(message: "no file descriptors are left for the browser's pipe")
            }
            hostEnds.append(near)
            browserEnds.append(far)
        }
        let (status, id) = self.spawn(plan, reading: browserEnds[0], writing: browserEnds[1], log: log)
        guard status == 0 else {
            for file in hostEnds { close(file) }
            let reason = String(cString: strerror(status))
            throw EngineStartFailure(message: "\(plan.arguments[0]) could not be started: \(reason)")
        }
        return EngineProcess(id: id, reading: hostEnds[1], writing: hostEnds[0], log: log, ignored: ignored)
    }

    /// A socket pair that other child processes don't inherit, with descriptors above 9: the process uses 3 and 4.
    private static func socketPair() -> (near: Int32, far: Int32)? {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
        #else
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        #endif
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        for end in ends { close(end) }
        guard high.allSatisfy({ $0 >= 0 }) else {
            for end in high where end >= 0 { close(end) }
            return nil
        }
        return (high[0], high[1])
    }

    private static func spawn(_ plan: EngineLaunch, reading: Int32, writing: Int32, log: String) -> (Int32, pid_t) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600)
        posix_spawn_file_actions_adddup2(&actions, reading, 3)
        posix_spawn_file_actions_adddup2(&actions, writing, 4)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own, so that Ctrl-C does not reach it; the host ends it. Signal handling is reset to
        // defaults.
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        posix_spawnattr_setflags(&attributes, Int16(flags))
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)

        let arguments = plan.arguments.map { strdup($0) }
        let environment = plan.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in arguments + environment { free(text) } }
        var id: pid_t = 0
        let status = posix_spawn(&id, plan.arguments[0], &actions, &attributes, arguments + [nil], environment + [nil])
        return (status, id)
    }

    /// Waits for the process to exit, and kills its group after the limit; blocks until then.
    package func end(within limit: Duration) {
        let deadline = ContinuousClock.now + limit
        var status: Int32 = 0
        while waitpid(self.id, &status, WNOHANG) == 0, .now < deadline { usleep(5_000) }
        // The rest of the group, which can outlive the first process.
        kill(-self.id, SIGKILL)
        waitpid(self.id, &status, 0)
    }

    /// The last meaningful line of a log.
    ///
    /// Lines with an ignored text are the last resort.
    package static func lastError(in log: String, ignoring ignored: [String] = []) -> String? {
        let lines = log.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        return (lines.last { line in !ignored.contains { line.contains($0) } } ?? lines.last).map(String.init)
    }

    /// The last error in the log; nil for none.
    package var lastError: String? {
        let file = open(self.log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let size = lseek(file, 0, SEEK_END)
        lseek(file, max(0, size - 4_096), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return EngineProcess.lastError(in: String(decoding: bytes[..<count], as: UTF8.self), ignoring: self.ignored)
    }
}
