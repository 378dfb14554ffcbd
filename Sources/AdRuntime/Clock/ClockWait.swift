package import AdCore
import SystemSupport

/// A wait of somebody who holds work: time may go on while it lasts, and is held again before it is over.
///
/// Whoever comes first ends it: what was waited for, an alarm, or the cancellation of the task that waits.
package struct ClockWait: Sendable {
    private let clock: any AdClock
    private let isOver = OneShot<Void>()

    /// A wait that nobody has begun.
    package init(_ clock: any AdClock) { self.clock = clock }

    /// Waits until it is ended, as a piece of work that is at rest so long.
    package func wait() async {
        self.clock.workEnded()
        await withTaskCancellationHandler {
            await self.isOver.value
        } onCancel: {
            self.end()
        }
    }

    /// Waits until it is ended, or until a moment has come.
    package func wait(until moment: Moment) async {
        let alarm = self.clock.schedule(at: moment) { self.end() }
        await self.wait()
        self.clock.cancel(alarm)
    }

    /// Ends it; the work of whoever waits counts from here on.
    package func end() {
        self.clock.workBegan()
        if !self.isOver.resolve(()) { self.clock.workEnded() }
    }

    /// Says that nobody will wait; returns false where it was ended already.
    package func abandon() -> Bool {
        let isFirst = self.isOver.resolve(())
        if !isFirst { self.clock.workEnded() }
        return isFirst
    }
}
