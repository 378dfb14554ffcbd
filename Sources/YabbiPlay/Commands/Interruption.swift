import AdRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Waits for the user to end a command that runs until it is ended.
enum Interruption {
    /// Returns when the process is interrupted or asked to end.
    static func wait() async {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return }
        InterruptionPipe.end = ends[1]
        for number in [SIGINT, SIGTERM] {
            signal(number) { _ in
                var byte: UInt8 = 1
                _ = write(InterruptionPipe.end, &byte, 1)
            }
        }
        let reading = ends[0]
        let ended = OneShot<Void>()
        // A blocked read belongs on a thread of its own, not on one that tasks share.
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Waiting(reading, ended))
        let status = pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                let waiting = Unmanaged<Waiting>.fromOpaque(pointer).takeRetainedValue()
                var byte: UInt8 = 0
                while read(waiting.descriptor, &byte, 1) == -1, errno == EINTR {}
                waiting.ended.resolve(())
                return nil
            },
            context.toOpaque()
        )
        guard status == 0 else { return context.release() }
        pthread_detach(thread)
        await ended.value
    }

    private final class Waiting: Sendable {
        let descriptor: Int32
        let ended: OneShot<Void>

        init(_ descriptor: Int32, _ ended: OneShot<Void>) {
            self.descriptor = descriptor
            self.ended = ended
        }
    }
}

/// A signal handler may touch next to nothing: one number, written before the handler is set.
private enum InterruptionPipe {
    nonisolated(unsafe) static var end: Int32 = -1
}
