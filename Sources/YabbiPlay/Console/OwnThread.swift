#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A thread for what blocks: a blocked read has no place on one of the few threads that tasks share.
enum OwnThread {
    /// Runs a body on a thread of its own; false where the system gives none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Body(body))
        guard pthread_create(&thread, nil, { OwnThread.run($0) }, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        return true
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().body()
        return nil
    }

    private final class Body: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
