/// A macro of an ad server at the start of an address, where click trackers are put in: `${CLICK_URL}https://…`.
///
/// Only there does one decide where a click leads. A browser escapes some of the characters, so `$%7BCLICK_URL%7D` is read as well.
struct LeadingMacro: Hashable, Sendable {
    /// The macro as an ad server spells it.
    let text: String

    /// Reads the macro with which an address begins; nil where it begins with none.
    init?(_ address: some StringProtocol) {
        // In capitals and small letters alike: `%%click_url%%` is the same macro to most ad servers.
        let head = address.utf8.prefix(LeadingMacro.longest * 3)
        // Escapes are undone only where the text as it is holds no macro: in `%%CACHEBUSTER%%` two letters look like one.
        guard let text = LeadingMacro.read(Array(head)) ?? LeadingMacro.read(LeadingMacro.unescaped(head)) else {
            return nil
        }
        self.text = text
    }

    /// The macro behind the scheme of an address, as in `https://${HOST}/`.
    static func first(in address: String) -> LeadingMacro? {
        guard let scheme = address.firstRange(of: "://") else { return nil }
        return LeadingMacro(address[scheme.upperBound...])
    }

    /// Longer names are no macros.
    private static let longest = 64

    private static let brackets: [(open: [UInt8], close: [UInt8])] = [
        ("${", "}"), ("%%", "%%"), ("{{", "}}"), ("{", "}"), ("[", "]"), ("__", "__"), ("##", "##"), ("@@", "@@"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }

    private static func read(_ bytes: [UInt8]) -> String? {
        for (open, close) in self.brackets where bytes.starts(with: open) {
            let name = bytes.dropFirst(open.count).prefix(self.longest).prefix(while: self.mayStandInName)
            // An underscore is a letter of a name and the end of `__CLICK__` as well.
            let trimmed = close.first == UInt8(ascii: "_") ? self.beforeClose(name) : name
            guard let first = trimmed.first, first.isASCIILetter, bytes[trimmed.endIndex...].starts(with: close) else {
                continue
            }
            return String(decoding: bytes[..<(trimmed.endIndex + close.count)], as: UTF8.self)
        }
        // Marks of templates that were never filled in, and Campaign Manager's `%c`, which stands before the address alone.
        if bytes.startsIgnoringCase("INSERT_CLICK") {
            return String(
                decoding: bytes.prefix(self.longest).prefix { $0.isASCIILetter || $0 == UInt8(ascii: "_") },
                as: UTF8.self
            )
        }
        guard bytes.startsIgnoringCase("%c") || bytes.startsIgnoringCase("%u") else { return nil }
        let rest = bytes.dropFirst(2)
        let isAlone = rest.isEmpty || rest.startsIgnoringCase("http") || rest.startsIgnoringCase("%u")
        return isAlone ? String(decoding: bytes.prefix(2), as: UTF8.self) : nil
    }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isDigit || "_.:-".utf8.contains(byte)
    }

    /// A name up to the two underscores behind it.
    private static func beforeClose(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let bar = UInt8(ascii: "_")
        let end = name.indices.first { name[$0] == bar && $0 + 1 < name.endIndex && name[$0 + 1] == bar }
        return end.map { name[..<$0] } ?? name
    }

    /// The bytes with the escapes undone that a browser puts in place of a macro's brackets.
    private static func unescaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), "${}[]%#@".utf8.contains(value)
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
