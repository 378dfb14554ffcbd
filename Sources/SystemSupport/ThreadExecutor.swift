/// Runs the jobs of an actor on a thread of its own, one after the other: they may block.
///
/// The thread ends after `close()`, when the jobs that were there are done.
package final class ThreadExecutor: SerialExecutor {
    private let jobs: CommandInbox<UnownedJob>
    private let signal = ThreadSignal()

    /// Creates an executor; nil if the system can't create a thread.
    package init?(_ name: String) {
        self.jobs = CommandInbox { [signal] in signal.set() }
        // The thread retains the executor until it is closed.
        guard DedicatedThread.start(name, stack: 1 << 20, { [self] in self.run() }) else { return nil }
    }

    #if canImport(Darwin)
        // `ExecutorJob` requires macOS 14.
        package func enqueue(_ job: UnownedJob) { self.jobs.append(job) }
    #else
        package func enqueue(_ job: consuming ExecutorJob) { self.jobs.append(UnownedJob(job)) }
    #endif

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Lets the thread end.
    package func close() { self.jobs.close() }

    private func run() {
        while true {
            let (jobs, isClosed) = self.jobs.drain()
            for job in jobs { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            if isClosed, jobs.isEmpty { return }
            if jobs.isEmpty, self.jobs.prepareToSleep() { self.signal.wait() }
        }
    }
}
