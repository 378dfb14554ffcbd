import LibC

/// File descriptors that child processes, such as a browser, do not inherit.
package enum PrivateDescriptor {
    /// Creates a pipe; nil if the process has no descriptor left.
    package static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        let result = LibC.pipe(&ends)
        guard result == 0 else { return nil }
        for end in ends { self.keep(end) }
        return (ends[0], ends[1])
    }

    /// Duplicates a descriptor; nil if that fails.
    package static func copy(of descriptor: Int32) -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// Marks a descriptor as close-on-exec.
    package static func keep(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
}
