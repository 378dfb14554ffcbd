import AdCore
import LibC

/// Reads a banner's HTML just far enough for a load: whether it has visible content, and whether it is a fragment.
///
/// Most banners show something within their first tags; the rest is not parsed. `HTMLDocument` parses all of it for
/// tools. Both always agree.
///
/// ```swift
/// let preflight = try HTMLPreflight(parsing: adm)
/// guard preflight.hasVisibleContent else { throw AdError(.noFill, "the markup is blank") }
/// let page = preflight.stageDocument()
/// ```
public struct HTMLPreflight: Hashable, Sendable {
    /// The markup as text, without a byte order mark.
    public let markup: String
    /// Whether the markup is a fragment that needs a page around it.
    public let isFragment: Bool
    /// Whether the markup has visible content; `HTMLDocument.hasVisibleContent` lists what counts.
    public let hasVisibleContent: Bool

    /// How many bytes are parsed first, and the factor for each further attempt.
    private static let firstBytes = 256
    private static let growth = 8

    /// Checks markup.
    ///
    /// The only error is a limit that the parsed part exceeds.
    public init(parsing text: String, limits: HTMLLimits = .standard) throws(MarkupError) {
        let limits = limits.clamped
        guard text.utf8.count <= limits.bytes else { throw MarkupError(.exceeds(.bytes, limit: limits.bytes)) }
        var markup = MarkupText(text: text).text
        let outcome = markup.withUTF8 { bytes in
            Result { () throws(MarkupError) in try HTMLPreflight.read(at: bytes, limits) }
        }
        (self.hasVisibleContent, self.isFragment) = try outcome.get()
        self.markup = markup
    }

    /// The page that a stage displays, equal to `HTMLDocument.stageDocument()`.
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

    /// The offset at which the beginning of the markup can be cut: before a tag, so that no part of a tag is read as
    /// text.
    ///
    /// What is visible in the beginning is visible in the whole, because later markup does not hide it.
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

    /// Whether the bytes contain a doctype or one of the tags of a document, possibly in a comment.
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
