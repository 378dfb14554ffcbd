import AdCore
package import AdMarkup

/// Control characters in URLs.
///
/// The parser receives DEL in place of each control character, but a browser opens the URL with the original ones.
extension HTMLReader {
    /// The URL of a link, with the original control characters.
    static func url(_ value: AttributeValue, of start: HTMLStartTag, in parse: borrowing HTMLParse) -> URLTemplate? {
        guard value.hasReplacements(in: parse), let tag = start.tag else { return value.template }
        let scanner = HTMLScanner(reading: parse.source)
        guard let raw = scanner.rawValue(of: ["href", "xlink:href"], inTagAt: Int(tag.start)) else {
            return value.template
        }
        return URLTemplate(value.restored(from: raw)) ?? value.template
    }
}

extension AttributeValue {
    /// Whether control characters in it may have been replaced.
    package func hasReplacements(in parse: borrowing HTMLParse) -> Bool {
        parse.scan.hasControls && self.bytes.contains(HTMLScanner.delete)
    }

    /// The value with each DEL replaced by the original character; unchanged if their numbers differ.
    package func restored(from raw: ByteView) -> String {
        let value = self.bytes
        var replaced: [UInt8] = []
        var index = raw.startIndex
        while index < raw.endIndex {
            let width = HTMLScanner.replacedWidth(raw[index...])
            if width > 0 || raw[index] == HTMLScanner.delete { replaced += raw[index..<(index + max(1, width))] }
            index += max(1, width)
        }
        var bytes: [UInt8] = []
        guard value.count(where: { $0 == HTMLScanner.delete }) == replaced.count else { return value[...].text }
        var next = replaced.startIndex
        for byte in value {
            guard byte == HTMLScanner.delete else {
                bytes.append(byte)
                continue
            }
            // A browser replaces NUL with U+FFFD.
            bytes += replaced[next] == 0 ? UTF8.encodedReplacementCharacter.map(\.self) : [replaced[next]]
            next += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
