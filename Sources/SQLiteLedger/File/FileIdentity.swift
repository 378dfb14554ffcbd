import LibC

/// The device and inode of a file, which identify it independently of its path.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let node: UInt64

    /// The identity as SQLite integers.
    var numbers: [Int64] { [Int64(bitPattern: self.device), Int64(bitPattern: self.node)] }

    /// The identity of the file at a path; nil if there is none.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.device = UInt64(truncatingIfNeeded: info.st_dev)
        self.node = UInt64(truncatingIfNeeded: info.st_ino)
    }
}
