package import AdCore
import PlayConsole

/// The offers of an auction as a table: who won or lost, at which price, how fast, and why.
package struct AuctionTable: Sendable {
    /// The offers: the winner first, and then the others in their order.
    package private(set) var bids: [AuctionBid]
    /// How long the auction took.
    package let time: Duration

    /// The number of rows; the offers after them have lost.
    package static let maxRows = 30
    package static let head = ["bidder", "price", "outcome", "time", "why"]

    package init(_ result: AuctionResult) {
        self.init(result.bids, in: result.time)
    }

    private init(_ bids: [AuctionBid], in time: Duration) {
        self.bids = bids
        self.time = time
    }

    /// The auction of an ad, and what became of its offers when they were shown; nil if there was none.
    ///
    /// The bids are reported before the result, of which a trace has the winner only.
    package init?(_ events: some Sequence<AdEvent>) {
        var table: AuctionTable?
        var bids: [AuctionBid] = []
        for event in events {
            switch event {
            case .auctionEnded(let result): table = AuctionTable(bids.isEmpty ? result.bids : bids, in: result.time)
            case .offerFailed(let error): table?.winnerFailed(error)
            case .bid(let bid) where table == nil: bids.append(bid)
            case .bid(let bid): table?.replace(bid)
            default: break
            }
        }
        guard let table else { return nil }
        self = table
    }

    /// The offer that the ad shows; nil if there is none.
    package var winner: AuctionBid? { self.bids.first { $0.outcome == .won } }

    private mutating func winnerFailed(_ error: AdError) {
        guard let index = self.bids.firstIndex(where: { $0.outcome == .won }) else { return }
        let bid = self.bids[index]
        self.bids[index] = AuctionBid(
            participant: bid.participant,
            price: bid.price,
            outcome: .lost,
            reason: error.message,
            time: bid.time
        )
    }

    /// An offer that takes the place of the winner.
    private mutating func replace(_ bid: AuctionBid) {
        guard bid.outcome == .won else { return }
        let same = self.bids.firstIndex {
            $0.outcome == .lost && $0.participant == bid.participant && ($0.price == bid.price || $0.price == nil)
        }
        if let same { self.bids[same] = bid } else { self.bids.append(bid) }
    }

    /// The cells of an offer, in the order of the head.
    package static func cells(_ bid: AuctionBid) -> [String] {
        [
            Style.printable(bid.participant, upTo: 40), bid.price.map { "\($0)" } ?? "", AuctionText.text(bid.outcome),
            bid.time.map { "\($0.wholeMilliseconds) ms" } ?? "not asked",
            bid.reason.map { Style.printable($0, upTo: 160) } ?? "",
        ]
    }

    /// The offers that are shown, and the number of the others.
    package var shown: (bids: ArraySlice<AuctionBid>, rest: Int) {
        let shown = self.bids.prefix(Self.maxRows)
        return (shown, self.bids.count - shown.count)
    }

    /// The table in aligned columns.
    func lines(_ style: Style) -> [String] {
        let (shown, rest) = self.shown
        let rows = shown.map(Self.cells)
        let widths = Self.head.indices.map { column in
            ([Self.head] + rows).map { Style.columns($0[column]) }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - Style.columns(cell)))
            }
            return ("  " + padded.joined(separator: "  ")).trimmedEnd
        }
        return [style.dim(line(Self.head))]
            + zip(shown, rows).map { bid, row in
                switch bid.outcome {
                case .won: style.green(line(row))
                case .invalid, .failed: style.yellow(line(row))
                case .lost, .noBid, .timedOut, .belowFloor: line(row)
                }
            } + (rest > 0 ? [style.dim("  and \(rest) more")] : [])
    }
}

extension String {
    /// The text without the spaces at its end.
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
