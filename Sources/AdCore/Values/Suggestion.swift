/// Suggestions for misspelled words.
package enum Suggestion {
    /// The known word that begins with the given one, or else the one with the smallest edit distance; nil if none is
    /// close.
    package static func nearest(to word: String, among words: [String]) -> String? {
        let scored = words.map { (word: $0, distance: self.distance(word, $0)) }
        let letters = word.drop { $0 == "-" }.count
        let longer = letters < 3 ? [] : scored.filter { $0.word.hasPrefix(word) }
        if let best = longer.min(by: { $0.distance < $1.distance }) { return best.word }
        let near = word.count <= 3 ? 1 : max(2, word.count / 3)
        // A word with another beginning is unrelated if half of its letters differ.
        let related = scored.filter { $0.word.first == word.first || $0.distance * 2 < word.count }
        if let best = related.min(by: { $0.distance < $1.distance }), best.distance <= near { return best.word }
        // Only the end differs.
        let begins = letters < 5 ? [] : scored.filter { $0.word.hasPrefix(word.dropLast()) }
        return begins.min { $0.distance < $1.distance }?.word
    }

    /// The Levenshtein distance: how many letters must be changed, added or removed to turn one word into the other.
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(64))
        let right = Array(right.prefix(64))
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let change = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
