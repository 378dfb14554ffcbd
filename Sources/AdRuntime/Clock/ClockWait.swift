package import AdCore
import SystemSupport

/// A wait that suspends the caller's work: the clock may advance until the wait ends, and not after that.
///
/// It is ended by the first of `end()`, an alarm, and the cancellation of the waiting task.
package struct ClockWait: Sendable {
    private let clock: any AdClock
    private let isOver = OneShot<Void>()

    /// Creates a wait.
    package init(_ clock: any AdClock) { self.clock = clock }

    /// Waits until `end()` is called or the task is cancelled.
    package func wait() async {
        self.clock.workEnded()
        await withTaskCancellationHandler {
            await self.isOver.value
        } onCancel: {
            self.end()
        }
    }

    /// Waits until `end()` is called, the task is cancelled, or a moment has come.
    package func wait(until moment: Moment) async {
        let alarm = self.clock.schedule(at: moment) { self.end() }
        await self.wait()
        self.clock.cancel(alarm)
    }

    /// Ends the wait; the caller's work counts again from here on.
    package func end() {
        self.clock.workStarted()
        if !self.isOver.set(()) { self.clock.workEnded() }
    }

    /// Ends the wait before it has started; returns false if it had already ended.
    package func abandon() -> Bool {
        let isFirst = self.isOver.set(())
        if !isFirst { self.clock.workEnded() }
        return isFirst
    }
}
