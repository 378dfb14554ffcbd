import AdCore

/// Finds the run and the pictures in a report page, in one pass and without a tree.
///
/// It reads the page that `ReportPage` writes, also after a browser has saved it. In other bytes it finds nothing.
struct RunPage {
    private let bytes: [UInt8]
    /// The place of the run's JSON; nil if there is none.
    private(set) var run: Range<Int>?
    /// The places of the sources of images, by id.
    private var sources: [String: Range<Int>] = [:]

    /// The maximum number of images with an id, of attributes of an element, and the maximum length of an id.
    private static let maxImages = 20_000
    private static let maxAttributes = 64
    private static let maxIDLength = 64

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var at = 0
        while let open = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
            at = open + 1
            if bytes[at...].startsIgnoringCase("img") {
                let (id, source) = self.attributes(from: &at, after: 3)
                if let id, let source, self.sources.count < RunPage.maxImages, self.sources[id] == nil {
                    self.sources[id] = source
                }
            } else if bytes[at...].startsIgnoringCase("script") {
                let (id, _) = self.attributes(from: &at, after: 6)
                let end = self.endOfScript(from: at)
                if id == "run", self.run == nil { self.run = at..<end }
                at = end
            }
        }
    }

    /// The bytes of the image with an id, if its source is a data URL in Base64.
    func picture(_ id: String) -> [UInt8]? {
        guard let source = self.sources[id], self.bytes[source].startsIgnoringCase("data:"),
            let comma = self.bytes[source].firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let head = String(decoding: self.bytes[source.lowerBound..<comma], as: UTF8.self)
        guard head.hasSuffix(";base64") else { return nil }
        return Base64.bytes(String(decoding: self.bytes[(comma + 1)..<source.upperBound], as: UTF8.self))
    }

    /// The place of the next `</script`, or else the end of the page.
    private func endOfScript(from start: Int) -> Int {
        var at = start
        while let open = self.bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
            if self.bytes[open...].startsIgnoringCase("</script") { return open }
            at = open + 1
        }
        return self.bytes.count
    }

    /// The id and the source of an element, and the place behind its tag.
    private func attributes(from at: inout Int, after length: Int) -> (id: String?, source: Range<Int>?) {
        at += length
        var id: String?
        var source: Range<Int>?
        for _ in 0..<RunPage.maxAttributes {
            self.skip(&at) { $0.isWhiteSpace || $0 == UInt8(ascii: "/") }
            guard at < self.bytes.count, self.bytes[at] != UInt8(ascii: ">") else { break }
            let name = self.bytes[self.range(&at) { !$0.isWhiteSpace && !"=>/".utf8.contains($0) }]
            self.skip(&at, while: \.isWhiteSpace)
            guard at < self.bytes.count, self.bytes[at] == UInt8(ascii: "=") else { continue }
            at += 1
            self.skip(&at, while: \.isWhiteSpace)
            let value = self.value(&at)
            if name.elementsEqual("id".utf8), id == nil, value.count <= RunPage.maxIDLength {
                id = String(decoding: self.bytes[value], as: UTF8.self)
            }
            if name.elementsEqual("src".utf8), source == nil { source = value }
        }
        self.skip(&at) { $0 != UInt8(ascii: ">") }
        at = min(at + 1, self.bytes.count)
        return (id, source)
    }

    /// The place of an attribute's value, without its quotation marks.
    private func value(_ at: inout Int) -> Range<Int> {
        guard at < self.bytes.count, self.bytes[at] == UInt8(ascii: "\"") || self.bytes[at] == UInt8(ascii: "'") else {
            return self.range(&at) { !$0.isWhiteSpace && $0 != UInt8(ascii: ">") }
        }
        let quote = self.bytes[at]
        at += 1
        let value = self.range(&at) { $0 != quote }
        at = min(at + 1, self.bytes.count)
        return value
    }

    private func skip(_ at: inout Int, while isSkipped: (UInt8) -> Bool) { _ = self.range(&at, while: isSkipped) }

    private func range(_ at: inout Int, while isPart: (UInt8) -> Bool) -> Range<Int> {
        let start = at
        while at < self.bytes.count, isPart(self.bytes[at]) { at += 1 }
        return start..<at
    }
}
