import AdCore
import AdMarkup
import PlayConsole

/// Bids of Prebid.js as `inspect` prints them: the markup inside each.
package struct PrebidReading {
    private let bids: [(name: String, markup: Finding)]

    /// Reads the bids; nil where the document holds none.
    init?(_ bytes: [UInt8], following follower: Follower?) async {
        guard let json = (try? AdJSON.reading(bytes))?.json, AnswerShape(json) == .prebid else { return nil }
        var bids: [(String, Finding)] = []
        for markup in PrebidMarkup.all(in: json) {
            bids.append((markup.name, await Finding(Array(markup.text.utf8), from: nil, following: follower)))
        }
        self.bids = bids
    }

    /// Whether one of the markups can't be read.
    var isFailure: Bool { self.bids.contains { $0.markup.isFailure } }

    var json: AdJSON {
        [
            "kind": "prebid",
            "bids": .array(self.bids.map { ["field": .string($0.name), "markup": $0.markup.json] }),
            "error": nil,
        ]
    }

    func lines(of input: String, _ style: Style) -> [String] {
        let count = self.bids.count == 1 ? "1 markup" : "\(self.bids.count) markups"
        let head = "\(style.bold(Style.printable(input)))  bids of Prebid.js, \(count)"
        return [head] + self.bids.flatMap { $0.markup.lines(of: $0.name, style).map { "  " + $0 } }
    }
}
