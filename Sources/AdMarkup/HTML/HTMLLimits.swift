/// How much of a banner's HTML is read before it counts as hostile.
///
/// The defaults let through whatever a serious creative holds, and keep the worst markup of 6 MiB below a second.
public struct HTMLLimits: Hashable, Sendable {
    /// The largest markup, in bytes; at most 256 MiB.
    public var bytes = 6 * 1024 * 1024
    /// How deep elements may be nested; never less than 16.
    public var depth = 200
    /// How many tags, attributes, references and comments there may be in all.
    public var parts = 100_000
    /// How many attributes one tag may have.
    ///
    /// The parser compares each with all others: that is what makes thousands of them slow.
    public var attributes = 256
    /// How many links, images, scripts and so on are listed, of each kind.
    ///
    /// What is beyond is counted in an issue.
    public var listed = 500
    /// How many issues are listed; one more has the number of the others.
    public var issues = 50

    /// The default limits.
    public static let standard = HTMLLimits()

    /// The default limits, to be changed.
    public init() {}

    /// The bounds that hold whatever was requested: offsets are 32 bits wide, and libxml2 may only be
    /// stopped where no element of its own making is open.
    package var sound: HTMLLimits {
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
