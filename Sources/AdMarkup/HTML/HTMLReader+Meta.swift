import AdCore

/// What stands in `<meta>`.
extension HTMLReader {
    mutating func readMeta(_ start: StartTag) {
        guard let content = start.attributes.value("content")?.text else { return }
        if let name = start.attributes.value("name") {
            if name.isWord("viewport"), self.document.viewport == nil {
                self.document.viewport = HTMLDocument.Viewport(content: content, line: start.line)
            } else if name.isWord("ad.size"), self.document.declaredSize == nil {
                self.document.declaredSize = HTMLReader.adSize(content)
                if self.document.declaredSize == nil {
                    self.issues.add(
                        "html.adSize.unreadable",
                        line: start.line,
                        "ad.size should read width=300,height=250 and is ignored"
                    )
                }
            }
        } else if start.attributes.value("http-equiv")?.isWord("refresh") == true, self.document.refresh == nil {
            self.document.refresh = HTMLDocument.Refresh(content: content, line: start.line)
        }
    }

    private static func adSize(_ content: String) -> HTMLDocument.DeclaredSize? {
        let fields = NamedNumbers(content)
        guard let width = fields["width"].flatMap(Double.init), let height = fields["height"].flatMap(Double.init)
        else {
            return nil
        }
        return HTMLDocument.DeclaredSize(width, height, .meta)
    }

    /// The size, once everything was seen: what a `<meta>` says goes before what can be guessed.
    mutating func settleSize() {
        guard self.document.declaredSize == nil else { return }
        if self.roots == 1, !self.hasRootText, let (width, height) = self.rootSize {
            self.document.declaredSize = HTMLDocument.DeclaredSize(width, height, .rootElement)
        }
        if self.document.declaredSize == nil, self.pictures == 1, let (width, height) = self.pictureSize {
            self.document.declaredSize = HTMLDocument.DeclaredSize(width, height, .image)
        }
    }
}

/// `name=value` pairs with commas, semicolons or white space between them.
struct NamedNumbers {
    private var values: [String: String] = [:]

    /// Longer declarations are no declarations.
    private static let longest = 1024

    init(_ content: String) {
        guard content.utf8.count <= NamedNumbers.longest else { return }
        for part in content.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            // White space may stand around the sign, and between pairs.
            var name = ""
            var value = ""
            var hasSign = false
            for word in part.split(whereSeparator: { $0.isWhitespace || $0 == "=" ? $0 != "=" : false }) {
                for (index, piece) in word.split(separator: "=", omittingEmptySubsequences: false).enumerated() {
                    if index > 0 { hasSign = true }
                    guard !piece.isEmpty else { continue }
                    if !hasSign {
                        name = String(piece).asciiLowercased
                    } else if value.isEmpty {
                        value = String(piece)
                    } else {
                        self.set(name, value)
                        (name, value, hasSign) = (String(piece).asciiLowercased, "", false)
                    }
                }
            }
            self.set(name, value)
        }
    }

    private mutating func set(_ name: String, _ value: String) {
        if !name.isEmpty, !value.isEmpty, self.values[name] == nil { self.values[name] = value }
    }

    subscript(_ name: String) -> String? { self.values[name] }
}

extension HTMLDocument.DeclaredSize {
    /// A size that a creative can have; nil for one it can't.
    init?(_ width: Double, _ height: Double, _ evidence: Evidence) {
        let possible = 2.0...16_384.0
        guard possible.contains(width), possible.contains(height) else { return nil }
        self.init(width: Int(width.rounded()), height: Int(height.rounded()), evidence: evidence)
    }
}

extension HTMLDocument.Viewport {
    init(content: String, line: Int) {
        let fields = NamedNumbers(content)
        let width = fields["width"]
        self.content = content
        self.line = line
        if let width, width.asciiLowercased == "device-width" {
            self.width = .device
        } else {
            self.width = width.flatMap(Double.init).flatMap { (1...16_384).contains($0) ? .pixels($0) : nil }
        }
        self.initialScale = fields["initial-scale"].flatMap(Double.init).flatMap {
            (0.01...100).contains($0) ? $0 : nil
        }
    }
}

extension HTMLDocument.Refresh {
    /// Reads `5; url=https://…`; nil where it does not begin with a time.
    init?(content: String, line: Int) {
        let parts = content.split(maxSplits: 1, whereSeparator: { $0 == ";" || $0 == "," })
        guard let first = parts.first, let delay = Double(first.trimmed), (0...1_000_000).contains(delay) else {
            return nil
        }
        var address = parts.count > 1 ? parts[1].trimmed : ""
        if address.asciiLowercased.hasPrefix("url"), let sign = address.firstIndex(of: "=") {
            address = address[address.index(after: sign)...].trimmed
        }
        if let quote = address.first, quote == "\"" || quote == "'" {
            address = String(address.dropFirst().prefix { $0 != quote })
        }
        self.init(delay: delay, template: URLTemplate(address), line: line)
    }
}
