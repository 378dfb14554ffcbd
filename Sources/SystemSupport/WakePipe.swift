package import LibC

/// A pipe that wakes a thread from `poll`.
package final class WakePipe: Sendable {
    /// The readable end, for a `poll` with further files.
    package let reading: Int32
    private let writing: Int32

    /// Creates the pipe; nil if the process has no descriptor left.
    package init?() {
        guard let (reading, writing) = PrivateDescriptor.pipe() else { return nil }
        (self.reading, self.writing) = (reading, writing)
        // Both ends are non-blocking.
        for end in [reading, writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(self.reading)
        close(self.writing)
    }

    /// Ends the current wait or the next one.
    ///
    /// A failed write to a full pipe is ignored: the pipe is readable already.
    package func wake() {
        var byte: UInt8 = 0
        _ = write(self.writing, &byte, 1)
    }

    /// Waits until `ring()` is called or a time has passed; with nil without a limit.
    ///
    /// It may return early.
    package func wait(atMost duration: Duration?) {
        var wanted = [pollfd(fd: self.reading, events: Int16(POLLIN), revents: 0)]
        self.wait(for: &wanted, atMost: duration)
    }

    /// Waits until one of several files is ready or a time has passed; the first file is this pipe.
    ///
    /// It may return early. The pipe is cleared afterwards.
    package func wait(for files: inout [pollfd], atMost duration: Duration?) {
        // Rounded up, because a wait that ends too early would be repeated in a busy loop.
        let milliseconds = duration.map { Int32(min(max(0, $0 / .milliseconds(1)), 1e9)) + 1 } ?? -1
        guard poll(&files, nfds_t(files.count), milliseconds) > 0 else {
            for place in files.indices { files[place].revents = 0 }
            return
        }
        if files[0].revents != 0 { self.clear() }
    }

    /// Clears the pipe, so that the next wait blocks.
    package func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(self.reading, &bytes, bytes.count) == bytes.count {}
    }
}
