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
        let hasStarted = OwnThread.start {
            var byte: UInt8 = 0
            while read(reading, &byte, 1) == -1, errno == EINTR {}
            ended.resolve(())
        }
        if hasStarted { await ended.value }
    }
}

/// A signal handler may touch next to nothing: one number, written before the handler is set.
private enum InterruptionPipe {
    nonisolated(unsafe) static var end: Int32 = -1
}
