import TestSupport
import Testing

@testable import PlayCompare

@Suite("A longest common subsequence")
struct CommonSubsequenceTests {
    private func gaps(_ left: String, _ right: String) -> [[String]]? {
        let (left, right) = (left.map(String.init), right.map(String.init))
        return CommonSubsequence(left, right)?.gaps.map { [left[$0.left].joined(), right[$0.right].joined()] }
    }

    @Test(
        "its gaps are what only one sequence has",
        arguments: [
            ("", "", []), ("abc", "abc", []), ("abc", "", [["abc", ""]]), ("abc", "xabc", [["", "x"]]),
            ("abc", "abcx", [["", "x"]]), ("abcd", "axcd", [["b", "x"]]),
            ("abcdef", "acdfg", [["b", ""], ["e", ""], ["", "g"]]),
            ("aaaa", "aa", [["aa", ""]]),
        ]
    )
    func differences(left: String, right: String, gaps: [[String]]) { #expect(self.gaps(left, right) == gaps) }

    @Test("exchanged sequences have the same gaps, exchanged, and gaps hold all that is not common")
    func mirrored() {
        var random = TestRandom(seed: TestSeed.chosen ?? 11)
        for _ in 0..<LongForm.either(20_000, short: 1_000) {
            func sequence() -> [String] {
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    ["a", "b", "c", "d"].randomElement(using: &random) ?? ""
                }
            }
            let (left, right) = (sequence(), sequence())
            let gaps = CommonSubsequence(left, right)?.gaps ?? []
            #expect(CommonSubsequence(right, left)?.gaps.map { .init(left: $0.right, right: $0.left) } == gaps)
            var (common, others) = (left, right)
            for gap in gaps.reversed() {
                common.removeSubrange(gap.left)
                others.removeSubrange(gap.right)
            }
            #expect(common == others, "\(left) \(right)")
            #expect(common.count == Self.length(left[...], right[...]), "\(left) \(right)")
        }
    }

    /// The length of a longest common subsequence, by its definition.
    private static func length(_ left: ArraySlice<String>, _ right: ArraySlice<String>) -> Int {
        var row = [Int](repeating: 0, count: right.count + 1)
        for element in left {
            var diagonal = 0
            for (index, other) in right.enumerated() {
                let above = row[index + 1]
                row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[right.count]
    }

    @Test("too long sequences have none")
    func limit() {
        let most = Array(repeating: "a", count: CommonSubsequence.maxLength)
        #expect(CommonSubsequence(most, most)?.gaps.isEmpty == true)
        #expect(CommonSubsequence(most + ["a"], []) == nil && CommonSubsequence([], most + ["a"]) == nil)
    }
}
