import AdCore
import PlayConsole
import PlayText

/// The auction of an ad in a report: who won or lost, and why.
struct AuctionSection {
    private let table: AuctionTable

    /// Creates the section; nil if the ad had no auction.
    init?(_ ad: ReportedAd) {
        guard let table = AuctionTable(ad.records.lazy.map(\.event)) else { return nil }
        self.table = table
    }

    /// The auction as a line of the ad's summary.
    var check: AdCheck {
        let others = self.table.bids.count - (self.table.winner == nil ? 0 : 1)
        let time = TimeScale.text(self.table.time)
        guard let winner = self.table.winner else {
            let text = "\(Quantity.text(others, "participant")) in \(time)"
            return AdCheck(title: "Auction", rating: .bad, result: "no winner", reason: text, section: .auction)
        }
        let price = winner.price.map { "at \($0), " } ?? ""
        return AdCheck(
            title: "Auction",
            rating: .good,
            result: "won by \(winner.participant)",
            reason: "\(price)against \(Quantity.text(others, "other")), in \(time)",
            section: .auction
        )
    }

    func html(_ layout: ReportTable.Layout, anchor: String) -> HTML {
        let (shown, rest) = self.table.shown
        let rows = shown.map { bid -> HTML in
            let rating: Rating =
                switch bid.outcome {
                case .won: .good
                case .invalid, .failed, .timedOut: .warn
                case .lost, .noBid, .belowFloor: .plain
                }
            let cells = AuctionTable.cells(bid)
            return """
                <tr>\(ReportTable.name(cells[0]))<td class="num">\(cells[1])</td>\
                <td>\(ReportTable.badge(rating, cells[2]))</td><td class="num">\(cells[3])</td>\
                <td class="last">\(cells[4])</td></tr>
                """
        }
        let more: HTML = rest > 0 ? "<p class=\"more\">and \(rest) more</p>" : .none
        let about = "prices for a thousand impressions"
        return ReportTable.section(layout, "Auction", about: about, anchor: anchor, AuctionTable.head, rows, more)
    }
}
