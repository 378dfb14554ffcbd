package import AdCore

/// An HTML5 ad of several files, read into memory from a zip file or a folder.
///
/// What can't be part of an ad is left out with an issue. A bundle that is too large, or has no page, is a
/// ``BundleError``. The layout of folders stays as it is, as on an ad server that unpacks the zip.
package struct AdBundle: Hashable, Sendable {
    /// A file of the bundle.
    package struct File: Hashable, Sendable {
        package let bytes: [UInt8]
        /// The value of a `Content-Type` header, by the name's extension.
        package let contentType: String

        /// Whether it is a page, a script, a style or another text.
        package var isText: Bool { self.contentType.hasSuffix("charset=utf-8") }
    }

    /// The name of the zip file or folder.
    package let name: String
    /// The files by path: without a slash at the beginning, `.` or `..`.
    ///
    /// In Swift two spellings of `é` are equal, on servers they are not: use ``file(at:)`` for requests of an ad.
    package let files: [String: File]
    /// The path of the page that the ad begins with; one of ``files``.
    package let indexPath: String
    /// What was left out or repaired, in the order in which it was found; at most ``BundleLimits/issues`` of them.
    package let issues: [AdIssue]
    /// The bytes of all files, unpacked.
    package let totalBytes: Int

    /// The path of a file by its lower-case spelling; of several, the first.
    let spellings: [String: String]

    /// The number of files.
    package var fileCount: Int { self.files.count }

    /// The bytes of the page that the ad begins with, unpacked.
    package var indexBytes: Int { self.files[self.indexPath]?.bytes.count ?? 0 }

    /// The bundle of what was collected.
    init(_ collector: BundleCollector, called name: String) throws(BundleError) {
        self.name = name
        self.files = collector.files
        self.issues = collector.allIssues
        self.totalBytes = collector.keptBytes
        self.spellings = Dictionary(collector.files.keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: min)
        do throws(BundleError.Reason) {
            self.indexPath = try BundleIndex.path(of: collector)
        } catch {
            throw BundleError(collector.source, error)
        }
    }
}
