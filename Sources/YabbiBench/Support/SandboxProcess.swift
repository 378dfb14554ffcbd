import AdCore

/// `yabbi-play sandbox` in a process of its own.
struct SandboxProcess {
    private let process: PlayProcess
    /// The server's origin.
    let origin: String
    /// The number of the process.
    var id: Int32 { self.process.id }

    /// Starts the server.
    init() throws {
        let process = try PlayProcess(["sandbox"])
        // The line is "listening on" and the origin.
        guard let word = process.nextLine()?.split(separator: " ").last, word.hasPrefix("http://127.0.0.1:") else {
            process.end()
            throw BenchError(message: "the built-in server does not start")
        }
        (self.process, self.origin) = (process, String(word).trimmed)
    }

    /// Ends the process.
    func end() { self.process.end() }
}
