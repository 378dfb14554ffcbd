/// Limits for parsing a banner's HTML.
///
/// The defaults accept any serious creative, and keep the worst markup of 6 MiB below a second.
public struct HTMLLimits: Hashable, Sendable {
    /// The largest markup in bytes; at most 256 MiB.
    public var bytes = 6 * 1024 * 1024
    /// The deepest nesting of elements; at least 16.
    public var depth = 200
    /// The maximum number of tags, attributes, references and comments in all.
    public var parts = 100_000
    /// The maximum number of attributes of one tag.
    ///
    /// The parser compares each attribute with all others of its tag, so thousands of them are slow.
    public var attributes = 256
    /// The maximum number of links, images, scripts and so on that are listed, of each kind.
    ///
    /// An issue counts the others.
    public var listed = 500
    /// The maximum number of issues that are listed; one more counts the others.
    public var issues = 50

    /// The default limits.
    public static let standard = HTMLLimits()

    /// Creates the default limits.
    public init() {}

    /// The limits within the supported range: offsets have 32 bits, and libxml2 can only be stopped when no element
    /// that it inserted is open.
    package var clamped: HTMLLimits {
        var limits = self
        limits.bytes = min(max(0, limits.bytes), 256 * 1024 * 1024)
        limits.depth = max(16, limits.depth)
        limits.parts = max(0, limits.parts)
        limits.attributes = max(0, limits.attributes)
        limits.listed = max(0, limits.listed)
        limits.issues = max(1, limits.issues)
        return limits
    }
}
