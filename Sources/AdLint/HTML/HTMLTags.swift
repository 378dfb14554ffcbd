import AdCore
import AdHTML
import AdMarkup

/// An attribute of a start tag.
struct HTMLAttribute {
    /// The name in lower case.
    let name: String
    /// The value, with the few character references decoded that URLs and scripts contain.
    let value: String
    /// The place of the value.
    let place: SourcePlace
}

/// A start tag.
struct HTMLTag {
    /// The name in lower case.
    let name: String
    let attributes: [HTMLAttribute]
    /// The place of its `<`.
    let place: SourcePlace
    /// Whether it is in `noscript` or `template`, whose content neither loads nor runs.
    let isInert: Bool
    /// The content of an element that holds text only, such as `script`, and where it begins.
    let content: (bytes: ArraySlice<UInt8>, place: SourcePlace)?

    /// An attribute's value; nil if there is none.
    subscript(name: String) -> String? { self.attributes.first { $0.name == name }?.value }

    /// The place of an attribute's value; the tag's if the attribute is missing.
    func place(of name: String) -> SourcePlace { self.attributes.first { $0.name == name }?.place ?? self.place }

    /// Whether it is `<meta name="ad.size">`.
    var isAdSize: Bool { self.name == "meta" && self["name"]?.asciiLowercased == "ad.size" }

    /// The width or height of an image, if it is in pixels.
    func pixels(_ name: String) -> Double? {
        self[name].flatMap { Double($0.trimmed.hasSuffix("px") ? String($0.trimmed.dropLast(2)) : $0.trimmed) }
    }
}

/// The start tags of markup with their places, as the HTML reader's scanner finds them.
struct HTMLTags {
    private var tags: [HTMLTag] = []
    private var places = SourcePlaces()
    private var inertDepth = 0
    /// For each element name, the number of its start tags minus the number of its end tags.
    private var depths: [String: Int] = [:]
    /// The names of elements with an end tag before the start tag.
    private var overclosed: Set<String> = []

    /// The number of names that are counted.
    private static let maxNames = 500

    /// All start tags in order, and the names of the elements whose start and end tags do not match.
    ///
    /// They do not match where there are more start tags than end tags, or an end tag before its start tag. Markup that
    /// exceeds a limit has neither.
    static func read(_ markup: String) -> (tags: [HTMLTag], unbalanced: Set<String>) {
        let bytes = Array(markup.utf8)
        var reader = HTMLTags()
        bytes.withUnsafeBufferPointer { source in
            guard case .success(let scan) = HTMLDriver.scan(source, .standard) else { return }
            reader.read(scan, bytes, HTMLScanner(reading: source))
        }
        let open = reader.depths.filter { $0.value != 0 }.map(\.key)
        return (reader.tags, reader.overclosed.union(open))
    }

    private mutating func read(_ scan: HTMLScan, _ bytes: [UInt8], _ scanner: HTMLScanner) {
        var contents = scan.contents[...]
        for tag in scan.tags {
            let start = Int(tag.start)
            let name = String(decoding: bytes[scanner.name(ofTagAt: start)].map(\.lowercased), as: UTF8.self)
            if tag.isEnd {
                self.readEnd(name)
                continue
            }
            while let first = contents.first, first.range.lowerBound < start { contents.removeFirst() }
            let place = self.places.place(at: start, in: bytes)
            let attributes = self.attributes(ofTagAt: start, bytes, scanner)
            var content: (ArraySlice<UInt8>, SourcePlace)?
            if let first = contents.first, first.tagEnd == tag.textEnd {
                content = (bytes[first.range], self.places.place(at: first.range.lowerBound, in: bytes))
            }
            let isInert = self.inertDepth > 0
            if name == "noscript" || name == "template" { self.inertDepth += 1 }
            self.count(name, 1)
            self.tags.append(
                HTMLTag(name: name, attributes: attributes, place: place, isInert: isInert, content: content)
            )
        }
    }

    private mutating func readEnd(_ name: String) {
        self.count(name, -1)
        if let depth = self.depths[name], depth < 0 { self.overclosed.insert(name) }
        if name == "noscript" || name == "template" { self.inertDepth = max(0, self.inertDepth - 1) }
    }

    private mutating func count(_ name: String, _ difference: Int) {
        guard self.depths.count < HTMLTags.maxNames || self.depths[name] != nil else { return }
        self.depths[name, default: 0] += difference
    }

    private mutating func attributes(
        ofTagAt start: Int,
        _ bytes: [UInt8],
        _ scanner: HTMLScanner
    ) -> [HTMLAttribute] {
        var attributes: [HTMLAttribute] = []
        scanner.eachAttribute(ofTagAt: start) { name, value in
            let place = self.places.place(at: value?.lowerBound ?? name.lowerBound, in: bytes)
            let name = String(decoding: bytes[name].map(\.lowercased), as: UTF8.self)
            let value = value.map { HTMLTags.decoded(bytes[$0]) } ?? ""
            attributes.append(HTMLAttribute(name: name, value: value, place: place))
            return true
        }
        return attributes
    }

    private static func decoded(_ value: ArraySlice<UInt8>) -> String {
        let text = String(decoding: value, as: UTF8.self)
        guard value.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing("&quot;", by: "\"").replacing("&#39;", by: "'").replacing("&amp;", by: "&")
    }
}
