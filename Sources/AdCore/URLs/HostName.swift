/// The host of a URL: a name in ASCII and lower case, with other letters in Punycode (RFC 3492), or an IP address.
package struct HostName: Hashable, Sendable {
    /// The host without a trailing dot, which does not change what it resolves to.
    let text: String

    /// Creates a host name from a URL's host, such as `HTTPURL.host`.
    package init(_ text: String) {
        self.text = (text.utf8.last == UInt8(ascii: ".") ? String(text.dropLast()) : text).asciiLowercased
    }

    /// The host in ASCII; nil if it contains invalid characters or is too long.
    static func ascii(_ bytes: ArraySlice<UInt8>) -> String? {
        if self.isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
        if bytes.contains(UInt8(ascii: ":")) { return String(decoding: bytes, as: UTF8.self).asciiLowercased }
        let given = String(decoding: bytes, as: UTF8.self)
        guard !given.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let text = HostSpelling.normalized(given)
        let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF61}"]
        var labels: [String] = []
        for label in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: dots.contains) {
            guard let ascii = self.label(label) else { return nil }
            labels.append(ascii)
        }
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        let host = labels.joined(separator: ".")
        guard !labels.contains(""), host.utf8.count <= 253 else { return nil }
        return host
    }

    /// Whether a host needs no conversion: lower-case letters, digits, `-` and `_` in labels of valid length.
    private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
        var length = 0
        for byte in bytes {
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"): length += 1
            case UInt8(ascii: ".") where length > 0: length = 0
            default: return false
            }
            guard length <= 63 else { return false }
        }
        return length > 0 && bytes.count <= 253
    }

    private static func label(_ scalars: Substring.UnicodeScalarView) -> String? {
        if scalars.allSatisfy(\.isASCII) {
            let text = String(Substring(scalars))
            let legal = text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "-_".utf8.contains($0) }
            return legal && text.utf8.count <= 63 ? text : nil
        }
        let legal = scalars.allSatisfy { scalar in
            scalar.isASCII
                ? (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-")
                : HostSpelling.isNormalized(scalar)
                    && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                        || scalar.properties.generalCategory == .nonspacingMark
                        || scalar.properties.generalCategory == .spacingMark)
        }
        guard legal, scalars.count <= 63, let encoded = self.punycode(scalars), encoded.utf8.count <= 59 else {
            return nil
        }
        return "xn--" + encoded
    }

    private static func punycode(_ scalars: Substring.UnicodeScalarView) -> String? {
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = output.count
        var handled = basicCount
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var next: UInt32 = 128
        var delta: UInt32 = 0
        var bias: UInt32 = 72
        while handled < scalars.count {
            guard let smallest = scalars.lazy.map(\.value).filter({ $0 >= next }).min() else { return nil }
            let (step, overflow) = (smallest - next).multipliedReportingOverflow(by: UInt32(handled + 1))
            guard !overflow else { return nil }
            delta += step
            next = smallest
            for scalar in scalars {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                self.append(delta, bias: bias, to: &output)
                bias = self.adapted(delta, count: UInt32(handled + 1), isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var value = delta
        var position: UInt32 = 36
        while true {
            let threshold = position <= bias ? 1 : min(position - bias, 26)
            guard value >= threshold else { break }
            output.append(self.digit(threshold + (value - threshold) % (36 - threshold)))
            value = (value - threshold) / (36 - threshold)
            position += 36
        }
        output.append(self.digit(value))
    }

    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var value = isFirst ? delta / 700 : delta / 2
        value += value / count
        var position: UInt32 = 0
        while value > 455 {
            value /= 35
            position += 36
        }
        return position + 36 * value / (value + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }
}
