import AdCore
import AdHTML
import AdMarkup

/// A document that came as a string of JSON, as the text that it stands for, with the places that its parts have there.
struct JSONText {
    /// The text, on the same lines.
    let bytes: [UInt8]
    /// Where each escape's character is in the text, and how many characters were lost on its line up to it.
    private var escapes: [(place: SourcePlace, lost: Int)] = []
    /// From this place on columns are not known.
    private var end: SourcePlace?

    /// How many escapes are recorded.
    private static let most = 200_000

    /// The text of one string of JSON; nil for all other bytes.
    package init?(string bytes: [UInt8]) {
        var found: [(offset: Int, lost: Int)] = []
        let text = bytes.withUnsafeBufferPointer { bytes in
            XMLRepair.jsonString(bytes) { offset, lost in
                if found.count <= JSONText.most { found.append((offset, lost)) }
            }
        }
        guard let text else { return nil }
        self.init(text, found, from: SourcePlace(line: 1, column: 1))
    }

    /// The text of a document all of whose quotation marks are escaped, which begins at a place of the input.
    init(escaped bytes: [UInt8], from start: SourcePlace) {
        var found: [(offset: Int, lost: Int)] = []
        let text = bytes.withUnsafeBufferPointer { bytes in
            XMLRepair.withoutJSONEscapes(bytes) { offset, lost in
                if found.count <= JSONText.most { found.append((offset, lost)) }
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
            guard self.escapes.count < JSONText.most else {
                self.end = place
                break
            }
            self.escapes.append((place, lost))
        }
    }

    /// Where in the input a place of the text is.
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
