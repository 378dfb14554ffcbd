/// The words of a text, for keywords to be found among.
struct Words: Hashable, Sendable {
    private let words: Set<Substring>

    init(_ text: String) {
        self.words = Set(text.lowercased().split { !$0.isLetter && !$0.isNumber })
    }

    /// How many of some keywords there are, in the singular or the plural.
    ///
    /// Whole words only: a cup of tea is no team.
    func matches(_ keywords: [String]) -> Int {
        keywords.count { keyword in
            [keyword, keyword + "s", keyword + "es"].contains { self.words.contains(Substring($0)) }
        }
    }
}
