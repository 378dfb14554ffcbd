import AdCore
import AdMarkup

/// The style rules that decide whether an element is rendered.
struct PageStyle {
    private var rules: [(selector: PageSelector, isHidden: Bool)] = []

    /// The number of rules that are read.
    private static let maxRules = 500

    /// Reads a style sheet; rules within `@media` and the like are ignored, because they may not apply.
    mutating func read(_ bytes: [UInt8]) {
        var rest = String(decoding: bytes.prefix(1 << 20), as: UTF8.self)[...]
        while let open = rest.firstIndex(of: "{"), self.rules.count < PageStyle.maxRules {
            let head = PageStyle.uncommented(rest[..<open])
            var depth = 0
            let end = rest[open...].firstIndex { character in
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                return depth == 0
            }
            let body = rest[rest.index(after: open)..<(end ?? rest.endIndex)]
            rest = end.map { rest[rest.index(after: $0)...] } ?? ""
            guard !head.hasPrefix("@"), let isHidden = PageStyle.hides(body), let selector = PageSelector(head) else {
                continue
            }
            self.rules.append((selector, isHidden))
        }
    }

    private static func uncommented(_ text: Substring) -> String {
        let end = text.firstRange(of: "*/")?.upperBound ?? text.startIndex
        // A statement before it, such as `@charset "utf-8";`, ends with a semicolon.
        let head = text[end...]
        return String(head[(head.lastIndex(of: ";").map { head.index(after: $0) } ?? head.startIndex)...]).trimmed
    }

    /// Whether declarations hide their element; nil if they have neither `display` nor `visibility`.
    static func hides(_ declarations: some StringProtocol) -> Bool? {
        var isHidden: Bool?
        for declaration in declarations.split(separator: ";") {
            let sides = declaration.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let value = String(sides[1]).trimmed.asciiLowercased
            switch String(sides[0]).trimmed.asciiLowercased {
            case "display": isHidden = value.hasPrefix("none")
            case "visibility": isHidden = value.hasPrefix("hidden") || value.hasPrefix("collapse")
            default: break
            }
        }
        return isHidden
    }

    /// Whether the rules hide an element; the last rule that applies decides.
    func hides(
        _ index: Int,
        in elements: [PageElement],
        _ meter: inout StepMeter
    ) throws(ScriptInterpreter.Stop) -> Bool {
        for rule in self.rules.reversed() where try rule.selector.selects(index, in: elements, &meter) {
            return rule.isHidden
        }
        return false
    }
}
