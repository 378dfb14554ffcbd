public import AdCore

/// The folder where beacons are kept until they are delivered.
///
/// ```swift
/// let folder = try BeaconFolder("/var/lib/kiosk/ads")
/// let services = try AdServices.standard(opener: opener, beaconFolder: folder)
/// ```
public struct BeaconFolder: Hashable, Sendable {
    /// The absolute path.
    public let path: String

    /// Creates a folder from an absolute path or a `file:` URL; the folder itself is created when it is needed.
    ///
    /// A relative path is an error, because it would depend on the working folder, and so is one with `%20` and the
    /// like, which is a path of a URL and would name another folder.
    ///
    /// - Parameter text: The path or URL.
    /// - Throws: `AdSetupError` for a text that is neither.
    public init(_ text: String) throws(AdSetupError) {
        if text.hasPrefix("file://") {
            let rest = text.dropFirst("file://".count)
            let path = rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
            self.path = PercentEncoding.decoded(path)
        } else {
            if PercentEncoding.decoded(text) != text {
                throw BeaconFolder.error(text, "has percent-encoded characters, as the path of a URL; give the URL")
            }
            self.path = text
        }
        if self.path.utf8.contains(0) { throw BeaconFolder.error(text, "contains a zero byte; remove it") }
        if self.path.hasPrefix("~") {
            throw BeaconFolder.error(text, "begins with ~, which only a shell replaces; give the whole path")
        }
        guard self.path.hasPrefix("/") else {
            throw BeaconFolder.error(text, "is not absolute; give a path that begins with /, or a file: URL")
        }
    }

    private static func error(_ text: String, _ problem: String) -> AdSetupError {
        AdSetupError(description: "the beacon folder \u{201C}\(text.excerpt(200))\u{201D} \(problem)")
    }
}
