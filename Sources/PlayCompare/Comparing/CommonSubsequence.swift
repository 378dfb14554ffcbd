/// The parts of two sequences that are not in a longest common subsequence.
///
/// If the sequences are exchanged, the parts are the same and exchanged.
struct CommonSubsequence {
    /// A place where the sequences differ, by indices of the left and the right one.
    struct Gap: Hashable {
        var left: Range<Int>
        var right: Range<Int>
    }

    /// The indices of an element that both sequences have, or of elements at the same position of a gap; nil where a
    /// sequence has none.
    struct Match: Hashable {
        let left: Int?
        let right: Int?
    }

    /// All elements in order; without gaps, of sequences that are too long, each is matched with the one at its position.
    static func matches(_ gaps: [Gap]?, left: Int, right: Int) -> [Match] {
        var matches: [Match] = []
        var (i, j) = (0, 0)
        let end = Gap(left: left..<left, right: right..<right)
        for gap in (gaps ?? [Gap(left: 0..<left, right: 0..<right)]) + [end] {
            while i < gap.left.lowerBound {
                matches.append(Match(left: i, right: j))
                i += 1
                j += 1
            }
            for offset in 0..<max(gap.left.count, gap.right.count) {
                matches.append(
                    Match(
                        left: offset < gap.left.count ? gap.left.lowerBound + offset : nil,
                        right: offset < gap.right.count ? gap.right.lowerBound + offset : nil
                    )
                )
            }
            (i, j) = (gap.left.upperBound, gap.right.upperBound)
        }
        return matches
    }

    /// The longest sequences that are compared in order.
    static let maxLength = 2_000

    /// The differing parts in order; none if the sequences are equal.
    let gaps: [Gap]

    /// Compares two sequences; nil if one is too long.
    init?(_ left: [String], _ right: [String]) {
        guard left.count <= CommonSubsequence.maxLength, right.count <= CommonSubsequence.maxLength else { return nil }
        // Of several longest subsequences the same one is chosen in both orders.
        let isExchanged = right.lexicographicallyPrecedes(left)
        let gaps = isExchanged ? CommonSubsequence.gaps(right, left) : CommonSubsequence.gaps(left, right)
        self.gaps = isExchanged ? gaps.map { Gap(left: $0.right, right: $0.left) } : gaps
    }

    private static func gaps(_ left: [String], _ right: [String]) -> [Gap] {
        // Numbers are compared faster than texts.
        var numbers: [String: Int] = [:]
        func number(_ text: String) -> Int {
            let number = numbers[text] ?? numbers.count
            numbers[text] = number
            return number
        }
        let (left, right) = (left.map(number), right.map(number))
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left[start...].reversed(), right[start...].reversed()).prefix { $0 == $1 }.count
        let middle = (left[start..<(left.count - end)], right[start..<(right.count - end)])
        return self.gaps(middle.0, middle.1)
    }

    private static func gaps(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>) -> [Gap] {
        let lengths = self.lengths(left, right)
        let width = right.count + 1
        var gaps: [Gap] = []
        var (i, j) = (0, 0)
        /// Adds an element of one side to the gap at this place.
        func skip(left isLeft: Bool) {
            let place = Gap(
                left: (left.startIndex + i)..<(left.startIndex + i),
                right: (right.startIndex + j)..<(right.startIndex + j)
            )
            let last = gaps.last
            if last?.left.upperBound != place.left.lowerBound || last?.right.upperBound != place.right.lowerBound {
                gaps.append(place)
            }
            let gap = gaps[gaps.count - 1]
            if isLeft {
                gaps[gaps.count - 1].left = gap.left.lowerBound..<(gap.left.upperBound + 1)
                i += 1
            } else {
                gaps[gaps.count - 1].right = gap.right.lowerBound..<(gap.right.upperBound + 1)
                j += 1
            }
        }
        while i < left.count || j < right.count {
            if i < left.count, j < right.count, left[left.startIndex + i] == right[right.startIndex + j] {
                i += 1
                j += 1
            } else if j == right.count || i < left.count && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
                skip(left: true)
            } else {
                skip(left: false)
            }
        }
        return gaps
    }

    /// The length of the longest common subsequence of the elements from each pair of places on.
    private static func lengths(_ left: ArraySlice<Int>, _ right: ArraySlice<Int>) -> [UInt16] {
        let width = right.count + 1
        var lengths = [UInt16](repeating: 0, count: (left.count + 1) * width)
        for i in (0..<left.count).reversed() {
            for j in (0..<right.count).reversed() {
                let isSame = left[left.startIndex + i] == right[right.startIndex + j]
                lengths[i * width + j] =
                    isSame
                    ? lengths[(i + 1) * width + j + 1] + 1
                    : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
            }
        }
        return lengths
    }
}
