import CSystem
import LibC

/// A thread for blocking calls, which must not block the few threads of Swift's concurrency.
///
/// It blocks the app's signals: above all SIGPIPE, which some TLS libraries raise when a peer closes a connection, must
/// not end the process. The signals of crashes stay unblocked, for debuggers and crash reports.
package struct DedicatedThread: Sendable {
    #if canImport(Darwin)
        // An opaque pointer that is never dereferenced.
        private nonisolated(unsafe) let thread: pthread_t
    #else
        private let thread: pthread_t
    #endif

    /// Runs a closure on a new detached thread; returns false if the system can't create one.
    ///
    /// - Parameters:
    ///   - name: The thread's name in debuggers and `top -H`; at most 15 bytes.
    ///   - stack: The size of its stack in bytes; nil for the system's choice.
    ///   - body: The closure, which only the thread retains.
    /// - Returns: Whether the thread was created.
    package static func start(_ name: String, stack: Int? = nil, _ body: sending @escaping () -> Void) -> Bool {
        guard let thread = DedicatedThread(name, stack: stack, body) else { return false }
        pthread_detach(thread.thread)
        return true
    }

    /// Runs a closure on a new thread, which must be joined once; nil if the system can't create one.
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
        for crash in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, crash) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        work.body()
        return nil
    }

    /// The name and the closure of a thread.
    private final class Work {
        let name: String
        let body: () -> Void

        init(_ name: String, _ body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
