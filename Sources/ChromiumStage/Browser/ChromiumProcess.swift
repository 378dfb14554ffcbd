import LibC

/// A browser's process.
struct ChromiumProcess: Sendable {
    /// The identifier of the process and of its process group.
    let id: pid_t
    /// The file descriptor from which the browser's messages are read.
    let reading: Int32
    /// The file descriptor to which commands are written.
    let writing: Int32
    /// The file with its error output, in the profile folder.
    private let log: String

    /// Starts a browser.
    static func start(_ plan: LaunchPlan, log: String) throws(ChromiumError) -> ChromiumProcess {
        var (hostEnds, browserEnds): ([Int32], [Int32]) = ([], [])
        defer { for file in browserEnds { close(file) } }
        for _ in 0..<2 {
            guard let (near, far) = self.socketPair() else {
                for file in hostEnds { close(file) }
                throw .notStarted("no file descriptors are left for the browser's pipe")
            }
            hostEnds.append(near)
            browserEnds.append(far)
        }
        let (status, id) = self.spawn(plan, reading: browserEnds[0], writing: browserEnds[1], log: log)
        guard status == 0 else {
            for file in hostEnds { close(file) }
            let reason = String(cString: strerror(status))
            throw .notStarted("\(plan.arguments[0]) could not be started: \(reason)")
        }
        return ChromiumProcess(id: id, reading: hostEnds[1], writing: hostEnds[0], log: log)
    }

    /// A socket pair that other child processes don't inherit, with descriptors above 9: the browser uses 3 and 4.
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

    private static func spawn(_ plan: LaunchPlan, reading: Int32, writing: Int32, log: String) -> (Int32, pid_t) {
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
    func end(within limit: Duration) {
        let deadline = ContinuousClock.now + limit
        var status: Int32 = 0
        while waitpid(self.id, &status, WNOHANG) == 0, .now < deadline { usleep(5_000) }
        // The rest of the group, which can outlive the first process.
        kill(-self.id, SIGKILL)
        waitpid(self.id, &status, 0)
    }

    /// The last meaningful line of a log.
    ///
    /// Ignored are errors about the message bus, which is disabled on purpose, and the final line about the platform,
    /// which follows the actual reason.
    static func lastError(in log: String) -> String? {
        let ignored = ["/bus.cc", "The platform failed to initialize"]
        let lines = log.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        return (lines.last { line in !ignored.contains { line.contains($0) } } ?? lines.last).map(String.init)
    }

    /// The last error in the log; nil for none.
    var lastError: String? {
        let file = open(self.log, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let size = lseek(file, 0, SEEK_END)
        lseek(file, max(0, size - 4_096), SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return ChromiumProcess.lastError(in: String(decoding: bytes[..<count], as: UTF8.self))
    }
}
