/// The set of words of a text, to match keywords against.
struct WordSet: Hashable, Sendable {
    private let words: Set<Substring>

    init(_ text: String) {
        self.words = Set(text.lowercased().split { !$0.isLetter && !$0.isNumber })
    }

    /// The number of keywords that occur as whole words, in the singular or the plural.
    func matches(_ keywords: [String]) -> Int {
        keywords.count { keyword in
            [keyword, keyword + "s", keyword + "es"].contains { self.words.contains(Substring($0)) }
        }
    }
}
