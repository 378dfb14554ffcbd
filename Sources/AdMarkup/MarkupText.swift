package import AdCore
import CLibXML2
import LibC

/// Markup that became text, and how.
package struct MarkupText {
    /// The text.
    package let text: String
    /// The encoding that it came in.
    package let encoding: MarkupEncoding
    /// What was repaired.
    package let issues: [AdIssue]
}

/// The encoding that markup was read in, and how it was known.
public struct MarkupEncoding: Hashable, Sendable, CustomStringConvertible {
    /// What the choice of an encoding rests on, the strongest first.
    public enum Evidence: String, Hashable, Sendable {
        /// The markup came as text, so the caller has chosen.
        case text
        /// A byte order mark.
        case byteOrderMark
        /// The charset that came with the answer.
        case transport
        /// A declaration in the markup.
        case declaration
        /// Nothing: UTF-8 is what is sent today.
        case assumption
    }

    /// The encoding's name in lower case, such as `windows-1251`.
    public let name: String
    /// How it was known.
    public let evidence: Evidence

    /// Name and evidence.
    public var description: String { "\(self.name) (\(self.evidence.rawValue))" }
}

extension MarkupText {
    /// The most bytes that may mean nothing in an encoding before the markup is taken to be in another one.
    private static let mostReplaced: Int32 = 1000
    private static let replaced = "encoding.replaced"

    private init(_ text: String, _ name: String, _ evidence: MarkupEncoding.Evidence, _ issues: [AdIssue]) {
        self.text = text
        self.encoding = MarkupEncoding(name: name, evidence: evidence)
        self.issues = issues
    }

    /// Takes text as it is, but for a byte order mark.
    package init(text: String) {
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        self.init(text, "utf-8", .text, [])
    }

    /// Makes text of bytes.
    ///
    /// The evidence decides in the order of `MarkupEncoding.Evidence`.
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
                "the encoding \(shown) is not known; it is read as UTF-8"
            )
            self.init(utf8: bytes[...], evidence: .assumption, issues: [issue])
            return
        }
        // A declaration in ASCII letters can't stand in UTF-16 text: what was read so is UTF-8.
        if name == "utf-8" || name.startsWithUTF16 {
            self.init(utf8: bytes[...], evidence: evidence, issues: [])
            return
        }
        guard bytes.contains(where: { $0 >= 0x80 }) || name.hasPrefix("iso-2022") else {
            self.init(String(decoding: bytes, as: UTF8.self), name, evidence, [])
            return
        }
        guard let (text, replaced) = MarkupText.converted(bytes, from: name) else {
            let issue = AdIssue("encoding.wrong", at: .whole, "the markup is not in \(name); it is read as UTF-8")
            self.init(utf8: bytes[...], evidence: .assumption, issues: [issue])
            return
        }
        let message = "\(replaced) bytes mean nothing in \(name); each became U+FFFD"
        self.init(text, name, evidence, replaced == 0 ? [] : [AdIssue(MarkupText.replaced, at: .whole, message)])
    }

    private init(utf8 bytes: ArraySlice<UInt8>, evidence: MarkupEncoding.Evidence, issues: [AdIssue]) {
        var issues = issues
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding repairs without a word: either the text is the bytes, or something was repaired.
        if let fault = MarkupText.firstDifference(text, bytes) {
            let line = bytes.prefix(fault).reduce(into: 1) { $0 += $1 == 0x0A ? 1 : 0 }
            let message = "the markup is no valid UTF-8; what is not became U+FFFD"
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
        let issue = AdIssue(MarkupText.replaced, at: .whole, "half a character at the end is left out")
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
            markup_decode(name, bytes.baseAddress, Int32(clamping: bytes.count), self.mostReplaced, output)
        }
        guard replaced >= 0, let content = xmlBufferContent(output) else { return nil }
        let text = UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(output)))
        return (String(decoding: text, as: UTF8.self), Int(replaced))
    }
}

extension String {
    fileprivate var startsWithUTF16: Bool { self.hasPrefix("utf-16") }
}
