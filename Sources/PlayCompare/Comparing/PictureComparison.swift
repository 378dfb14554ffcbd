import AdCore
import PlayConsole
import PlayReport

/// Compares the pictures of two ads: those with the same caption, in order.
struct PictureComparison {
    /// The place of two pictures among those that a browser compares.
    struct Place: Hashable {
        let ad: Int
        let caption: String
        let index: Int
    }

    /// The share of pixels that may differ.
    static let tolerance = 0.001

    private let pair: ComparedPair
    /// The number of the pair in the comparison.
    private let number: Int

    init(_ pair: ComparedPair, number: Int) {
        self.pair = pair
        self.number = number
    }

    private typealias Match = (place: Place, a: RunPicture?, b: RunPicture?)

    private var matches: [Match] {
        guard let a = self.pair.a.pictures, let b = self.pair.b.pictures else { return [] }
        return SideBySide.groups(a, b) { [$0.caption] }.flatMap { group in
            (0..<max(group.a.count, group.b.count)).map { index in
                (
                    Place(ad: self.number, caption: group.key[0], index: index),
                    index < group.a.count ? group.a[index] : nil, index < group.b.count ? group.b[index] : nil
                )
            }
        }
    }

    /// The pictures that have the same size and other bytes.
    var undecided: [(place: Place, a: RunPicture, b: RunPicture)] {
        self.matches.compactMap { match in
            guard let a = match.a, let b = match.b, a.size == b.size, let bytes = a.bytes, let others = b.bytes,
                bytes != others
            else { return nil }
            return (match.place, a, b)
        }
    }

    /// The pictures that can't be compared, because a page does not have them.
    var notes: [String] {
        self.matches.filter { $0.a.map { $0.bytes == nil } ?? false || $0.b.map { $0.bytes == nil } ?? false }.map {
            "the picture \u{201C}\($0.place.caption)\u{201D} of \u{201C}\(self.pair.place.name)\u{201D} is missing in a page, and is not compared"
        }
    }

    /// The pictures side by side.
    func compared(_ known: [Place: PictureDifference]) -> [ComparedPictures] {
        self.matches.map { match in
            ComparedPictures(
                ad: self.pair.place.name,
                place: self.pair.place,
                caption: match.place.caption,
                a: match.a,
                b: match.b,
                difference: known[match.place]
            )
        }
    }

    func differences(_ known: [Place: PictureDifference]) -> [RunDifference] {
        self.matches.compactMap { match in
            var text = match.place.caption
            if let a = match.a, let b = match.b {
                if a.size != b.size {
                    text += ": other sizes"
                } else {
                    guard a.bytes != nil, b.bytes != nil, a.bytes != b.bytes,
                        let change = PictureComparison.text(known[match.place] ?? .unknown)
                    else { return nil }
                    text += ": \(change)"
                }
            }
            return self.pair.difference(.picture, text, a: match.a?.summary, b: match.b?.summary)
        }
    }

    /// How much two pictures differ; nil within the tolerance.
    static func text(_ difference: PictureDifference) -> String? {
        switch difference {
        case .unknown: return "the bytes differ; to compare the pixels, install Chromium (yabbi-play doctor checks it)"
        case .undecodable: return "the bytes differ, and the pictures can't be decoded"
        case .known(let share, _):
            guard share > self.tolerance else { return nil }
            let percent = AdJSON.double((min(share, 1) * 1_000).rounded() / 10).text()
            return "\(percent) % of the pixels differ"
        }
    }
}

extension RunPicture {
    fileprivate var size: [Int] { [self.width, self.height] }

    fileprivate var summary: String {
        "\(self.width)x\(self.height)" + (self.bytes.map { ", \(Quantity.bytes($0.count))" } ?? "")
    }
}
