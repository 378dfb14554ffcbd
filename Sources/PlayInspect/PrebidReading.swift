import AdCore
import AdLint
import AdMarkup
import PlayConsole

/// Bids of Prebid.js, with the markup inside each.
package struct PrebidReading {
    private let bids: [(name: String, markup: InspectedInput)]

    /// Reads the bids; nil if the document has none.
    init?(_ bytes: [UInt8], following follower: Follower?) async {
        guard let json = (try? AdJSON.reading(bytes))?.json, AdResponseFormat(json) == .prebid else { return nil }
        var bids: [(String, InspectedInput)] = []
        for markup in ResponseMarkup.all(in: json, .prebid) {
            bids.append((markup.name, await InspectedInput(Array(markup.text.utf8), from: nil, following: follower)))
        }
        self.bids = bids
    }

    /// Whether one of the markups can't be read.
    var isFailure: Bool { self.bids.contains { $0.markup.isFailure } }

    func node(of input: String) -> InspectNode {
        .input(
            input,
            "Prebid.js bids, \(Quantity.text(self.bids.count, "creative"))",
            [
                .data("kind", "prebid"),
                .objects(
                    "bids",
                    self.bids.map { bid in
                        .object([.data("field", bid.name), bid.markup.node(of: bid.name).named("markup")])
                    }
                ),
                .data("error", .null),
            ]
        )
    }
}
