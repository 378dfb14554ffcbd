import AdCore

/// Distinguishes random tokens of letters and digits from names, such as that of a creative.
///
/// Both mix capital letters, small letters and digits. A name has words: longer runs of letters that can be pronounced.
/// Of random tokens in Base64url, Base62, Base36 and Crockford's Base32, 95 to 99 of 100 are recognized.
enum OpaqueToken {
    static let minLength = 20

    /// Whether a run of letters, digits, `-` and `_` is a token.
    static func matches(_ run: ArraySlice<UInt8>) -> Bool {
        guard run.count >= self.minLength else { return false }
        let shape = TokenShape(run)
        guard shape.hasLetters, shape.classes > 1 else { return false }
        // Base64url has one separator among 32 characters.
        guard shape.separators * 7 < run.count else { return false }
        if shape.classes == 3 || !shape.hasDigits { return shape.lettersInWords * 7 < shape.characters * 2 }
        // With letters of one case and digits, names are written with separators.
        guard shape.separators == 0 else { return false }
        return shape.lettersInWords * 7 < shape.characters * 2 || shape.units * 16 > shape.characters * 5
    }
}

/// What a run of letters, digits, `-` and `_` consists of.
private struct TokenShape {
    private(set) var hasCapitals = false
    private(set) var hasSmallLetters = false
    private(set) var hasDigits = false
    private(set) var separators = 0
    /// Letters and digits.
    private(set) var characters = 0
    /// Runs of digits, of small letters with or without a capital one before them, and of capital letters.
    private(set) var units = 0
    private(set) var lettersInWords = 0

    init(_ run: ArraySlice<UInt8>) {
        var at = run.startIndex
        func end(_ isPart: (UInt8) -> Bool) -> Int { run[at...].firstIndex { !isPart($0) } ?? run.endIndex }
        while at < run.endIndex {
            let start = at
            if run[at].isDigit {
                at = end(\.isDigit)
                self.hasDigits = true
                self.units += 1
            } else if run[at].isCapital {
                at = end(\.isCapital)
                self.hasCapitals = true
                // Two capital letters are two units; more are a word.
                self.units += at - start < 3 ? at - start : 1
                let isOne = at - start == 1
                let small = end(\.isSmall)
                if small > at { self.hasSmallLetters = true }
                if isOne || small == at { self.addWord(run[start..<small]) } else { self.addWord(run[at..<small]) }
                at = small
            } else if run[at].isSmall {
                at = end(\.isSmall)
                self.hasSmallLetters = true
                self.units += 1
                self.addWord(run[start..<at])
            } else {
                at += 1
                self.separators += 1
                continue
            }
            self.characters += at - start
        }
    }

    var hasLetters: Bool { self.hasCapitals || self.hasSmallLetters }

    /// How many of capital letters, small letters and digits there are.
    var classes: Int { [self.hasCapitals, self.hasSmallLetters, self.hasDigits].count { $0 } }

    /// Counts the letters of a word that can be pronounced: a fifth to two thirds are vowels, and no more than three
    /// consonants follow each other.
    private mutating func addWord(_ letters: ArraySlice<UInt8>) {
        guard letters.count >= 5 else { return }
        var (vowels, consonants) = (0, 0)
        for letter in letters {
            if "aeiouy".utf8.contains(letter.lowercased) {
                vowels += 1
                consonants = 0
            } else {
                consonants += 1
                guard consonants <= 3 else { return }
            }
        }
        if vowels * 5 >= letters.count, vowels * 3 <= letters.count * 2 { self.lettersInWords += letters.count }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { self &- 0x41 < 26 }
    fileprivate var isSmall: Bool { self &- 0x61 < 26 }
}
