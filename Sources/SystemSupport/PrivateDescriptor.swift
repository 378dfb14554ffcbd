import LibC

/// Descriptors that are this process's alone: a browser that is started from it would keep them open.
package enum PrivateDescriptor {
    /// A pipe; nil where the process has no descriptor left.
    package static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        let result = LibC.pipe(&ends)
        guard result == 0 else { return nil }
        for end in ends { self.keep(end) }
        return (ends[0], ends[1])
    }

    /// Another descriptor of the same file; nil where there is none.
    package static func copy(of descriptor: Int32) -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// Keeps a descriptor from what is started.
    package static func keep(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
}
