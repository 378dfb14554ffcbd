import AdCore
import AdHTML
import AdMarkup

/// Finds the columns of texts of which only the lines are known.
///
/// Texts are asked for in the order of the markup; each search goes on behind the last one on the same line, so that all
/// of them take one ignore a line. A text that is not there costs the rest of its line: only so much is spent on those.
struct MarkupSearch {
    private let bytes: [UInt8]
    private let starts: [Int]
    private var line = 0
    private var offset = 0
    private var places = SourcePlaces()
    /// How many bytes may still be searched in vain.
    private var patience: Int

    init(_ markup: String) {
        let bytes = Array(markup.utf8)
        self.bytes = bytes
        self.patience = 4 * bytes.count
        self.starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// Where a text begins on a line; the line alone where it is written in another way there.
    mutating func place(line: Int, of text: String) -> SourcePlace {
        guard self.starts.indices.contains(line - 1) else { return SourcePlace(line: line) }
        if self.line != line {
            self.line = line
            self.offset = self.starts[line - 1]
            self.places = SourcePlaces(from: SourcePlace(line: line, column: 1), at: self.offset)
        }
        let end = self.starts.indices.contains(line) ? self.starts[line] : self.bytes.count
        let wanted = Array(text.utf8.prefix(200))
        guard let first = wanted.first, self.patience > 0 else { return SourcePlace(line: line) }
        var at = self.offset
        while at < end, let hit = self.bytes[at..<end].firstIndex(of: first) {
            if self.bytes[hit..<end].starts(with: wanted) {
                self.offset = hit
                return self.places.place(at: hit, in: self.bytes)
            }
            at = hit + 1
        }
        self.patience -= max(0, end - self.offset)
        return SourcePlace(line: line)
    }
}

/// Finds the places of addresses of which only the lines of their tags are known.
struct AddressPlaces {
    private struct Key: Hashable {
        let line: Int
        let address: String
    }

    private var search: MarkupSearch
    /// Where each address is in an attribute, by the line of its tag, the last one first.
    private var places: [Key: [SourcePlace]]

    init(_ markup: String, _ tags: [HTMLTag]) {
        self.search = MarkupSearch(markup)
        self.places = [:]
        for tag in tags.reversed() where !tag.isInert {
            for attribute in tag.attributes.reversed() where !attribute.value.isEmpty {
                let key = Key(line: tag.place.line, address: attribute.value.trimmed)
                self.places[key, default: []].append(attribute.place)
            }
        }
    }

    /// Where the next such address on a line is: an attribute's value, or a part of one, or of a style sheet.
    mutating func place(line: Int, of address: String) -> SourcePlace {
        let key = Key(line: line, address: address)
        return self.places[key]?.popLast() ?? self.search.place(line: line, of: address)
    }
}
