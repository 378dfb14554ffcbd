import AdCore

/// The values of literals in a script.
enum ScriptLiteral {
    static func number(_ text: String) -> Double {
        let plain = text.replacing("_", by: "")
        let prefix = plain.prefix(2).asciiLowercased
        let radix = ["0x": 16, "0o": 8, "0b": 2][prefix]
        if let radix { return Int(plain.dropFirst(2), radix: radix).map(Double.init) ?? .nan }
        return Double(plain) ?? .nan
    }

    /// The value of a string literal, with its escapes decoded (ECMA-262 §12.9.4).
    static func text(_ raw: Substring) -> String {
        guard raw.utf8.contains(UInt8(ascii: "\\")) else { return String(raw) }
        var result = String.UnicodeScalarView()
        var rest = raw.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\\" else {
                result.append(scalar)
                continue
            }
            guard let escape = rest.popFirst() else { break }
            switch escape {
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            case "b": result.append("\u{8}")
            case "f": result.append("\u{C}")
            case "v": result.append("\u{B}")
            case "0": result.append("\0")
            case "\n", "\u{2028}", "\u{2029}": break
            case "\r": if rest.first == "\n" { rest.removeFirst() }
            case "x": result.append(self.character(&rest, digits: 2))
            case "u" where rest.first == "{":
                let digits = rest.dropFirst().prefix { $0 != "}" }
                rest = rest[digits.endIndex...].dropFirst()
                result.append(UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            case "u": result.append(self.character(&rest, digits: 4))
            default: result.append(escape)
            }
        }
        return String(result)
    }

    private static func character(_ rest: inout Substring.UnicodeScalarView, digits: Int) -> Unicode.Scalar {
        let code = String(rest.prefix(digits))
        rest = rest.dropFirst(digits)
        return UInt32(code, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}"
    }
}
