import AdCore
import AdMarkup

/// Control characters in URLs.
///
/// The parser receives DEL in place of each control character, but a browser opens the URL with the original ones.
extension HTMLReader {
    /// The URL of a link, with the original control characters.
    static func url(_ value: AttributeValue, of start: HTMLStartTag, in parse: borrowing HTMLParse) -> URLTemplate? {
        guard parse.scan.hasControls, value.bytes.contains(HTMLScanner.delete), let tag = start.tag else {
            return value.template
        }
        let scanner = HTMLScanner(reading: parse.source)
        guard let raw = scanner.rawValue(of: ["href", "xlink:href"], inTagAt: Int(tag.start)) else {
            return value.template
        }
        return URLTemplate(HTMLReader.restored(value.bytes, from: raw)) ?? value.template
    }

    /// A value with each DEL replaced by the original character; unchanged if their numbers differ.
    private static func restored(_ value: UnsafeBufferPointer<UInt8>, from raw: ByteView) -> String {
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
