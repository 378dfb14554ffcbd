import AdCore

/// The elements that matter to an ad; all others are treated as boxes.
package enum ElementName: UInt8 {
    case a, area, audio, base, body, button, canvas, center, embed, form, head, html, iframe, image, img, input, link,
        math,
        meta
    case noembed, noframes, noscript, object, select, script, source, style, svg, template, textarea, title, track,
        video
    case wbr, xmp
    /// An element that never has content.
    case otherVoid
    /// An element whose end tag may be omitted (HTML Living Standard, "Optional tags").
    case endless
    /// An element that browsers paint even without content, such as a line, a frame, a progress bar or a quotation
    /// mark.
    case painted, paintedEndless, paintedVoid
    case other
}

extension ElementName {
    /// Whether it is a void element, which has no content (HTML Living Standard, "Void elements").
    package var isVoid: Bool {
        switch self {
        case .area, .base, .embed, .img, .input, .link, .meta, .source, .track, .wbr, .otherVoid, .paintedVoid: true
        default: false
        }
    }

    /// The void elements that were added in HTML5; libxml2 treats them as containers.
    var isHTML5Void: Bool { self == .source || self == .track || self == .wbr }

    /// Whether browsers parse its content as text up to its own end tag (HTML Living Standard, "raw text
    /// elements").
    package var holdsText: Bool {
        switch self {
        case .iframe, .noembed, .noframes, .script, .style, .textarea, .xmp: true
        default: false
        }
    }

    /// Whether its content is code.
    var holdsCode: Bool { self == .script || self == .style }

    /// Whether it begins foreign content, which follows rules of XML (HTML Living Standard, "foreign elements").
    var isForeign: Bool { self == .svg || self == .math }

    /// Whether it may stay open at the end of the document.
    package var mayStayOpen: Bool {
        switch self {
        case .html, .head, .body, .endless, .paintedEndless: true
        default: self.isVoid
        }
    }
}

/// A name of up to eight letters, packed into a word in lower case; a hash for a longer name.
struct NameKey: Hashable {
    private(set) var word: UInt64 = 0
    private var count: UInt64 = 0

    /// Marks a hash: this bit is never set in a packed ASCII name.
    private static let hashed: UInt64 = 1 << 63

    mutating func append(_ byte: UInt8) {
        let byte = UInt64(byte.lowercased)
        if self.count < 8 {
            self.word |= byte << (self.count * 8)
        } else {
            self.word = (self.word &* 31 &+ byte) | NameKey.hashed
        }
        self.count += 1
    }

    /// The key of a NUL-terminated name.
    init(terminated name: UnsafePointer<UInt8>) {
        var at = name
        while at.pointee != 0 {
            self.append(at.pointee)
            at += 1
        }
    }

    init() {}

    /// The element with this name.
    var element: ElementName {
        var low = 0
        var high = NameKey.elements.count
        while low < high {
            let middle = (low + high) / 2
            let entry = NameKey.elements[middle]
            if entry.word == self.word { return entry.element }
            if entry.word < self.word { low = middle + 1 } else { high = middle }
        }
        return .other
    }

    private static let elements: [(word: UInt64, element: ElementName)] = {
        let own: [(String, ElementName)] = [
            ("a", .a), ("area", .area), ("audio", .audio), ("base", .base), ("body", .body), ("button", .button),
            ("canvas", .canvas), ("center", .center), ("embed", .embed), ("form", .form), ("head", .head),
            ("html", .html),
            ("iframe", .iframe), ("image", .image), ("img", .img), ("input", .input), ("link", .link), ("math", .math),
            ("meta", .meta), ("noembed", .noembed), ("noframes", .noframes), ("noscript", .noscript),
            ("object", .object), ("select", .select), ("script", .script), ("source", .source), ("style", .style),
            ("svg", .svg), ("template", .template), ("textarea", .textarea), ("title", .title), ("track", .track),
            ("video", .video), ("wbr", .wbr), ("xmp", .xmp),
        ]
        let void = ["basefont", "br", "col", "isindex", "param"]
        let endless = [
            "caption", "colgroup", "dd", "dt", "optgroup", "option", "p", "rp", "rt", "tbody", "td", "tfoot", "th",
            "thead", "tr",
        ]
        let painted = ["applet", "details", "dialog", "fieldset", "meter", "progress", "q"]
        let all =
            own + void.map { ($0, .otherVoid) } + endless.map { ($0, .endless) } + painted.map { ($0, .painted) }
            + ["frame", "hr", "keygen"].map { ($0, .paintedVoid) } + [("li", .paintedEndless)]
        return all.map { name, element in
            var key = NameKey()
            for byte in name.utf8 { key.append(byte) }
            return (key.word, element)
        }.sorted { $0.word < $1.word }
    }()
}
