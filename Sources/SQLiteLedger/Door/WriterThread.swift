import CSQLite

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The one thread on which a ledger's SQLite runs.
enum WriterThread {
    /// The thread's name, as debuggers and `top -H` show it.
    static let name = "yabbi-ledger"

    /// Runs the writer to its end on a new thread; false where the system gives none.
    static func start(_ writer: sending Writer) -> Bool {
        let context = Unmanaged.passRetained(writer)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, .init(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 << 10)
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let status = pthread_create(&thread, &attributes, { WriterThread.main($0) }, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        yabbi_name_writer(self.name)
        // The app's signals are the app's; faults stay visible, for debuggers and crash reports.
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        Unmanaged<Writer>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
}
