import AdCore
import LibC

/// `yabbi-play sandbox` in a process of its own.
struct SandboxProcess {
    private let output: UnsafeMutablePointer<FILE>
    private let process: Int32
    /// The server's origin.
    let origin: String

    /// Starts the server.
    init() throws {
        let command = try PlayCommand.path()
        guard let file = popen("echo $$; exec '\(command)' sandbox 2>&1", "r") else {
            throw BenchError(message: "can't start yabbi-play")
        }
        var buffer = [CChar](repeating: 0, count: 4096)
        func next() -> String? {
            guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let process = Int32(next()?.trimmed ?? "") ?? 0
        var origin: String?
        while origin == nil, let line = next() {
            origin = line.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") }.map { text in
                String(text).trimmed.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(
                    separator: "/"
                )
            }
        }
        guard let origin, process > 0 else {
            pclose(file)
            throw BenchError(message: "the built-in server does not start")
        }
        (self.output, self.process, self.origin) = (file, process, origin)
    }

    /// Ends the process.
    func end() {
        kill(self.process, SIGINT)
        pclose(self.output)
    }
}
