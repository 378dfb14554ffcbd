import AdCore
import LibC
import TestSupport

/// The built command as a child process that a test can kill.
struct ChildCommand {
    private let process: pid_t
    /// The file of its standard output.
    let output: String
    let errors: String

    /// The command beside the test runner; nil if it was not built.
    static let path = BuiltProgram.path(of: "yabbi-play")

    /// Whether a small disk can be mounted in a private mount namespace.
    static let canMount: Bool = {
        var process = pid_t()
        let words = ["/bin/sh", "-c", "unshare -m mount -t tmpfs -o size=64k tmpfs /mnt 2>/dev/null"]
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        guard posix_spawn(&process, words[0], nil, nil, arguments, environ) == 0 else { return false }
        return ChildCommand(process, "", "").wait() == 0
    }()

    private init(_ process: pid_t, _ output: String, _ errors: String) {
        self.process = process
        self.output = output
        self.errors = errors
    }

    /// Starts the command.
    ///
    /// Its output and errors are appended to two files in a folder.
    ///
    /// - Parameters:
    ///   - words: The arguments.
    ///   - folder: The folder of its files.
    ///   - environment: Additional environment variables.
    ///   - limit: The maximum size of files, in blocks of 512 bytes.
    ///   - disk: The size of a disk that is mounted at `disk` in the folder.
    init?(
        _ words: [String],
        in folder: TemporaryFolder,
        environment: [String: String] = [:],
        limit: Int? = nil,
        disk: String? = nil
    ) {
        guard let path = ChildCommand.path else { return nil }
        var words = [path] + words
        if !environment.isEmpty { words = ["/usr/bin/env"] + environment.map { "\($0)=\($1)" } + words }
        var script = "mkdir -p \(folder.path)/disk; "
        // SIGXFSZ is ignored, so that a write beyond the limit fails instead. The output goes through a pipe, because
        // the limit applies to all files.
        if let limit {
            script += "trap '' XFSZ; { ulimit -f \(limit); \"$@\"; echo $? >&3; } 3>\(folder.path)/code | cat; "
        }
        if let disk { script += "mount -t tmpfs -o size=\(disk) tmpfs \(folder.path)/disk && exec \"$@\"" }
        if limit != nil { script += "exit $(cat \(folder.path)/code)" }
        if limit != nil || disk != nil { words = ["/bin/sh", "-c", script, "sh"] + words }
        if disk != nil { words = ["/usr/bin/unshare", "-m"] + words }
        self.output = folder.path + "/out"
        self.errors = folder.path + "/err"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, self.output, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, self.errors, flags, 0o600)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, words[0], &actions, nil, arguments, environ) == 0 else { return nil }
        self.process = process
    }

    /// Waits until it has printed an event; false on a timeout.
    func hasPrinted(_ event: String, within seconds: Int) -> Bool {
        holds(within: seconds) { ChildCommand.lines(self.output).contains { $0["event"]?.string == event } }
    }

    /// Kills it with SIGKILL after a time.
    func kill(after microseconds: UInt32) {
        usleep(microseconds)
        _ = Self.signal(self.process, SIGKILL)
        _ = self.wait()
    }

    /// Sends SIGTERM.
    func terminate() { _ = Self.signal(self.process, SIGTERM) }

    /// Waits for its end.
    ///
    /// Returns the exit code, or nil if a signal ended it, which is printed.
    func wait() -> Int32? {
        var status: Int32 = 0
        while waitpid(self.process, &status, 0) == -1, errno == EINTR {}
        guard status & 0x7F != 0 else { return (status >> 8) & 0xFF }
        if status & 0x7F != SIGKILL { print("yabbi-play was ended by signal \(status & 0x7F)") }
        return nil
    }

    private static func signal(_ process: pid_t, _ number: Int32) -> Int32 {
        LibC.kill(process, number)
    }

    /// The complete lines of JSON in a file.
    static func lines(_ path: String) -> [AdJSON] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { try? AdJSON(parsing: Array($0)) }
    }
}

/// Polls a condition until it is true; false on a timeout.
func holds(within seconds: Int, _ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while .now < deadline {
        if condition() { return true }
        usleep(10_000)
    }
    return condition()
}
