/// A sponsored card of AttentionMarket, and the keywords that select it.
struct AttentionCard: Hashable, Sendable {
    /// The advertiser's name; in lowercase it is the id.
    let sponsor: String
    let title: String
    let body: String
    let button: String
    /// Empty for a card without one, because AttentionMarket's Android example reads a missing one like that.
    var teaser = ""
    /// Empty for a card without one.
    var promoCode = ""
    let payout: Int
    let keywords: [String]

    var id: String { self.sponsor.lowercased() }

    /// The card with the most keywords in a message, then in the history; nil when no keyword matches.
    static func best(for message: String, after history: [String]) -> AttentionCard? {
        let messageWords = WordSet(message)
        let historyWords = WordSet(history.joined(separator: "\n"))
        var best: (card: AttentionCard, score: (Int, Int))?
        for card in self.pool {
            let score = (messageWords.matches(card.keywords), historyWords.matches(card.keywords))
            if score > (best?.score ?? (0, 0)) { best = (card, score) }
        }
        return best?.card
    }

    /// The card of the scenarios that need a card.
    static let sample = AttentionCard(
        sponsor: "Frondolo",
        title: "The flowerpot that remembers for you",
        body: "It knows when your fern had its last drink, and clears its throat before the next one is late.",
        button: "Meet the pot",
        teaser: "Somebody on your windowsill is thirsty",
        promoCode: "FERN10",
        payout: 42,
        keywords: ["plant", "houseplant", "fern", "garden", "flower", "pot", "watering"]
    )

    static let pool = [
        sample,
        AttentionCard(
            sponsor: "Nattela",
            title: "Fall asleep in town, wake up at the sea",
            body: "Night trains with real pillows. The conductor knocks when the first gull can be heard.",
            button: "See tonight's trains",
            teaser: "There is a berth left on the 22:40",
            payout: 120,
            keywords: ["train", "travel", "trip", "holiday", "vacation", "sea", "beach", "ticket", "journey"]
        ),
        AttentionCard(
            sponsor: "Zuppidoo",
            title: "Soup that finds its own way to you",
            body: "Eleven soups, one courier, no questions. Bring a spoon; the bread is on the lid.",
            button: "Choose a soup",
            promoCode: "SLURP",
            payout: 35,
            keywords: ["soup", "dinner", "lunch", "hungry", "recipe", "cook", "food", "eat"]
        ),
        AttentionCard(
            sponsor: "Sokketri",
            title: "Socks by threes",
            body: "The dryer takes one; you keep the pair. Knitted in threes since the great loss of last winter.",
            button: "Count them",
            payout: 28,
            keywords: ["sock", "shoe", "feet", "clothes", "laundry", "knitting"]
        ),
        AttentionCard(
            sponsor: "Plattolo",
            title: "A record player with a handle",
            body: "Weighs as much as a melon and plays on a lawn, a raft or a reasonably calm horse.",
            button: "Hear it",
            teaser: "Side B, and nobody has to get up",
            promoCode: "CRACKLE",
            payout: 90,
            keywords: ["music", "record", "vinyl", "song", "album", "turntable", "melody"]
        ),
        AttentionCard(
            sponsor: "Grafalda",
            title: "A pencil that is never sure",
            body: "So soft that every line may still become another one. For sketches, lists and second thoughts.",
            button: "Draw a line",
            payout: 15,
            keywords: ["pencil", "draw", "drawing", "sketch", "art", "notebook", "write", "writing"]
        ),
        AttentionCard(
            sponsor: "Keeperholm",
            title: "Sleep in a lighthouse",
            body: "Ninety-one stairs, one bed, a lamp that minds its own business. Breakfast comes up in a basket.",
            button: "Book the lamp room",
            promoCode: "STAIRS91",
            payout: 150,
            keywords: ["hotel", "lighthouse", "weekend", "stay", "room", "island"]
        ),
    ]
}
