import LibC

/// The files, sockets and pipes that this process has open.
enum OpenFiles {
    /// How many there are.
    static var count: Int {
        let limit = min(Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))), 4096)
        return (0..<limit).count { fcntl($0, F_GETFD) != -1 }
    }

    /// Waits until the threads of servers and transports have closed theirs; false where something stays.
    static func settle(at count: Int) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while self.count > count {
            guard ContinuousClock.now < deadline else { return false }
            await Task.yield()
        }
        return true
    }
}
