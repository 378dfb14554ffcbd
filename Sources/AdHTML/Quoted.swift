import AdCore

extension StringProtocol {
    /// The beginning of a value from outside, in quotation marks.
    package var quoted: String { "\u{201C}\(self.shortened(60))\u{201D}" }

    /// The beginning of an address from outside, without its secrets, in quotation marks.
    package var quotedAddress: String { "\u{201C}\(Redaction.address(String(self.prefix(400))).shortened(90))\u{201D}" }
}
