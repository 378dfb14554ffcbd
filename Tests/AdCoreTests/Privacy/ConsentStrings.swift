@testable import AdCore

/// Writes consent strings, from the specifications and independently of the reader.
struct BitWriter {
    private(set) var bits: [Bool] = []

    mutating func add(_ number: Int, _ count: Int) {
        for place in stride(from: count - 1, through: 0, by: -1) { self.bits.append(number >> place & 1 == 1) }
    }

    mutating func addSet(_ numbers: Set<Int>, _ count: Int) {
        for number in 1...count { self.bits.append(numbers.contains(number)) }
    }

    /// A number as a sum of Fibonacci numbers that are no neighbours, the largest first; then a one.
    mutating func addFibonacci(_ number: Int) {
        var numbers = [1, 2]
        while let last = numbers.last, last <= number {
            numbers.append(numbers[numbers.count - 1] + numbers[numbers.count - 2])
        }
        var rest = number
        var places: Set<Int> = []
        for (place, fibonacci) in numbers.enumerated().reversed() where fibonacci <= rest {
            rest -= fibonacci
            places.insert(place)
        }
        for place in 0...(places.max() ?? 0) { self.bits.append(places.contains(place)) }
        self.bits.append(true)
    }

    var text: String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let padded = self.bits + [Bool](repeating: false, count: (6 - self.bits.count % 6) % 6)
        return String(
            stride(from: 0, to: padded.count, by: 6).map { start in
                alphabet[padded[start..<start + 6].reduce(0) { $0 * 2 + ($1 ? 1 : 0) }]
            }
        )
    }
}

/// Consent strings for tests.
enum ConsentStrings {
    /// A TC string without vendors.
    static func tcf(
        version: Int = 2,
        purposes: Set<Int> = [],
        legitimateInterests: Set<Int> = [],
        specialFeatures: Set<Int> = [],
        isServiceSpecific: Bool = true
    ) -> String {
        var writer = BitWriter()
        writer.add(version, 6)
        writer.add(15_900_000_000, 36)
        writer.add(15_900_000_001, 36)
        writer.add(31, 12)
        writer.add(7, 12)
        writer.add(1, 6)
        // "EN".
        writer.add(4, 6)
        writer.add(13, 6)
        writer.add(123, 12)
        writer.add(5, 6)
        writer.add(isServiceSpecific ? 1 : 0, 1)
        writer.add(0, 1)
        writer.addSet(specialFeatures, 12)
        writer.addSet(purposes, 24)
        writer.addSet(legitimateInterests, 24)
        writer.add(0, 1)
        writer.add(3, 6)
        writer.add(4, 6)
        // No vendor with consent, none with legitimate interest, no restrictions.
        for _ in 0..<2 {
            writer.add(0, 16)
            writer.add(0, 1)
        }
        writer.add(0, 12)
        return writer.text
    }

    /// Everything is agreed to.
    static let everything = tcf(purposes: Set(1...11), legitimateInterests: [2, 7, 9, 10], specialFeatures: [1, 2])

    /// A header that names every section on its own.
    static func header(_ ids: [Int]) -> String {
        var writer = BitWriter()
        writer.add(3, 6)
        writer.add(1, 6)
        writer.add(ids.count, 12)
        var last = 0
        for id in ids {
            writer.add(0, 1)
            writer.addFibonacci(id - last)
            last = id
        }
        return writer.text
    }

    static func gpp(_ sections: [(id: Int, text: String)]) -> String {
        ([self.header(sections.map(\.id))] + sections.map(\.text)).joined(separator: "~")
    }

    /// A national section of October 2024.
    static func national(
        sale: Int = 2,
        sharing: Int = 2,
        advertising: Int = 2,
        sensitive: [Int: Int] = [:],
        child: [Int] = [0, 0, 0],
        gpc: Bool? = nil
    ) -> String {
        var writer = BitWriter()
        writer.add(1, 6)
        for _ in 0..<6 { writer.add(1, 2) }
        writer.add(sale, 2)
        writer.add(sharing, 2)
        writer.add(advertising, 2)
        for place in 1...16 { writer.add(sensitive[place] ?? 0, 2) }
        for value in child { writer.add(value, 2) }
        writer.add(0, 2)
        writer.add(1, 2)
        writer.add(2, 2)
        writer.add(1, 2)
        guard let gpc else { return writer.text }
        var segment = BitWriter()
        segment.add(1, 2)
        segment.add(gpc ? 1 : 0, 1)
        return "\(writer.text).\(segment.text)"
    }
}
