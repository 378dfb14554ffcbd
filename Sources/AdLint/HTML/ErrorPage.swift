import AdCore
import AdHTML
import AdMarkup

/// Recognizes a server's error page that was sent instead of a banner.
enum ErrorPage {
    private static let reasons = [
        "bad request", "unauthorized", "forbidden", "not found", "page not found", "file not found",
        "method not allowed", "request timeout", "request time-out", "gone", "too many requests",
        "internal server error", "not implemented", "bad gateway", "service unavailable",
        "service temporarily unavailable", "gateway timeout", "gateway time-out",
    ]
    /// Texts of web servers and of PHP in error pages, in lower case.
    private static let signatures = [
        "<center>nginx", "<address>apache/", "<b>fatal error</b>:", "<b>parse error</b>:",
    ]
    /// PHP messages that could also be a banner's text, so one of `details` must follow.
    private static let warnings = ["<b>notice</b>:", "<b>warning</b>:", "<b>deprecated</b>:"]
    private static let details = ["undefined ", " on line <b>"]
    private static let beginnings = [
        "notice: undefined", "warning: undefined", "fatal error: ", "php fatal error", "php notice", "php warning",
        "parse error: syntax error", "traceback (most recent call last)",
    ]
    private static let lookAhead = 4096

    /// The text by which a page is an error page; nil for any other page.
    static func sign(in markup: String) -> String? {
        let head = String(decoding: markup.utf8.prefix(self.lookAhead), as: UTF8.self).asciiLowercased
        for name in ["title", "h1"] {
            if let text = self.text(of: name, in: head), self.isStatus(text) { return text }
        }
        for sign in self.signatures where head.firstRange(of: sign) != nil { return sign }
        for sign in self.warnings {
            guard let place = head.firstRange(of: sign) else { continue }
            let rest = head[place.upperBound...].prefix(400)
            if self.details.contains(where: { rest.firstRange(of: $0) != nil }) { return sign }
        }
        let start = head.trimmed
        for sign in self.beginnings where start.hasPrefix(sign) { return sign }
        let isPlain = !head.utf8.contains(UInt8(ascii: "<"))
        return isPlain && self.isStatus(start) ? start : nil
    }

    private static func text(of name: String, in head: String) -> String? {
        guard let tag = head.firstRange(of: "<" + name) else { return nil }
        let rest = head[tag.upperBound...]
        guard let first = rest.utf8.first, first == UInt8(ascii: ">") || first.isWhiteSpace,
            let open = rest.firstIndex(of: ">")
        else { return nil }
        return rest[rest.index(after: open)...].prefix { $0 != "<" }.trimmed
    }

    /// Whether a text is little more than an HTTP status or its reason phrase.
    ///
    /// `502 Bad Gateway`, `Error 404 (Not Found)!!1` and `Not Found` are.
    private static func isStatus(_ text: String) -> Bool {
        guard text.utf8.count < 80 else { return false }
        let words = text.utf8.split { !$0.isASCIILetter && !$0.isDigit && $0 != UInt8(ascii: "-") }.map {
            String(Substring($0))
        }
        var rest = words[...]
        while let word = rest.first, ["http", "error", "status", "code", "-"].contains(word) { rest = rest.dropFirst() }
        let leadingWords = words.count - rest.count
        guard let number = rest.first, number.utf8.count == 3, let status = Int(number), (400..<600).contains(status)
        else {
            // A single word, such as "gone", may be an ordinary title.
            return rest.count > 1 && self.reasons.contains(rest.joined(separator: " "))
        }
        let isError = leadingWords > 0 || rest.contains("error")
        let reason = rest.dropFirst().filter { $0 != "-" && $0 != "error" }.joined(separator: " ")
        return reason.isEmpty ? isError : self.reasons.contains(where: reason.hasPrefix)
    }
}
