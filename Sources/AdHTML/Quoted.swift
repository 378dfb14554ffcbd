public import AdCore

extension StringProtocol {
    /// The beginning of an input value in quotation marks, for messages.
    @inlinable package var quoted: String { "\u{201C}\(self.shortened(60))\u{201D}" }

    /// The beginning of a URL in quotation marks, with secrets redacted, for messages.
    @inlinable package var quotedURL: String {
        let start = self.utf8.count <= 400 ? String(self) : String(self.prefix(400))
        return "\u{201C}\(Redaction.address(start).shortened(90))\u{201D}"
    }
}
