import LibC

extension AdBundle {
    /// Reads a folder.
    ///
    /// Hidden files are left out, and no link is followed: what is outside the folder stays outside.
    package init(folder: String) throws(BundleError) { try self.init(folder: folder, within: .standard) }

    /// The same with other limits.
    package init(folder: String, within limits: BundleLimits) throws(BundleError) {
        var reader = FolderReader(folder, limits)
        do throws(BundleError.Reason) {
            try reader.read()
        } catch {
            throw BundleError(folder, error)
        }
        let last = folder.split(separator: "/").last
        // `.` and `..` name no folder.
        try self.init(reader.collector, called: last.map { $0.hasPrefix(".") ? folder : String($0) } ?? folder)
    }
}
