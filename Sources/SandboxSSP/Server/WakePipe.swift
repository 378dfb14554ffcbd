import AdCore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Wakes a thread that waits for time to pass.
final class WakePipe: Sendable {
    /// What can be read when it has rung: for whoever waits for more than this.
    let reading: Int32
    private let writing: Int32

    /// Makes the pipe, or returns nil where the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (self.reading, self.writing) = (ends[0], ends[1])
        for end in ends {
            // Neither end may block, and a browser that is started from this process must not inherit them.
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(self.reading)
        close(self.writing)
    }

    /// Ends the wait that is under way, or the next one.
    ///
    /// A full pipe is no fault: it is read as a ring already.
    func ring() {
        var byte: UInt8 = 0
        _ = write(self.writing, &byte, 1)
    }

    /// Waits until it rings, or until a time has passed; nil: for as long as it takes.
    ///
    /// It may return early.
    func wait(atMost duration: Duration?) {
        var wanted = pollfd(fd: self.reading, events: Int16(POLLIN), revents: 0)
        // One more millisecond than the whole ones: a wait that ends a moment early would be taken up again and again.
        let milliseconds = duration.map { Int32(clamping: max(0, $0.wholeMilliseconds) + 1) } ?? -1
        if poll(&wanted, 1, milliseconds) > 0 { self.silence() }
    }

    /// Makes it ready to ring again.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(self.reading, &bytes, bytes.count) == bytes.count {}
    }
}

/// Starts a thread; nil where the system has none left.
///
/// It has to be joined.
func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Glibc)
        var thread = pthread_t()
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            work.toOpaque()
        )
    #else
        var thread: pthread_t?
        let status = pthread_create(
            &thread,
            nil,
            { argument in
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            work.toOpaque()
        )
    #endif
    guard status == 0 else {
        work.release()
        return nil
    }
    return thread
}
