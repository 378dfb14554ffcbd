import LibC

/// The processor time of the calling thread: what synchronous work costs, however busy the machine is.
public enum ProcessorTime {
    /// What the calling thread has used so far.
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// What `work` costs the calling thread.
    public static func measure(_ work: () throws -> Void) rethrows -> Duration {
        let start = self.now
        try work()
        return self.now - start
    }
}
