import CLibcurl

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one thread on which libcurl runs.
enum LoopThread {
    /// The thread's name, as debuggers and `top -H` show it.
    static let name = "yabbi-curl"

    /// Runs the engine to its end on a new thread; false where the system gives none.
    static func start(_ engine: sending Engine) -> Bool {
        let context = Unmanaged.passRetained(engine)
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
        yabbi_name_thread(self.name)
        // The app's signals are the app's. Above all SIGPIPE, which some TLS libraries raise where a peer hangs up,
        // must not end the process. Faults stay visible, for debuggers and crash reports.
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        Unmanaged<Engine>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}
