import SwiftUI
import YabbiAds

/// A game: a banner below it, an interstitial between levels, and a video for coins.
struct GameScreen: View {
    let ads: AppAds
    @State private var coins = 0
    @State private var status = ""
    @State private var isOnScreen = false

    var body: some View {
        VStack(spacing: 16) {
            Text("\(self.coins) coins")
            Button("Next level") { Task { await self.showInterstitial() } }
            Button("Watch a video for coins") { Task { await self.earnCoins() } }
            Text(self.status)
            BannerView(ads: self.ads, unit: "banner-320x50", isOnScreen: self.isOnScreen)
                .frame(width: 320, height: 50)
        }
        .onAppear { self.isOnScreen = true }
        .onDisappear { self.isOnScreen = false }
    }

    /// The game goes on at once if no interstitial is ready.
    private func showInterstitial() async {
        do {
            try await self.ads.interstitials.next()?.show(on: self.ads.screen)
        } catch {
            self.status = error.localizedDescription
        }
    }

    private func earnCoins() async {
        do {
            let video = try await self.ads.yabbi.load(.rewarded(unit: "coins", reward: AdReward(10, of: "coins")))
            let events = video.events
            try await video.show(on: self.ads.screen)
            for await case .rewarded in events { self.coins += 10 }
        } catch {
            self.status = error.localizedDescription
        }
    }
}
