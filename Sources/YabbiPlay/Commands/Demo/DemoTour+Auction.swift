import AdCore
import AdRuntime
import PlayConsole

/// An auction among bidders of the built-in server, a direct placement and a provider without prices.
extension DemoTour {
    /// Shows the winner of one auction.
    mutating func auction(direct unit: String) async throws(PlayError) {
        var participants: [AdAuction.Participant] = []
        for text in [
            "sandbox:high", "sandbox:several", "sandbox:no-bid", "direct=provider:yabbi,unit=\(unit),price=2",
            "house=provider:activeads",
        ] {
            let bidder: BidderOption
            do throws(UsageError) {
                bidder = try BidderOption(parsing: text, of: AuctionCommand.bid.name)
            } catch {
                throw PlayError(.usage, error.message)
            }
            participants.append(try self.context.participant(bidder, unit: "auction", .banner))
        }
        let loader = AdLoader<AdAuction>.auction(services: self.context.services)
        let request = AdRequest("auction", loader, AdAuction(participants)) { $0.description }
        await self.step(.openrtb, "auction", "three bidders, a direct placement and cards compete", request)
    }
}
