import LibC
import SystemSupport

/// The file of a trace; replaces an earlier trace, and gives a new file permissions for its owner only.
final class TraceFile: Sendable {
    private struct State {
        var descriptor: Int32
        /// Why the trace is incomplete; nil if it is complete.
        var failure: String?
    }

    private let path: String
    private let state: Locked<State>

    init(_ path: String) throws(TraceFileError) {
        guard !TraceFile.isOtherFile(path) else {
            throw TraceFileError("the trace can't be written to \(path): the file exists and is no trace")
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TraceFileError("the trace can't be written to \(path): \(String(cString: strerror(errno)))")
        }
        self.path = path
        self.state = Locked(State(descriptor: descriptor))
    }

    /// Whether a non-empty file exists that is no trace; a mistyped path must not overwrite it.
    private static func isOtherFile(_ path: String) -> Bool {
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

    /// Why the trace is incomplete; nil if it is complete.
    var failure: String? { self.state.withLock(\.failure) }

    /// Writes a line without buffering, so that it survives a crash.
    func write(_ line: String) {
        self.state.withLock { state in
            guard state.failure == nil else { return }
            var bytes = Array((line + "\n").utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Self.write(state.descriptor, $0) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    state.failure = "\(self.path) can't be written: \(String(cString: strerror(errno)))"
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

/// A trace can't be written.
public struct TraceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path and the reason, in one sentence.
    public let message: String

    init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { self.message }
}
