import AdCore
import AdHTML
import AdMarkup

/// Finds the columns of texts of which only the lines are known.
///
/// Texts must be searched in the order of the markup. Each search continues after the last hit on the same line, so
/// all searches together read a line once. A text that is not found costs the rest of its line; a budget bounds
/// that.
struct MarkupSearch {
    private let bytes: [UInt8]
    private let starts: [Int]
    private var line = 0
    private var offset = 0
    private var places = SourcePlaces()
    /// The number of bytes that may still be read without a hit.
    private var searchBudget: Int

    init(_ markup: String) {
        let bytes = Array(markup.utf8)
        self.bytes = bytes
        self.searchBudget = 4 * bytes.count
        self.starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// The place of a text on a line; without a column if it is spelled differently there.
    mutating func place(line: Int, of text: String) -> SourcePlace {
        guard self.starts.indices.contains(line - 1) else { return SourcePlace(line: line) }
        if self.line != line {
            self.line = line
            self.offset = self.starts[line - 1]
            self.places = SourcePlaces(from: SourcePlace(line: line, column: 1), at: self.offset)
        }
        let end = self.starts.indices.contains(line) ? self.starts[line] : self.bytes.count
        let wanted = Array(text.utf8.prefix(200))
        guard let first = wanted.first, self.searchBudget > 0 else { return SourcePlace(line: line) }
        var at = self.offset
        while at < end, let hit = self.bytes[at..<end].firstIndex(of: first) {
            if self.bytes[hit..<end].starts(with: wanted) {
                self.offset = hit
                return self.places.place(at: hit, in: self.bytes)
            }
            at = hit + 1
        }
        self.searchBudget -= max(0, end - self.offset)
        return SourcePlace(line: line)
    }
}

/// Finds the places of URLs of which only the lines of their tags are known.
struct URLPlaces {
    private struct Key: Hashable {
        let line: Int
        let address: String
    }

    private var search: MarkupSearch
    /// The places of URLs in attributes, the last one first, by the line of the tag.
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

    /// The place of the next occurrence of a URL on a line, in an attribute or in a style sheet.
    mutating func place(line: Int, of address: String) -> SourcePlace {
        let key = Key(line: line, address: address)
        return self.places[key]?.popLast() ?? self.search.place(line: line, of: address)
    }
}
