import AdCore

/// An attribute of a start tag.
struct HTMLAttribute {
    /// The name in small letters.
    let name: String
    /// The value, with the few character references replaced that stand in addresses and code.
    let value: String
    /// Where the value begins.
    let place: LintPlace
}

/// A start tag of a banner's markup.
struct HTMLTag {
    /// The name in small letters.
    let name: String
    /// The attributes, their names in small letters, and where their values begin.
    let attributes: [HTMLAttribute]
    /// Where it begins.
    let place: LintPlace
    /// Whether it stands in `noscript` or `template`, where nothing runs.
    let isInert: Bool
    /// What stands inside, of an element that holds text alone: its bytes, and where they begin.
    let content: (bytes: ArraySlice<UInt8>, place: LintPlace)?

    /// An attribute's value; nil where there is none.
    subscript(name: String) -> String? { self.attributes.first { $0.name == name }?.value }

    /// Where an attribute's value begins, else the tag.
    func place(of name: String) -> LintPlace { self.attributes.first { $0.name == name }?.place ?? self.place }

    /// Whether it is `<meta name="ad.size">`.
    var isAdSize: Bool { self.name == "meta" && self["name"]?.asciiLowercased == "ad.size" }

    /// The side of a picture, where it is given in pixels.
    func pixels(_ name: String) -> Double? {
        self[name].flatMap { Double($0.trimmed.hasSuffix("px") ? String($0.trimmed.dropLast(2)) : $0.trimmed) }
    }
}

/// Reads the start tags of markup, one pass over the bytes.
struct HTMLTags {
    private let bytes: [UInt8]
    private var at = 0
    private var places = LintPlaces()
    private var inert = 0
    /// How many of each element are open, and of which more were closed than opened.
    private var depths: [String: Int] = [:]
    private var overclosed: Set<String> = []

    private static let text: Set<String> = [
        "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
    ]

    /// How many names are counted.
    private static let mostNames = 500

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// All start tags in order, and the names of the elements that have more start tags than end tags or an end tag
    /// before its start tag.
    static func read(_ markup: String) -> (tags: [HTMLTag], unbalanced: Set<String>) {
        var reader = HTMLTags(Array(markup.utf8))
        var tags: [HTMLTag] = []
        while let tag = reader.next() { tags.append(tag) }
        let open = reader.depths.filter { $0.value != 0 }.map(\.key)
        return (tags, reader.overclosed.union(open))
    }

    private mutating func next() -> HTMLTag? {
        while let open = self.bytes[self.at...].firstIndex(of: UInt8(ascii: "<")) {
            self.at = open + 1
            guard self.at < self.bytes.count else { return nil }
            switch self.bytes[self.at] {
            case UInt8(ascii: "!"): self.passDeclaration(open)
            case UInt8(ascii: "/"): self.passEnd()
            case let byte where byte.isLetter: return self.tag(open)
            default: break
            }
        }
        self.at = self.bytes.count
        return nil
    }

    private mutating func passDeclaration(_ open: Int) {
        let isComment = self.bytes[open...].starts(with: "<!--".utf8)
        let end =
            isComment ? HTMLComment.end(in: self.bytes, from: open) : self.index(of: [0x3E], from: open).map { $0 + 1 }
        self.at = end ?? self.bytes.count
    }

    private mutating func passEnd() {
        let name = self.name(from: self.at + 1)
        if self.depths.count < HTMLTags.mostNames || self.depths[name] != nil {
            let depth = self.depths[name, default: 0] - 1
            self.depths[name] = depth
            if depth < 0 { self.overclosed.insert(name) }
        }
        if name == "noscript" || name == "template" { self.inert = max(0, self.inert - 1) }
        self.at = self.bytes[self.at...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? self.bytes.count
    }

    private func name(from start: Int) -> String {
        String(decoding: self.nameBytes(from: start).map(\.small), as: UTF8.self)
    }

    private func nameBytes(from start: Int) -> ArraySlice<UInt8> {
        self.bytes[start...].prefix(64).prefix { !$0.isBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    }

    private func index(of mark: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + mark.count <= self.bytes.count {
            guard let hit = self.bytes[index...].firstIndex(of: mark[0]) else { return nil }
            if self.bytes[hit...].starts(with: mark) { return hit }
            index = hit + 1
        }
        return nil
    }

    // MARK: Start tags

    private mutating func tag(_ open: Int) -> HTMLTag {
        let place = self.places.place(at: open, in: self.bytes)
        let name = self.name(from: self.at)
        self.at += self.nameBytes(from: self.at).count
        var attributes: [HTMLAttribute] = []
        var isClosed = false
        while self.at < self.bytes.count {
            let byte = self.bytes[self.at]
            if byte == UInt8(ascii: ">") {
                self.at += 1
                break
            }
            isClosed = byte == UInt8(ascii: "/")
            if byte.isBlank || isClosed {
                self.at += 1
            } else {
                attributes.append(self.attribute())
            }
        }
        let isInert = self.inert > 0
        if name == "noscript" || name == "template" { self.inert += 1 }
        if self.depths.count < HTMLTags.mostNames || self.depths[name] != nil { self.depths[name, default: 0] += 1 }
        let content = HTMLTags.text.contains(name) && !isClosed ? self.content(of: name) : nil
        return HTMLTag(name: name, attributes: attributes, place: place, isInert: isInert, content: content)
    }

    private mutating func attribute() -> HTMLAttribute {
        let start = self.places.place(at: self.at, in: self.bytes)
        let rest = self.bytes[self.at...]
        var end =
            rest.dropFirst().firstIndex {
                $0.isBlank || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/")
            } ?? self.bytes.count
        let name = String(decoding: self.bytes[self.at..<end].prefix(100).map(\.small), as: UTF8.self)
        while end < self.bytes.count, self.bytes[end].isBlank { end += 1 }
        guard end < self.bytes.count, self.bytes[end] == UInt8(ascii: "=") else {
            self.at = end
            return HTMLAttribute(name: name, value: "", place: start)
        }
        end += 1
        while end < self.bytes.count, self.bytes[end].isBlank { end += 1 }
        guard end < self.bytes.count else {
            self.at = end
            return HTMLAttribute(name: name, value: "", place: start)
        }
        let quote = self.bytes[end]
        let value: ArraySlice<UInt8>
        let place: LintPlace
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let close = self.bytes[(end + 1)...].firstIndex(of: quote) ?? self.bytes.count
            value = self.bytes[(end + 1)..<close]
            place = self.places.place(at: end + 1, in: self.bytes)
            self.at = min(close + 1, self.bytes.count)
        } else {
            let close = self.bytes[end...].firstIndex { $0.isBlank || $0 == UInt8(ascii: ">") } ?? self.bytes.count
            value = self.bytes[end..<close]
            place = self.places.place(at: end, in: self.bytes)
            self.at = close
        }
        return HTMLAttribute(name: name, value: HTMLTags.decoded(value), place: place)
    }

    /// A value with the few references that stand in addresses and code.
    private static func decoded(_ value: ArraySlice<UInt8>) -> String {
        let text = String(decoding: value, as: UTF8.self)
        guard value.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing("&quot;", by: "\"").replacing("&#39;", by: "'").replacing("&amp;", by: "&")
    }

    private mutating func content(of name: String) -> (bytes: ArraySlice<UInt8>, place: LintPlace) {
        let start = self.at
        let place = self.places.place(at: start, in: self.bytes)
        var index = start
        while let hit = self.index(of: Array("</".utf8), from: index) {
            let rest = self.bytes[(hit + 2)...]
            if rest.prefix(name.utf8.count).map(\.small).elementsEqual(name.utf8) {
                self.at = hit
                return (self.bytes[start..<hit], place)
            }
            index = hit + 2
        }
        self.at = self.bytes.count
        return (self.bytes[start...], place)
    }
}
