import AdRuntime
import LibC
import SystemSupport

/// Reports SIGINT and SIGTERM, from `init` to `end`.
final class Interruption: Sendable {
    private static let signals = [SIGINT, SIGTERM]
    /// The write end of the pipe; nil after `end`.
    private let writing: Locked<Int32?>

    /// Calls a closure once on a signal, from a separate thread; nil if no pipe or thread can be created.
    init?(_ onSignal: @escaping @Sendable () -> Void) {
        guard let (reading, writing) = PrivateDescriptor.pipe() else { return nil }
        let hasStarted = DedicatedThread.start("yabbi-signals") {
            var byte: UInt8 = 0
            var count = 0
            repeat { count = read(reading, &byte, 1) } while count == -1 && errno == EINTR
            close(reading)
            if count == 1, byte == 1 { onSignal() }
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

    /// Restores the default signal handlers.
    func end() {
        let descriptor = self.writing.withLock { writing in
            defer { writing = nil }
            return writing
        }
        guard let descriptor else { return }
        for number in Interruption.signals { signal(number, SIG_DFL) }
        // The reading thread gets the end of the file, and ends.
        close(descriptor)
    }

    /// Waits for SIGINT or SIGTERM.
    static func wait() async {
        let signaled = OneShot<Void>()
        guard let interruption = Interruption({ signaled.set(()) }) else { return }
        await signaled.value
        interruption.end()
    }
}

/// The descriptor for the signal handler, written before the handler is set: few operations are async-signal-safe.
private enum InterruptionPipe {
    nonisolated(unsafe) static var end: Int32 = -1
}
