package import AdCore
import CLibXML2
import LibC

/// Markup decoded to text.
package struct MarkupText {
    /// The decoded text.
    package let text: String
    /// The encoding of the source.
    package let encoding: MarkupEncoding
    /// What was repaired while decoding.
    package let issues: [AdIssue]
}

/// The encoding of markup, and how it was determined.
public struct MarkupEncoding: Hashable, Sendable, CustomStringConvertible {
    /// How an encoding is determined, the strongest evidence first.
    public enum Evidence: String, Hashable, Sendable {
        /// The markup was passed as text.
        case text
        /// A byte order mark.
        case byteOrderMark
        /// The charset of the response.
        case transport
        /// A declaration in the markup.
        case declaration
        /// No evidence: UTF-8 is assumed.
        case assumption
    }

    /// The name of the encoding in lower case, as in `windows-1251`.
    public let name: String
    /// How the encoding was determined.
    public let evidence: Evidence

    /// The name and the evidence.
    public var description: String { "\(self.name) (\(self.evidence.rawValue))" }
}

extension MarkupText {
    /// The maximum number of invalid bytes before the markup is assumed to have another encoding.
    private static let replacementLimit: Int32 = 1000
    private static let replaced = "encoding.replaced"

    private init(_ text: String, _ name: String, _ evidence: MarkupEncoding.Evidence, _ issues: [AdIssue]) {
        self.text = text
        self.encoding = MarkupEncoding(name: name, evidence: evidence)
        self.issues = issues
    }

    /// Uses a text without its byte order mark.
    package init(text: String) {
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        self.init(text, "utf-8", .text, [])
    }

    /// Decodes bytes.
    ///
    /// The first evidence in the order of `MarkupEncoding.Evidence` is used.
    package init(decoding bytes: [UInt8], charset: String?) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            self.init(utf8: bytes.dropFirst(3), evidence: .byteOrderMark, issues: [])
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            self.init(utf16: bytes.dropFirst(2), isLittleEndian: true)
        } else if bytes.starts(with: [0xFE, 0xFF]) {
            self.init(utf16: bytes.dropFirst(2), isLittleEndian: false)
        } else if let charset {
            self.init(decoding: bytes, label: charset, evidence: .transport)
        } else if let label = bytes.withUnsafeBufferPointer({ DeclaredCharset.label(in: $0[...]) }) {
            self.init(decoding: bytes, label: label, evidence: .declaration)
        } else {
            self.init(utf8: bytes[...], evidence: .assumption, issues: [])
        }
    }

    private init(decoding bytes: [UInt8], label: String, evidence: MarkupEncoding.Evidence) {
        let label = label.trimmed.asciiLowercased
        guard let name = DeclaredCharset.name(of: label) else {
            let shown = String(label.prefix(40))
            let issue = AdIssue(
                "encoding.unknown",
                at: .whole,
                "unknown encoding \(shown); the markup is read as UTF-8"
            )
            self.init(utf8: bytes[...], evidence: .assumption, issues: [issue])
            return
        }
        // A declaration that is readable as ASCII can't be in UTF-16; the Encoding Standard reads it as UTF-8.
        if name == "utf-8" || name.startsWithUTF16 {
            self.init(utf8: bytes[...], evidence: evidence, issues: [])
            return
        }
        guard bytes.contains(where: { $0 >= 0x80 }) || name.hasPrefix("iso-2022") else {
            self.init(String(decoding: bytes, as: UTF8.self), name, evidence, [])
            return
        }
        guard let (text, replaced) = MarkupText.converted(bytes, from: name) else {
            let issue = AdIssue("encoding.wrong", at: .whole, "the markup is not \(name); it is read as UTF-8")
            self.init(utf8: bytes[...], evidence: .assumption, issues: [issue])
            return
        }
        let message = "\(replaced) bytes are invalid in \(name); each is replaced by U+FFFD"
        self.init(text, name, evidence, replaced == 0 ? [] : [AdIssue(MarkupText.replaced, at: .whole, message)])
    }

    private init(utf8 bytes: ArraySlice<UInt8>, evidence: MarkupEncoding.Evidence, issues: [AdIssue]) {
        var issues = issues
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs silently: if the text differs from the bytes, something was repaired.
        if let difference = MarkupText.firstDifference(text, bytes) {
            let line = bytes.prefix(difference).reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
            let message = "the markup is not valid UTF-8; invalid bytes are replaced by U+FFFD"
            issues.append(AdIssue(MarkupText.replaced, at: .line(line), message))
        }
        self.init(text, "utf-8", evidence, issues)
    }

    private init(utf16 bytes: ArraySlice<UInt8>, isLittleEndian: Bool) {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var rest = bytes
        while let first = rest.popFirst(), let second = rest.popFirst() {
            units.append(isLittleEndian ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
        }
        let name = isLittleEndian ? "utf-16le" : "utf-16be"
        let isWhole = bytes.count.isMultiple(of: 2)
        let issue = AdIssue(MarkupText.replaced, at: .whole, "half a character at the end is dropped")
        self.init(String(decoding: units, as: UTF16.self), name, .byteOrderMark, isWhole ? [] : [issue])
    }

    private static func firstDifference(_ text: String, _ bytes: ArraySlice<UInt8>) -> Int? {
        var text = text
        return text.withUTF8 { utf8 in
            bytes.withUnsafeBufferPointer { bytes in
                let common = min(utf8.count, bytes.count)
                guard common > 0, let left = utf8.baseAddress, let right = bytes.baseAddress else {
                    return utf8.count == bytes.count ? nil : 0
                }
                if memcmp(left, right, common) == 0 { return utf8.count == bytes.count ? nil : common }
                return (0..<common).first { left[$0] != right[$0] }
            }
        }
    }

    private static func converted(_ bytes: [UInt8], from name: String) -> (text: String, replaced: Int)? {
        guard let output = xmlBufferCreateSize(bytes.count * 2 + 64) else { return nil }
        defer { xmlBufferFree(output) }
        let replaced = bytes.withUnsafeBufferPointer { bytes in
            markup_decode(name, bytes.baseAddress, Int32(clamping: bytes.count), self.replacementLimit, output)
        }
        guard replaced >= 0, let content = xmlBufferContent(output) else { return nil }
        let text = UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(output)))
        return (String(decoding: text, as: UTF8.self), Int(replaced))
    }
}

extension String {
    fileprivate var startsWithUTF16: Bool { self.hasPrefix("utf-16") }
}
