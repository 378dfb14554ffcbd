import AdRuntime
import LibC
import SystemSupport

/// Reports that the process is interrupted or asked to end, from `init` to `end`.
final class Interruption: Sendable {
    private static let signals = [SIGINT, SIGTERM]
    /// The end of the pipe that is written to; nil after `end`.
    private let writing: Locked<Int32?>

    /// Calls a closure once, from a thread of its own; nil where the system has no pipe or no thread to give.
    init?(_ heard: @escaping @Sendable () -> Void) {
        guard let (reading, writing) = PrivateDescriptor.pipe() else { return nil }
        let hasStarted = DedicatedThread.start("yabbi-signals") {
            var byte: UInt8 = 0
            var count = 0
            repeat { count = read(reading, &byte, 1) } while count == -1 && errno == EINTR
            close(reading)
            if count == 1, byte == 1 { heard() }
        }
        guard hasStarted else {
            for descriptor in [reading, writing] { close(descriptor) }
            return nil
        }
        self.writing = Locked(writing)
        InterruptionPipe.end = writing
        for number in Interruption.signals {
            signal(number) { _ in
                var byte: UInt8 = 1
                _ = write(InterruptionPipe.end, &byte, 1)
            }
        }
    }

    /// Listens no more; from here on the signals do what they always do.
    func end() {
        let descriptor = self.writing.withLock { writing in
            defer { writing = nil }
            return writing
        }
        guard let descriptor else { return }
        for number in Interruption.signals { signal(number, SIG_DFL) }
        // The thread that reads finds nothing, and ends.
        close(descriptor)
    }

    /// Returns when the process is interrupted or asked to end.
    static func wait() async {
        let heard = OneShot<Void>()
        guard let interruption = Interruption({ heard.resolve(()) }) else { return }
        await heard.value
        interruption.end()
    }
}

/// A signal handler may touch next to nothing: one number, written before the handler is set.
private enum InterruptionPipe {
    nonisolated(unsafe) static var end: Int32 = -1
}
