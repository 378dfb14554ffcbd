import CLibcurl

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The threads on which libcurl runs: one for each loop.
enum LoopThread {
    /// What a thread works at until it ends.
    private final class Work {
        let name: String
        let run: () -> Void

        init(_ name: String, _ run: @escaping () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Runs a loop to its end on a new thread; false where the system gives none.
    ///
    /// - Parameters:
    ///   - name: The thread's name, as debuggers and `top -H` show it; at most 15 letters.
    ///   - run: The loop; nothing but the thread holds it.
    /// - Returns: Whether it runs.
    static func start(_ name: String, _ run: sending @escaping () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Work(name, run))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, .init(PTHREAD_CREATE_DETACHED))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let status = pthread_create(&thread, &attributes, { LoopThread.main($0) }, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        yabbi_name_thread(work.name)
        // The app's signals are the app's. Above all SIGPIPE, which some TLS libraries raise where a peer hangs up,
        // must not end the process. Faults stay visible, for debuggers and crash reports.
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        work.run()
        return nil
    }
}
