import AdCore
import AdMarkup

/// The body of a response, converted to UTF-8.
///
/// JSON between systems must be UTF-8 (RFC 8259 §8.1), but not every server complies:
///
/// - UTF-16 is recognized by its byte order mark, or by a zero byte next to the first character, which is always ASCII
///   in a JSON object.
/// - Valid UTF-8 is read as UTF-8, even when the content type names another charset: `application/json` has no
///   `charset` parameter (RFC 8259 §11), and servers send their default there.
/// - Everything else is decoded with the charset of the content type, if it is a known one.
struct ResponseText {
    let utf8: [UInt8]
    /// What was repaired while decoding.
    let repairs: [AdIssue]

    /// Decodes a body.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body.
    ///   - contentType: The value of the `Content-Type` header.
    init(_ body: [UInt8], contentType: String?) {
        let decoded: MarkupText
        switch (body.first, body.dropFirst().first) {
        case (0xFF, 0xFE), (0xFE, 0xFF): decoded = MarkupText(decoding: body, charset: nil)
        case (0, let second?) where second != 0: decoded = MarkupText(decoding: [0xFE, 0xFF] + body, charset: nil)
        case (let first?, 0) where first != 0: decoded = MarkupText(decoding: [0xFF, 0xFE] + body, charset: nil)
        default:
            guard let charset = ResponseText.charset(contentType), charset != "utf-8", charset != "utf8",
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
            "the response is encoded in \(name) and was converted; send JSON in UTF-8 (RFC 8259 §8.1)"
        )
        self.utf8 = Array(decoded.text.utf8)
        self.repairs = (name == "utf-8" ? [] : [converted]) + decoded.issues
    }

    /// The charset in a content type, in lower case.
    private static func charset(_ contentType: String?) -> String? {
        let parameters = contentType?.split(separator: ";").dropFirst().map { $0.trimmed.asciiLowercased } ?? []
        let value = parameters.first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
        return value.map { $0.filter { $0 != "\"" } }
    }
}
