import LibC
import TestSupport

/// A process of `ledger-host`.
struct HostProcess {
    private let process: pid_t
    /// The file of its output, to which later processes append.
    let output: String

    /// The program beside the test runner, or that of `YABBI_LEDGER_HOST`; nil if it was not built.
    static let path = getenv("YABBI_LEDGER_HOST").map { String(cString: $0) } ?? BuiltProgram.path(of: "ledger-host")

    init?(_ words: [String], in folder: TemporaryFolder, output name: String) {
        guard let path = HostProcess.path else { return nil }
        self.output = "\(folder.path)/\(name)"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, self.output, flags, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, self.output + ".errors", flags, 0o600)
        let arguments = ([path] + words).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, path, &actions, nil, arguments, environ) == 0 else { return nil }
        self.process = process
    }

    func signal(_ number: Int32) { kill(self.process, number) }

    /// Whether it has ended.
    func hasEnded() -> Bool {
        var status: Int32 = 0
        return waitpid(self.process, &status, WNOHANG) == self.process
    }

    /// Kills it, and waits for its end.
    func end() {
        self.signal(SIGKILL)
        var status: Int32 = 0
        while waitpid(self.process, &status, 0) == -1, errno == EINTR {}
    }

    /// The complete lines of a file.
    static func lines(_ path: String) -> [String] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
