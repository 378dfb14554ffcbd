extension StringProtocol {
    /// The beginning of an untrusted text, safe to print in a message.
    ///
    /// It is one line: runs of white space, control characters of terminals and characters that change the writing
    /// direction become one space. The limit counts Unicode scalars, because one character may have any number of them.
    @inlinable package func excerpt(_ limit: Int = 40) -> String {
        var text = String(self)
        let plain = text.withUTF8 { bytes -> String? in
            // Most texts are plain, and then bytes are scalars.
            let start = bytes.prefix(limit)
            return start.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? String(decoding: start, as: UTF8.self) : nil
        }
        if let plain { return plain }
        return String(String.UnicodeScalarView(self.unicodeScalars.prefix(limit))).cleaned
    }

    /// An excerpt that ends with an ellipsis if the text is longer.
    @inlinable package func shortened(_ limit: Int) -> String {
        let shown = self.excerpt(limit)
        let isWhole = self.utf8.count <= limit || self.unicodeScalars.dropFirst(limit).isEmpty
        return isWhole ? shown : shown + "…"
    }
}

extension String {
    /// The text in one line.
    @usableFromInline var cleaned: String {
        var result = String.UnicodeScalarView()
        var isBlank = false
        for scalar in self.unicodeScalars {
            if scalar.isShown {
                if isBlank, !result.isEmpty { result.append(" ") }
                isBlank = false
                result.append(scalar)
            } else {
                isBlank = true
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        if self.isASCII { return self.value > 0x20 && self.value < 0x7F }
        return switch self.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned: false
        // The replacement character stands for bytes that could not be decoded.
        default: self != "\u{FFFD}"
        }
    }
}
