import AdCore
import AdHTML
import AdMarkup

/// The text of a document that was sent as a JSON string, with the places that its parts have in the input.
struct DecodedJSONString {
    /// The decoded text, which has the same lines as the input.
    let bytes: [UInt8]
    /// The place of each decoded escape, and how many characters shorter its line has become up to there.
    private var escapes: [(place: SourcePlace, lost: Int)] = []
    /// The place from which on columns are unknown, because there are too many escapes.
    private var end: SourcePlace?

    /// The number of escapes that are recorded.
    private static let maxEscapes = 200_000

    /// Decodes a JSON string (RFC 8259 §7); nil if the bytes are anything else.
    package init?(string bytes: [UInt8]) {
        var found: [(offset: Int, lost: Int)] = []
        let text = bytes.withUnsafeBufferPointer { bytes in
            XMLRepair.jsonString(bytes) { offset, lost in
                if found.count <= DecodedJSONString.maxEscapes { found.append((offset, lost)) }
            }
        }
        guard let text else { return nil }
        self.init(text, found, from: SourcePlace(line: 1, column: 1))
    }

    /// Decodes a document whose quotation marks are all escaped, and which begins at a place of the input.
    init(escaped bytes: [UInt8], from start: SourcePlace) {
        var found: [(offset: Int, lost: Int)] = []
        let text = bytes.withUnsafeBufferPointer { bytes in
            XMLRepair.withoutJSONEscapes(bytes) { offset, lost in
                if found.count <= DecodedJSONString.maxEscapes { found.append((offset, lost)) }
            }
        }
        self.init(text, found, from: start)
    }

    private init(_ text: [UInt8], _ found: [(offset: Int, lost: Int)], from start: SourcePlace) {
        self.bytes = text
        var places = SourcePlaces(from: start)
        var lost = 0
        for escape in found {
            let place = places.place(at: escape.offset, in: text)
            if place.line != self.escapes.last?.place.line { lost = 0 }
            lost += escape.lost
            guard self.escapes.count < DecodedJSONString.maxEscapes else {
                self.end = place
                break
            }
            self.escapes.append((place, lost))
        }
    }

    /// The place in the input of a place in the decoded text.
    func place(of inner: SourcePlace) -> SourcePlace {
        guard let column = inner.column else { return inner }
        if let end = self.end, inner > end { return SourcePlace(line: inner.line) }
        var (low, high) = (0, self.escapes.count)
        while low < high {
            let middle = (low + high) / 2
            if self.escapes[middle].place < inner { low = middle + 1 } else { high = middle }
        }
        guard low > 0, self.escapes[low - 1].place.line == inner.line else { return inner }
        return SourcePlace(line: inner.line, column: column + self.escapes[low - 1].lost)
    }
}
