/// Reads numbers from a consent string: each letter of the URL-safe base 64 is six bits (RFC 4648 §5), first bit first.
struct BitReader {
    /// The longest string that is read.
    ///
    /// A TCF string with all vendors has about two thousand letters; a longer one than this is no consent string.
    static let longestText = 16_384

    private let letters: [UInt8]
    private(set) var position = 0

    /// How many bits there are.
    var count: Int { self.letters.count * 6 }

    /// Nil if a letter is outside the alphabet, or if the text is too long.
    ///
    /// The standard alphabet is accepted as well: the table in the GPP's text shows it (Consent String Specification,
    /// "Table from RFC 4648"). Padding at the end carries no bits.
    init?(_ text: Substring) {
        guard text.utf8.count <= Self.longestText else { return nil }
        var letters: [UInt8] = []
        letters.reserveCapacity(text.utf8.count)
        var hasPadding = false
        for letter in text.utf8 {
            if letter == UInt8(ascii: "=") {
                hasPadding = true
                continue
            }
            guard !hasPadding, let value = Self.value(of: letter) else { return nil }
            letters.append(value)
        }
        self.letters = letters
    }

    private static func value(of letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): letter - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): letter - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"), UInt8(ascii: "+"): 62
        case UInt8(ascii: "_"), UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// The bit at a place; nil after the end.
    func bit(at place: Int) -> Bool? {
        guard place >= 0, place < self.count else { return nil }
        return self.letters[place / 6] >> UInt8(5 - place % 6) & 1 == 1
    }

    /// The number in bits from a place on; nil after the end.
    func number(at place: Int, bits: Int) -> Int? {
        guard place >= 0, (1...32).contains(bits), place + bits <= self.count else { return nil }
        return (place..<place + bits).reduce(0) { $0 << 1 | (self.bit(at: $1) == true ? 1 : 0) }
    }

    /// The next number of a fixed length; nil after the end.
    mutating func next(bits: Int) -> Int? {
        guard let number = self.number(at: self.position, bits: bits) else { return nil }
        self.position += bits
        return number
    }

    /// The next number in Fibonacci coding; nil after the end, and for a number that no section id is near.
    ///
    /// Each bit stands for a Fibonacci number 1, 2, 3, 5, …; two bits in a row end the number (GPP Consent String
    /// Specification, "About Fibonacci Encoding").
    mutating func nextFibonacci() -> Int? {
        var (sum, current, following) = (0, 1, 2)
        var wasSet = false
        while let isSet = self.bit(at: self.position), current < 1_000_000 {
            self.position += 1
            if isSet, wasSet { return sum }
            if isSet { sum += current }
            wasSet = isSet
            (current, following) = (following, current + following)
        }
        return nil
    }

    /// The places of the bits that are set, counted from 1.
    func setBits(at place: Int, count: Int) -> Set<Int> {
        Set((0..<count).filter { self.bit(at: place + $0) == true }.map { $0 + 1 })
    }
}
