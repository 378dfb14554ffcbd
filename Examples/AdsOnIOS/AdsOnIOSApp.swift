import SwiftUI

/// An app with every kind of ad: one tab for each.
@main
struct AdsOnIOSApp: App {
    private let ads = Result { try AppAds() }

    var body: some Scene {
        WindowGroup {
            switch self.ads {
            case .success(let ads): Screens(ads: ads)
            case .failure(let error): Text("No ads: \(error.localizedDescription)")
            }
        }
    }
}

private struct Screens: View {
    let ads: AppAds

    var body: some View {
        TabView {
            GameScreen(ads: self.ads).tabItem { Label("Game", systemImage: "gamecontroller") }
            ChatScreen(ads: self.ads).tabItem { Label("Chat", systemImage: "message") }
            FeedScreen(ads: self.ads).tabItem { Label("Feed", systemImage: "list.bullet") }
            BonusScreen(ads: self.ads).tabItem { Label("Bonus", systemImage: "gift") }
            PrivacyScreen(ads: self.ads).tabItem { Label("Privacy", systemImage: "hand.raised") }
        }
        .task { await self.ads.showEngagements() }
    }
}
