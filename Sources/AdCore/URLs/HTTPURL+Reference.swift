extension HTTPURL {
    /// Resolves a reference against this URL, as of a `Location` header (RFC 3986 §5.2).
    ///
    /// It throws `.notHTTP` for other schemes than http and https.
    package func resolving(_ reference: String) throws(ParseError) -> HTTPURL {
        var bytes = Array(reference.utf8)[...]
        while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
        while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        guard bytes.count <= HTTPURL.maximumLength else { throw .tooLong }
        if let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) { bytes = bytes[..<fragment] }

        let scheme = self.isSecure ? "https:" : "http:"
        if HTTPURL.hasScheme(bytes) { return try HTTPURL.normalized(String(decoding: bytes, as: UTF8.self)) }
        if bytes.starts(with: "//".utf8) {
            return try HTTPURL.normalized(scheme + String(decoding: bytes, as: UTF8.self))
        }

        let target = Array(self.target.utf8)[...]
        let ownPath = target.prefix { $0 != UInt8(ascii: "?") }
        let origin = self.text.utf8.dropLast(target.count)
        let path = bytes.prefix { $0 != UInt8(ascii: "?") }
        let query = bytes[path.endIndex...]

        var text = Array(origin)
        if path.isEmpty {
            text += query.isEmpty ? target : ownPath + query
        } else if path.first == UInt8(ascii: "/") {
            text += HTTPURL.removingDotSegments(path) + query
        } else {
            let folder = ownPath[...(ownPath.lastIndex(of: UInt8(ascii: "/")) ?? ownPath.startIndex)]
            text += HTTPURL.removingDotSegments(folder + path) + query
        }
        return try HTTPURL(parsing: String(decoding: text, as: UTF8.self))
    }

    /// Whether a reference begins with a scheme and a colon (RFC 3986 §3.1).
    @inlinable package static func hasScheme(_ bytes: some Collection<UInt8>) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes.first?.isASCIILetter == true else {
            return false
        }
        return bytes[..<colon].allSatisfy { $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) }
    }

    private static func normalized(_ text: String) throws(ParseError) -> HTTPURL {
        let url = try HTTPURL(parsing: text)
        let target = Array(url.target.utf8)[...]
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        let plain = self.removingDotSegments(path)
        guard plain.count != path.count else { return url }
        let origin = url.text.utf8.dropLast(target.count)
        return try HTTPURL(parsing: String(decoding: origin + plain + target[path.endIndex...], as: UTF8.self))
    }

    /// A path without its `.` and `..` segments (RFC 3986 §5.2.4).
    private static func removingDotSegments(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = path
        while !rest.isEmpty {
            let segment = rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }
            rest = rest[segment.endIndex...]
            switch segment.elementsEqual("..".utf8) ? 2 : segment.elementsEqual(".".utf8) ? 1 : 0 {
            case 2:
                result.removeSubrange((result.lastIndex(of: UInt8(ascii: "/")) ?? 0)...)
                if rest.isEmpty { result.append(UInt8(ascii: "/")) }
            case 1:
                if rest.isEmpty { result.append(UInt8(ascii: "/")) }
            default:
                result.append(UInt8(ascii: "/"))
                result += segment
            }
        }
        return result
    }
}
