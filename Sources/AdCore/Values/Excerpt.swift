extension StringProtocol {
    /// The beginning of a text from outside, fit for a message.
    ///
    /// It is one line: white space is drawn together, and what would steer a terminal or turn the direction of writing
    /// becomes a space. It is bounded in scalars, because one character may be of any length.
    package func excerpt(_ limit: Int = 40) -> String {
        var text = String(String.UnicodeScalarView(self.unicodeScalars.prefix(limit)))
        let isPlain = text.withUTF8 { bytes in bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
        return isPlain ? text : text.cleaned
    }

    /// An excerpt that ends with an ellipsis where the text goes on.
    package func shortened(_ limit: Int) -> String {
        let shown = self.excerpt(limit)
        return self.unicodeScalars.dropFirst(limit).isEmpty ? shown : shown + "…"
    }
}

extension String {
    fileprivate var cleaned: String {
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
        // What could not be decoded says nothing to a reader.
        default: self != "\u{FFFD}"
        }
    }
}
