import LibC
import SystemSupport

/// The file that a trace goes to, in the place of the trace that is there; a new one is for its owner alone.
final class TraceFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// Why not all of it is there; nil where it is.
        var trouble: String?
    }

    private let path: String
    private let state: Locked<State>

    init(_ path: String) throws(TraceFileError) {
        guard !TraceFile.isSomethingElse(path) else {
            throw TraceFileError("the trace can't be written to \(path): that is there already, and no trace")
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TraceFileError("the trace can't be written to \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
        self.state = Locked(State(descriptor: descriptor))
    }

    /// Whether a file is there that holds something, and that is no trace: a slip of the pen must not empty it.
    private static func isSomethingElse(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return false }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: TraceHead.beginning.utf8.count)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        return !bytes.prefix(max(0, count)).elementsEqual(TraceHead.beginning.utf8)
    }

    deinit { close(self.state.withLock(\.descriptor)) }

    /// Why not all of the trace is there; nil where it is.
    var trouble: String? { self.state.withLock(\.trouble) }

    /// Writes a line to the system, so that it survives us.
    func write(_ line: String) {
        self.state.withLock { state in
            guard state.trouble == nil else { return }
            var bytes = Array((line + "\n").utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Self.write(state.descriptor, $0) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    state.trouble = "\(self.path) can't be written: \(String(cString: strerror(errno)))"
                    return
                }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        LibC.write(descriptor, bytes.baseAddress, bytes.count)
    }
}

/// A trace can't be written: why, and where.
public struct TraceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened, in one sentence.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { self.message }
}
