import LibC

/// The open file descriptors of this process.
package enum OpenFiles {
    /// The number of open file descriptors.
    package static var count: Int {
        let limit = min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 4096)
        return (0..<limit).count { fcntl($0, F_GETFD) != -1 }
    }

    /// Waits until servers and transports have closed their descriptors; false if some stay open.
    package static func settle(at count: Int) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while self.count > count {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}
