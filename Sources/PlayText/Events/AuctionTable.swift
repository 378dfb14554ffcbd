import AdCore
import PlayConsole

/// The offers of an auction as a table: who won or lost, at which price, how fast, and why.
enum AuctionTable {
    /// The number of rows; the offers after them have lost.
    private static let maxRows = 30

    static func lines(_ result: AuctionResult, _ style: Style) -> [String] {
        let head = ["bidder", "price", "outcome", "time", "why"]
        let shown = result.bids.prefix(self.maxRows)
        let rows = shown.map { bid in
            [
                Style.printable(bid.participant, upTo: 40), bid.price.map { "\($0)" } ?? "",
                AuctionText.text(bid.outcome), bid.time.map { "\($0.wholeMilliseconds) ms" } ?? "not asked",
                bid.reason.map { Style.printable($0, upTo: 160) } ?? "",
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { Style.columns($0[column]) }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: max(0, width - Style.columns(cell)))
            }
            return ("  " + padded.joined(separator: "  ")).trimmedEnd
        }
        let rest = result.bids.count - shown.count
        return [style.dim(line(head))]
            + zip(shown, rows).map { bid, row in
                switch bid.outcome {
                case .won: style.green(line(row))
                case .invalid: style.yellow(line(row))
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
