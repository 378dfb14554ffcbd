import AdCore
import AdMarkup

/// Control characters in addresses.
///
/// The parser was given DEL for each of them, which would lead to another address than the one that a browser opens.
extension HTMLReader {
    /// An address with the characters that are in the markup.
    static func address(_ value: AttributeValue, of start: HTMLStartTag, in parse: borrowing HTMLParse) -> URLTemplate?
    {
        guard parse.scan.hasControls, value.bytes.contains(HTMLScanner.delete), let tag = start.tag else {
            return value.template
        }
        let scanner = HTMLScanner(reading: parse.source)
        guard let raw = scanner.rawValue(of: ["href", "xlink:href"], inTagAt: Int(tag.start)) else {
            return value.template
        }
        return URLTemplate(HTMLReader.restored(value.bytes, from: raw)) ?? value.template
    }

    /// A value with each DEL made what stands for it in the markup, where there are as many of both.
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
            // A browser reads NUL as the character for what could not be read.
            bytes += replaced[next] == 0 ? UTF8.encodedReplacementCharacter.map(\.self) : [replaced[next]]
            next += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
