package import AdCore

/// One creative or tag to scan.
package struct ScanItem: Hashable, Sendable {
    /// Where its bytes are.
    package enum Content: Hashable, Sendable {
        /// A file or the folder of a bundle.
        case path(String)
        case url(String)
        case markup([UInt8])
        /// A line of a list that names no creative; what is wrong with it.
        case invalid(String)
    }

    /// The name in verdicts, unique in its scan.
    package var id: String
    package let content: Content
    /// The path, the URL without secrets, or the place in a list.
    package let source: String
    /// The format to request; nil for the creative's own.
    package var format: AdFormat?
    /// The size of its slot; nil for its own.
    package var size: Size?

    package init(_ id: String, _ content: Content, from source: String) {
        self.id = id
        self.content = content
        self.source = source
    }
}

// JSON lines.

extension ScanItem {
    /// A line of a list of JSON objects: `id`, one of `file`, `url`, `markup` and `tag` (a URL or markup), and `format`
    /// and `size` if they are not the creative's own.
    init(line json: AdJSON, at place: String) {
        let id = json["id"].flatMap { $0.string ?? $0.number.map { AdJSON.double($0).text() } } ?? place
        let names = ["markup", "html", "vast", "adm"]
        let fields = (["file", "url", "tag"] + names).filter { json[$0]?.string != nil }
        guard let field = fields.first, let text = json[field]?.string, fields.count == 1 else {
            let what = fields.isEmpty ? "has no source" : "has several sources (\(fields.joined(separator: ", ")))"
            self.init(id, .invalid("\(place) \(what); give one of file, url, markup or tag"), from: place)
            return
        }
        let isURL = field == "url" || field == "tag" && text.trimmed.contains("://") && !text.contains("<")
        let content: Content =
            field == "file" ? .path(text) : isURL ? .url(text.trimmed) : .markup(Array(text.utf8))
        self.init(id, content, from: field == "file" ? text : isURL ? Redaction.address(text) : place)
        if let format = json["format"]?.string {
            guard let known = AdFormat(rawValue: format) else {
                let formats = [AdFormat.banner, .interstitial, .rewarded].map(\.rawValue).joined(separator: ", ")
                self = ScanItem(
                    id,
                    .invalid("\(place): unknown format \(format.excerpt(40)); use \(formats)"),
                    from: place
                )
                return
            }
            self.format = known
        }
        if let size = json["size"] {
            guard let size = ScanItem.size(size) else {
                self = ScanItem(id, .invalid("\(place): the size is not as in \"300x250\""), from: place)
                return
            }
            self.size = size
        }
    }

    /// A size as in `"300x250"` or `[300, 250]`.
    private static func size(_ json: AdJSON) -> Size? {
        let numbers =
            json.string.map { $0.asciiLowercased.split(separator: "x").map { Double($0) } }
            ?? (json.array ?? []).map(\.number)
        guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
            (1...10_000).contains(width), (1...10_000).contains(height)
        else { return nil }
        return Size(width: width, height: height)
    }
}
