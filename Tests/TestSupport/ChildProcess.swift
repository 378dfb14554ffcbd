import LibC

/// A server that is a process of its own, for as long as a test needs it.
public struct ChildProcess {
    private let number: Int32
    private let output: UnsafeMutablePointer<FILE>

    /// Starts a shell that becomes the server by `exec`, and reads its lines until one says that it is ready.
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

    /// Ends the process, and waits until it has.
    public func stop() {
        // The child has inherited a mask of signals in which SIGTERM never arrives.
        if self.number > 0 { kill(self.number, SIGKILL) }
        pclose(self.output)
    }

    /// Waits until the process ends by itself; returns what it still said, and its status.
    public func finish() -> (text: String, status: Int32) {
        var text = ""
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), self.output) != nil {
            text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        // A shell that became the process hands its status on in the second byte.
        return (text, pclose(self.output) >> 8)
    }
}
