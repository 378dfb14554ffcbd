import AppleStage
import SwiftUI
import YabbiAds

/// A feed with rows of cards after its fourth post, under a carousel.
struct FeedScreen: View {
    let ads: AppAds
    @State private var rows = Row.rows(of: FeedScreen.posts, with: [])
    @State private var carousel: [CardPresenter] = []
    @State private var hasLoaded = false

    private static let posts = (1...20).map { "Post \($0)" }

    private struct Row: Identifiable {
        enum Content {
            case post(String)
            case card(CardPresenter)
        }

        let id: String
        let content: Content

        @MainActor static func rows(of posts: [String], with cards: [CardPresenter]) -> [Row] {
            ActiveAdsPlacement.feedRule.rows(of: posts, with: Array(cards.enumerated())).map { row in
                switch row {
                case .entry(let post): Row(id: post, content: .post(post))
                case .card(let card): Row(id: "card \(card.offset)", content: .card(card.element))
                }
            }
        }
    }

    var body: some View {
        List {
            AdCarouselView(self.carousel)
            ForEach(self.rows) { row in
                switch row.content {
                case .post(let text): Text(text)
                case .card(let card): AdCardView(card, style: .row)
                }
            }
        }
        .task { await self.load() }
    }

    /// Adds the cards once; the posts don't wait for them.
    private func load() async {
        guard !self.hasLoaded else { return }
        self.hasLoaded = true
        let cards = await self.show((try? await self.ads.activeAds.feed()) ?? [])
        self.rows = Row.rows(of: FeedScreen.posts, with: cards)
        self.carousel = await self.show((try? await self.ads.activeAds.banner()) ?? [])
    }

    /// Shows each ad on a card of its own.
    private func show(_ ads: [Ad]) async -> [CardPresenter] {
        var cards: [CardPresenter] = []
        for ad in ads {
            let card = CardPresenter()
            if (try? await ad.show(on: card)) != nil { cards.append(card) }
        }
        return cards
    }
}
