import LibC

/// Which file a path leads to at the moment, whatever it is called.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let node: UInt64

    /// The same as numbers that SQLite can hold.
    var numbers: [Int64] { [Int64(bitPattern: self.device), Int64(bitPattern: self.node)] }

    /// The file behind a path; nil where there is none.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.device = UInt64(truncatingIfNeeded: info.st_dev)
        self.node = UInt64(truncatingIfNeeded: info.st_ino)
    }
}
