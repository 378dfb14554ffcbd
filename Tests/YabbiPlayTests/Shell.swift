import LibC

/// Runs programs of the system.
enum Shell {
    /// Whether a program is in `PATH`.
    static func has(_ program: String) -> Bool { self.run("command -v \(program) >/dev/null").status == 0 }

    /// Runs a line of the shell.
    ///
    /// Returns its output and errors, and its status.
    static func run(_ line: String) -> (output: String, status: Int32) {
        guard let pipe = popen("{ \(line)\n} 2>&1", "r") else { return ("no shell", -1) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { bytes += chunk[..<count] }
        return (String(decoding: bytes, as: UTF8.self), pclose(pipe) >> 8)
    }
}
