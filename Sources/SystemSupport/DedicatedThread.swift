import CSystem
import LibC

/// A thread for what blocks: a blocked read has no place on one of the few threads that tasks share.
///
/// It takes none of the app's signals: above all SIGPIPE, which some TLS libraries raise where a peer hangs up, must not
/// end the process. Faults stay visible, for debuggers and crash reports.
package struct DedicatedThread: Sendable {
    #if canImport(Darwin)
        // A pointer that nobody follows: it names the thread.
        private nonisolated(unsafe) let thread: pthread_t
    #else
        private let thread: pthread_t
    #endif

    /// Runs a body to its end on a new thread, which nobody has to wait for; false where the system gives none.
    ///
    /// - Parameters:
    ///   - name: The thread's name, as debuggers and `top -H` show it; at most 15 letters.
    ///   - stack: The size of its stack in bytes; nil for the system's choice.
    ///   - body: What it does; nothing but the thread holds it.
    /// - Returns: Whether it runs.
    package static func start(_ name: String, stack: Int? = nil, _ body: sending @escaping () -> Void) -> Bool {
        guard let thread = DedicatedThread(name, stack: stack, body) else { return false }
        pthread_detach(thread.thread)
        return true
    }

    /// Runs a body on a new thread that has to be joined, once; nil where the system gives none.
    package init?(_ name: String, stack: Int? = nil, _ body: sending @escaping () -> Void) {
        let context = Unmanaged.passRetained(Work(name, body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        if let stack { pthread_attr_setstacksize(&attributes, stack) }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        guard pthread_create(&thread, &attributes, { DedicatedThread.main($0) }, context.toOpaque()) == 0 else {
            context.release()
            return nil
        }
        #if canImport(Darwin)
            guard let thread else { return nil }
        #endif
        self.thread = thread
    }

    /// Waits until the thread has ended.
    package func join() { pthread_join(self.thread, nil) }

    private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        yabbi_name_thread(work.name)
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        work.body()
        return nil
    }

    /// What a thread works at until it ends.
    private final class Work {
        let name: String
        let body: () -> Void

        init(_ name: String, _ body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
