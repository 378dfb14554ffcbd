import CSQLite
import LibC
import SystemSupport

/// A file system for SQLite that reports errors when it is told to make bytes durable, although they are in the file (SQLite,
/// "The SQLite OS Interface").
enum FailingDisk {
    private struct NoFileSystem: Error {}

    /// How many of the next requests fail.
    private static let failing = Locked(0)
    nonisolated(unsafe) private static let original = sqlite3_vfs_find(nil)
    nonisolated(unsafe) private static var sync: (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?
    /// The methods of its files by the original ones, from which they differ in `xSync`; the log's are not the database's.
    nonisolated(unsafe) private static var methods:
        [UnsafePointer<sqlite3_io_methods>: UnsafePointer<sqlite3_io_methods>] = [:]

    /// Lets the next requests fail, and returns how many of the earlier ones are left.
    @discardableResult
    static func fail(next count: Int) -> Int {
        self.failing.withLock { failing in
            defer { failing = count }
            return failing
        }
    }

    /// Runs a test whose files are on this file system.
    static func with(_ body: () async throws -> Void) async throws {
        guard let original, let name = strdup("failing-disk") else { throw NoFileSystem() }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: original.pointee)
        system.pointee.zName = UnsafePointer(name)
        system.pointee.pNext = nil
        system.pointee.xOpen = { system, name, file, flags, result in
            let code = FailingDisk.original?.pointee.xOpen(system, name, file, flags, result) ?? SQLITE_ERROR
            if code == SQLITE_OK, let file { FailingDisk.replaceMethods(of: file) }
            return code
        }
        sqlite3_vfs_register(system, 1)
        defer {
            sqlite3_vfs_unregister(system)
            sqlite3_vfs_register(original, 1)
            system.deallocate()
            free(name)
        }
        try await body()
    }

    private static func replaceMethods(of file: UnsafeMutablePointer<sqlite3_file>) {
        guard let original = file.pointee.pMethods else { return }
        if let known = self.methods[original] {
            file.pointee.pMethods = known
            return
        }
        self.sync = original.pointee.xSync
        let changed = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        changed.initialize(to: original.pointee)
        changed.pointee.xSync = { file, flags in
            let code = FailingDisk.sync?(file, flags) ?? SQLITE_ERROR
            let fails = FailingDisk.failing.withLock { failing in
                defer { failing = max(0, failing - 1) }
                return failing > 0
            }
            return fails ? SQLITE_IOERR | 4 << 8 : code
        }
        self.methods[original] = UnsafePointer(changed)
        file.pointee.pMethods = UnsafePointer(changed)
    }
}
