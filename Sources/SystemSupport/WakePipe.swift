package import LibC

/// Wakes a thread that waits for something else, or for time to pass.
package final class WakePipe: Sendable {
    /// What can be read when it has rung: for whoever waits for more than this.
    package let reading: Int32
    private let writing: Int32

    /// Makes the pipe, or returns nil where the process has no descriptor left.
    package init?() {
        guard let (reading, writing) = PrivateDescriptor.pipe() else { return nil }
        (self.reading, self.writing) = (reading, writing)
        // Neither end may block.
        for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(self.reading)
        close(self.writing)
    }

    /// Ends the wait that is under way, or the next one.
    ///
    /// A full pipe is no fault: it is read as a ring already.
    package func ring() {
        var byte: UInt8 = 0
        _ = write(self.writing, &byte, 1)
    }

    /// Waits until it rings, or until a time has passed; nil: for as long as it takes.
    ///
    /// It may return early.
    package func wait(atMost duration: Duration?) {
        var wanted = [pollfd(fd: self.reading, events: Int16(POLLIN), revents: 0)]
        self.wait(for: &wanted, atMost: duration)
    }

    /// Waits until something can be done with one of several files, the first of which is this pipe, or until a time has
    /// passed.
    ///
    /// It may return early. The pipe is ready to ring again afterwards.
    package func wait(for files: inout [pollfd], atMost duration: Duration?) {
        // One more millisecond than the whole ones: a wait that ends a moment early would be taken up again and again.
        let milliseconds = duration.map { Int32(min(max(0, $0 / .milliseconds(1)), 1e9)) + 1 } ?? -1
        guard poll(&files, nfds_t(files.count), milliseconds) > 0 else {
            for place in files.indices { files[place].revents = 0 }
            return
        }
        if files[0].revents != 0 { self.silence() }
    }

    /// Makes it ready to ring again.
    package func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(self.reading, &bytes, bytes.count) == bytes.count {}
    }
}
