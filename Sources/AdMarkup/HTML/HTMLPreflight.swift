import AdCore
import LibC

/// A banner's HTML, read just far enough to know that it is an ad: whether there is anything to see, and how a stage is
/// to be given it.
///
/// Most banners show something within their first tags, and the rest is not read at all; `HTMLDocument` reads it where
/// tools need more. Both always agree.
///
/// ```swift
/// let glance = try HTMLPreflight(at: adm)
/// guard glance.hasSomethingToSee else { throw AdError(.noFill, "the markup is blank") }
/// let page = glance.stageDocument()
/// ```
public struct HTMLPreflight: Hashable, Sendable {
    /// The markup as text, to the letter; a byte order mark is not part of it.
    public let markup: String
    /// Whether the markup is something to be put into a page, and no page of its own.
    public let isFragment: Bool
    /// Whether anything can be seen once the markup runs; `HTMLDocument.hasSomethingToSee` lists what counts.
    public let hasSomethingToSee: Bool

    /// How much is read at first, and how many times more where that showed nothing.
    private static let firstBytes = 256
    private static let growth = 8

    /// Looks at markup that is text already.
    ///
    /// Only a bound that is exceeded in what is read is an error.
    public init(at text: String, limits: HTMLLimits = .standard) throws(MarkupError) {
        let limits = limits.sound
        guard text.utf8.count <= limits.bytes else { throw MarkupError(.exceeds(.bytes, limit: limits.bytes)) }
        var markup = MarkupText(text: text).text
        let outcome = markup.withUTF8 { bytes in
            Result { () throws(MarkupError) in try HTMLPreflight.read(at: bytes, limits) }
        }
        (self.hasSomethingToSee, self.isFragment) = try outcome.get()
        self.markup = markup
    }

    /// The page that a stage shows, as `HTMLDocument.stageDocument()` makes it.
    public func stageDocument() -> String { StageDocument.page(self.markup, isFragment: self.isFragment) }

    private static func read(
        at bytes: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits
    ) throws(MarkupError) -> (isVisible: Bool, isFragment: Bool) {
        var length = self.firstBytes
        while let end = self.cut(bytes, near: length) {
            let part = UnsafeBufferPointer(rebasing: bytes[..<end])
            if try HTMLDriver.preflight(part, limits).get().isVisible {
                return (true, try self.isFragment(bytes, limits))
            }
            length *= self.growth
        }
        return try HTMLDriver.preflight(bytes, limits).get()
    }

    /// Where the beginning of some markup may be cut: before a tag, so that nothing is torn and then taken for text.
    ///
    /// What is seen in the beginning is seen in the whole: nothing that follows hides it.
    private static func cut(_ bytes: UnsafeBufferPointer<UInt8>, near length: Int) -> Int? {
        guard bytes.count > 2 * length else { return nil }
        let end = bytes[..<length].lastIndex(of: UInt8(ascii: "<"))
        return end == 0 ? nil : end
    }

    private static func isFragment(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ limits: HTMLLimits
    ) throws(MarkupError) -> Bool {
        guard self.mayBeWhole(bytes) else { return true }
        return try HTMLDriver.isFragment(bytes, limits).get()
    }

    /// Whether what makes a whole document is anywhere at all, be it in a comment.
    private static func mayBeWhole(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = bytes.baseAddress else { return false }
        var at = 0
        while let hit = memchr(base + at, Int32(UInt8(ascii: "<")), bytes.count - at) {
            at = UnsafeRawPointer(hit) - UnsafeRawPointer(base) + 1
            guard at < bytes.count else { return false }
            switch bytes[at].lowercased {
            case UInt8(ascii: "!"): if bytes[at...].startsIgnoringCase("!doctype") { return true }
            case UInt8(ascii: "h"):
                if bytes[at...].startsIgnoringCase("html") || bytes[at...].startsIgnoringCase("head") { return true }
            case UInt8(ascii: "b"): if bytes[at...].startsIgnoringCase("body") { return true }
            default: break
            }
        }
        return false
    }
}
