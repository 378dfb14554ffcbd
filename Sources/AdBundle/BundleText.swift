/// Names and numbers of bundles as messages show them.
enum BundleText {
    /// A name on one line: cut after 80 characters, control characters replaced.
    ///
    /// A name in a zip comes from its maker, and may have 64 KiB and escape sequences of terminals.
    static func shown(_ name: String, upTo limit: Int = 80) -> String {
        // A letter may have any number of accents: scalars are counted, not characters.
        var text = String.UnicodeScalarView()
        for (number, scalar) in name.unicodeScalars.enumerated() {
            guard number < limit else { return String(text) + "…" }
            let isVisible = scalar == " " || self.isVisible(scalar)
            text.append(isVisible ? scalar : "\u{FFFD}")
        }
        return text.isEmpty ? "(no name)" : String(text)
    }

    /// The first five of several names.
    static func list(_ names: [String]) -> String {
        let first = names.prefix(5).map { self.shown($0) }.joined(separator: ", ")
        return names.count > 5 ? "\(first) and \(self.number(names.count - 5)) more" : first
    }

    /// For example `1 file` or `2,000 files`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(self.number(number)) \(number == 1 ? one : many)"
    }

    /// A number with a comma between thousands.
    static func number(_ number: Int) -> String {
        var text = ""
        for (place, digit) in String(number).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3), digit != "-" { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    /// A size as in `900 bytes`, `2 KiB` or `64.5 MiB`.
    static func bytes(_ count: Int) -> String {
        let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        guard let (unit, name) = units.first(where: { count >= $0.0 }) else {
            return self.count(count, "byte", "bytes")
        }
        // One decimal, rounded down, so that a size above a limit is not shown as the limit.
        let tenths = (count % unit) * 10 / unit
        return "\(self.number(count / unit))\(tenths == 0 ? "" : ".\(tenths)") \(name)"
    }

    /// A size that is above a limit: in bytes if it would be shown as the limit otherwise.
    static func size(_ count: Int?, over limit: Int) -> String {
        guard let count else { return "more than \(self.bytes(limit))" }
        let text = self.bytes(count)
        return text == self.bytes(limit) ? self.count(count, "byte", "bytes") : text
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
