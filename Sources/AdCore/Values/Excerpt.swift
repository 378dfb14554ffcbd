extension StringProtocol {
    /// The beginning of a text from outside, fit for a message.
    ///
    /// It is one line: white space is drawn together, and what would steer a terminal or turn the direction of writing
    /// becomes a space. It is bounded in scalars, because one character may be of any length.
    package func excerpt(_ limit: Int = 40) -> String {
        var result = String.UnicodeScalarView()
        var isBlank = false
        for scalar in self.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned:
                isBlank = true
            default:
                if isBlank, !result.isEmpty { result.append(" ") }
                isBlank = false
                // What could not be decoded says nothing to a reader.
                if scalar == "\u{FFFD}" { isBlank = true } else { result.append(scalar) }
            }
        }
        return String(result)
    }
}
