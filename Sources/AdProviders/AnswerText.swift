import AdCore
import AdMarkup

/// The body of an answer as UTF-8, which JSON between systems is (RFC 8259 §8.1), whatever encoding it came in.
///
/// - UTF-16 is known by its byte order mark, or by the zero byte that stands beside the first character, which is ASCII in
///   JSON.
/// - What is valid UTF-8 is UTF-8, whatever the content type says: the charset has no meaning for `application/json`
///   (RFC 8259 §11), and servers name their default there.
/// - All else is in the declared charset, where one is known.
struct AnswerText {
    /// The text.
    let utf8: [UInt8]
    /// What was repaired.
    let repairs: [AdIssue]

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - contentType: What the answer says of it.
    init(_ body: [UInt8], contentType: String?) {
        let decoded: MarkupText
        switch (body.first, body.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): decoded = MarkupText(decoding: body, charset: nil)
        case (0, let second?) where second != 0: decoded = MarkupText(decoding: [0xFE, 0xFF] + body, charset: nil)
        case (let first?, 0) where first != 0: decoded = MarkupText(decoding: [0xFF, 0xFE] + body, charset: nil)
        default:
            guard let charset = AnswerText.charset(contentType), charset != "utf-8", charset != "utf8",
                !String(decoding: body, as: UTF8.self).utf8.elementsEqual(body)
            else {
                self.utf8 = body
                self.repairs = []
                return
            }
            decoded = MarkupText(decoding: body, charset: charset)
        }
        let name = decoded.encoding.name
        let converted = AdIssue(
            "answer.encoding",
            at: .whole,
            "the answer is in \(name), and was converted; send JSON in UTF-8 (RFC 8259 §8.1)"
        )
        self.utf8 = Array(decoded.text.utf8)
        self.repairs = (name == "utf-8" ? [] : [converted]) + decoded.issues
    }

    /// The charset that a content type declares, in lower case.
    private static func charset(_ contentType: String?) -> String? {
        let parameters = contentType?.split(separator: ";").dropFirst().map { $0.trimmed.asciiLowercased } ?? []
        let value = parameters.first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        return value.map { $0.filter { $0 != "\"" } }
    }
}
