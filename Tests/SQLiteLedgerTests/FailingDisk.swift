import CSQLite
import LibC
import SystemSupport

/// A file system for SQLite that reports errors when it is told to make bytes durable, although they are in the file.
///
/// It differs from the system's for files of one folder only (SQLite, "The SQLite OS Interface").
enum FailingDisk {
    private typealias Sync = @convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32

    private struct State {
        /// The name of a test's folder, between slashes; nil between tests.
        var folder: String?
        /// How many of the next requests fail.
        var failing = 0
        /// The original `xSync`.
        var sync: Sync?
        /// The methods of its files by the original ones, from which they differ in `xSync`; those of a log are others
        /// than those of a database.
        var methods: [UInt: UInt] = [:]
    }

    private struct NoFileSystem: Error {}

    /// `SQLITE_IOERR_FSYNC`, which is an expression in C.
    private static let failure = SQLITE_IOERR | 4 << 8

    private static let state = Locked(State())
    nonisolated(unsafe) private static let original = sqlite3_vfs_find(nil)
    /// It is never freed: a connection may be closed after its test.
    nonisolated(unsafe) private static let system: UnsafeMutablePointer<sqlite3_vfs>? = {
        guard let original, let name = strdup("failing-disk") else { return nil }
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: original.pointee)
        system.pointee.zName = UnsafePointer(name)
        system.pointee.pNext = nil
        system.pointee.xOpen = { system, name, file, flags, result in
            let code = FailingDisk.original?.pointee.xOpen(system, name, file, flags, result) ?? SQLITE_ERROR
            if code == SQLITE_OK, let file, let name { FailingDisk.replaceMethods(of: file, String(cString: name)) }
            return code
        }
        return system
    }()

    /// Lets the next requests fail, and returns how many of the earlier ones are left.
    @discardableResult
    static func fail(next count: Int) -> Int {
        self.state.withLock { state in
            defer { state.failing = count }
            return state.failing
        }
    }

    /// Runs a test whose files in a folder are on this file system.
    static func with(_ folder: String, _ body: () async throws -> Void) async throws {
        guard let system else { throw NoFileSystem() }
        let name = folder.split(separator: "/").last ?? ""
        self.state.withLock { ($0.folder, $0.failing) = ("/\(name)/", 0) }
        sqlite3_vfs_register(system, 1)
        defer {
            sqlite3_vfs_register(self.original, 1)
            sqlite3_vfs_unregister(system)
            self.state.withLock { ($0.folder, $0.failing) = (nil, 0) }
        }
        try await body()
    }

    private static func replaceMethods(of file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
        guard let original = file.pointee.pMethods else { return }
        let changed = self.state.withLock { state -> UInt? in
            guard let folder = state.folder, path.contains(folder) else { return nil }
            let key = UInt(bitPattern: original)
            if let known = state.methods[key] { return known }
            state.sync = original.pointee.xSync
            let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            methods.initialize(to: original.pointee)
            methods.pointee.xSync = { file, flags in FailingDisk.sync(file, flags) }
            state.methods[key] = UInt(bitPattern: methods)
            return UInt(bitPattern: methods)
        }
        if let changed { file.pointee.pMethods = UnsafePointer(bitPattern: changed) }
    }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
        let (sync, fails) = self.state.withLock { state in
            defer { state.failing = max(0, state.failing - 1) }
            return (state.sync, state.failing > 0)
        }
        let code = sync?(file, flags) ?? SQLITE_ERROR
        return fails ? self.failure : code
    }
}
