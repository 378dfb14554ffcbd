import AdCore
import AdHTML
import AdMarkup

/// An attribute of a start tag.
struct HTMLAttribute {
    /// The name in lower case.
    let name: String
    /// The value, with character references decoded.
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
    /// Whether it is in `noscript` or `template`, whose content neither loads nor runs; fallback content of media may.
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

/// Collects the start tags of markup with their places.
struct HTMLTags: HTMLEventSink {
    /// All start tags in order.
    private(set) var tags: [HTMLTag] = []
    private var places = SourcePlaces()
    private var inertDepth = 0
    /// For each element name, the number of its start tags minus the number of its end tags.
    private var depths: [String: Int] = [:]
    /// The names of elements with an end tag before the start tag.
    private var overclosed: Set<String> = []

    /// The number of names that are counted.
    private static let maxNames = 500

    /// The names of the elements whose start and end tags do not match: there are more start tags than end tags, or an
    /// end tag is before its start tag.
    var unbalanced: Set<String> { self.overclosed.union(self.depths.filter { $0.value != 0 }.map(\.key)) }

    /// The start tags of markup; none if it exceeds a limit.
    static func read(_ markup: String) -> [HTMLTag] {
        var markup = markup
        return markup.withUTF8 { (try? HTMLDriver.read($0, .standard, into: HTMLTags()).get().tags) ?? [] }
    }

    // MARK: Events

    mutating func start(_ start: HTMLStartTag, in parse: inout HTMLParse) {
        let name = String(cString: start.name)
        if let tag = start.tag {
            self.append(name, tag, start.attributes, start.content, in: parse)
        } else {
            let place = SourcePlace(line: start.line)
            let attributes = start.attributes.all.map { HTMLAttribute(name: $0.key, value: $0.value, place: place) }
            self.append(HTMLTag(name: name, attributes: attributes, place: place, isInert: self.isInert, content: nil))
        }
        if start.element.isInertContainer { self.inertDepth += 1 }
    }

    /// A browser adds the attributes of a second `html` or `body` to the first (HTML Living Standard, "The rules for
    /// parsing tokens in HTML content").
    mutating func strayStart(_ tag: HTMLScan.Tag, in parse: inout HTMLParse) {
        let name = HTMLScanner(reading: parse.source).name(ofTagAt: Int(tag.start))
        self.append(parse.source[name].lowercasedText, tag, nil, nil, in: parse)
    }

    mutating func end(
        _ closed: HTMLOpenElement,
        name: UnsafePointer<UInt8>,
        hasTag: Bool,
        in parse: inout HTMLParse
    ) {
        if closed.element.isInertContainer { self.inertDepth -= 1 }
        if hasTag { self.countEnd(String(cString: name)) }
    }

    mutating func strayEnd(_ tag: HTMLScan.Tag, in parse: inout HTMLParse) {
        let name = HTMLScanner(reading: parse.source).name(ofTagAt: Int(tag.start))
        self.countEnd(parse.source[name].lowercasedText)
    }

    private var isInert: Bool { self.inertDepth > 0 }

    /// Adds a start tag; without `attributes`, they are taken from the markup as they are.
    private mutating func append(
        _ name: String,
        _ tag: HTMLScan.Tag,
        _ attributes: HTMLAttributes?,
        _ content: HTMLScan.Content?,
        in parse: borrowing HTMLParse
    ) {
        let source = parse.source
        let place = self.places.place(at: Int(tag.start), in: source)
        let list = self.attributes(of: tag, attributes, in: parse)
        let content = content.map { content in
            (
                bytes: Array(source[content.range])[...],
                place: self.places.place(at: content.range.lowerBound, in: source)
            )
        }
        self.append(HTMLTag(name: name, attributes: list, place: place, isInert: self.isInert, content: content))
    }

    private mutating func append(_ tag: HTMLTag) {
        self.count(tag.name, 1)
        self.tags.append(tag)
    }

    private mutating func attributes(
        of tag: HTMLScan.Tag,
        _ values: HTMLAttributes?,
        in parse: borrowing HTMLParse
    ) -> [HTMLAttribute] {
        if let values, values.isEmpty { return [] }
        let source = parse.source
        var attributes: [HTMLAttribute] = []
        HTMLScanner(reading: source).eachAttribute(ofTagAt: Int(tag.start)) { name, raw in
            var text = raw.map { source[$0].text } ?? ""
            if let values {
                // The parser reports the first of two attributes with one name.
                guard values.isNamed(source[name], at: attributes.count) else { return true }
                let value = values.value(at: attributes.count)
                if let value, let raw, value.hasReplacements(in: parse) {
                    text = value.restored(from: source[raw])
                } else {
                    text = value?.text ?? ""
                }
            }
            let place = self.places.place(at: raw?.lowerBound ?? name.lowerBound, in: source)
            attributes.append(HTMLAttribute(name: source[name].lowercasedText, value: text, place: place))
            return true
        }
        return attributes
    }

    private mutating func countEnd(_ name: String) {
        self.count(name, -1)
        if let depth = self.depths[name], depth < 0 { self.overclosed.insert(name) }
    }

    private mutating func count(_ name: String, _ difference: Int) {
        guard self.depths.count < HTMLTags.maxNames || self.depths[name] != nil else { return }
        self.depths[name, default: 0] += difference
    }
}

extension ElementName {
    /// Whether its content neither loads nor runs.
    fileprivate var isInertContainer: Bool { self == .noscript || self == .template }
}

extension ByteView {
    fileprivate var lowercasedText: String { String(decoding: self.map(\.lowercased), as: UTF8.self) }
}
