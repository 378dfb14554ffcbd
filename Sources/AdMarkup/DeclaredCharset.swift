import AdCore

/// The charset that markup declares, and the names of the supported encodings.
package enum DeclaredCharset {
    /// How many bytes are searched for a declaration (HTML Living Standard, "prescan a byte stream").
    private static let lookAhead = 1024

    /// The label after the first `charset=` in a `<meta …>` tag at the beginning of the markup.
    static func label(in bytes: ByteView) -> String? {
        let head = bytes.prefix(self.lookAhead)
        var at = head.startIndex
        while let open = head.index(of: UInt8(ascii: "<"), from: at) {
            at = open + 1
            if head[open...].startsIgnoringCase("<!--") {
                at = self.endOfComment(in: head, from: open + 4)
            } else if head[at...].startsIgnoringCase("meta") {
                let end = head.index(of: UInt8(ascii: ">"), from: at) ?? head.endIndex
                while at < end {
                    if head[at...].startsIgnoringCase("charset"), let label = self.value(head[(at + 7)..<end]) {
                        return label
                    }
                    at += 1
                }
            }
        }
        return nil
    }

    /// The encoding of an XML declaration (XML 1.0 §4.3.3); nil if there is none.
    package static func ofXMLDeclaration(in bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard let end = head.firstRange(of: "?>"), let start = head.firstRange(of: "encoding="),
            start.upperBound < end.lowerBound
        else { return nil }
        let value = head[start.upperBound..<end.lowerBound]
        guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
        return String(value.dropFirst().prefix { $0 != quote })
    }

    private static func endOfComment(in head: ByteView, from start: Int) -> Int {
        var at = start
        while let close = head.index(of: UInt8(ascii: ">"), from: at) {
            at = close + 1
            if head[start..<close].endsIgnoringCase("--") { return at }
        }
        return head.endIndex
    }

    private static func value(_ bytes: ByteView) -> String? {
        let sign = bytes.withoutLeadingWhiteSpace
        guard sign.first == UInt8(ascii: "=") else { return nil }
        let rest = sign.dropFirst().drop { $0.isWhiteSpace || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        let label = rest.prefix { $0.isASCIILetter || $0.isDigit || "-_:.+".utf8.contains($0) }
        return label.isEmpty || label.count > 40 ? nil : label.text
    }

    /// The encoding for a label in lower case (WHATWG Encoding Standard, "Names and labels"); nil for an unknown label.
    ///
    /// Only these names are passed to the system's converters, because labels are untrusted input.
    static func name(of label: String) -> String? { self.names[label] }

    private static let names: [String: String] = {
        let labels: [(name: String, others: [String])] = [
            ("utf-8", ["utf8", "unicode-1-1-utf-8"]), ("utf-16le", ["utf-16", "utf16", "ucs-2", "unicode"]),
            ("utf-16be", []),
            // The Encoding Standard maps Latin-1 and ASCII to windows-1252.
            ("windows-1252", ["iso-8859-1", "iso8859-1", "latin1", "l1", "ascii", "us-ascii", "cp1252", "x-cp1252"]),
            ("windows-1250", ["cp1250", "x-cp1250"]), ("windows-1251", ["cp1251", "x-cp1251"]),
            ("windows-1253", ["cp1253"]), ("windows-1254", ["cp1254", "iso-8859-9", "latin5"]),
            ("windows-1255", ["cp1255"]), ("windows-1256", ["cp1256"]), ("windows-1257", ["cp1257"]),
            ("windows-1258", ["cp1258"]), ("iso-8859-2", ["latin2", "l2"]), ("iso-8859-3", []), ("iso-8859-4", []),
            ("iso-8859-5", ["cyrillic"]), ("iso-8859-6", ["arabic"]), ("iso-8859-7", ["greek"]),
            ("iso-8859-8", ["hebrew"]), ("iso-8859-10", []), ("iso-8859-13", []), ("iso-8859-14", []),
            ("iso-8859-15", ["latin9"]), ("iso-8859-16", []), ("koi8-r", ["koi8", "koi"]), ("koi8-u", []),
            ("macintosh", ["mac", "x-mac-roman"]), ("ibm866", ["cp866", "866"]),
            ("tis-620", ["windows-874", "iso-8859-11"]),
            ("gb18030", ["gbk", "gb2312", "x-gbk", "chinese"]), ("big5", ["big5-hkscs", "x-x-big5"]),
            ("euc-jp", ["x-euc-jp"]),
            ("iso-2022-jp", []), ("shift_jis", ["sjis", "shift-jis", "x-sjis", "ms_kanji", "windows-31j"]),
            ("euc-kr", ["ks_c_5601-1987", "korean", "windows-949"]),
        ]
        var names: [String: String] = [:]
        for (name, others) in labels { for label in [name] + others { names[label] = name } }
        return names
    }()
}
