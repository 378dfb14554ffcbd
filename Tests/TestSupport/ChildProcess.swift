import LibC

/// A server in a child process.
public struct ChildProcess {
    private let number: Int32
    private let output: UnsafeMutablePointer<FILE>

    /// Starts a shell command that must `exec` the server, and reads its output until a line is the ready line.
    public init?(_ command: String, isReady: (String) -> Bool) {
        guard let output = popen("echo $$ && " + command, "r") else { return nil }
        self.output = output
        var line = [CChar](repeating: 0, count: 512)
        var number: Int32?
        while fgets(&line, Int32(line.count), output) != nil {
            let bytes = line.prefix { $0 != 0 && $0 != CChar(bitPattern: UInt8(ascii: "\n")) }
            let text = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if number == nil {
                number = Int32(text)
            } else if isReady(text) {
                self.number = number ?? 0
                return
            }
        }
        pclose(output)
        return nil
    }

    /// Kills the process and waits until it has ended.
    public func stop() {
        // SIGKILL, because the child inherits a signal mask that blocks SIGTERM.
        if self.number > 0 { kill(self.number, SIGKILL) }
        pclose(self.output)
    }

    /// Waits until the process ends by itself; returns the rest of its output, and its exit status.
    public func finish() -> (text: String, status: Int32) {
        var text = ""
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), self.output) != nil {
            text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        // The exit status is the second byte of the wait status.
        return (text, pclose(self.output) >> 8)
    }
}
