import SwiftUI
import YabbiAds

/// What leads to Smartico's popups, games and widget, which its server pushes (`AppAds.showEngagements`).
struct BonusScreen: View {
    let ads: AppAds

    var body: some View {
        VStack(spacing: 16) {
            Button("Log in") { self.ads.smartico.logIn(userID: "u-7") }
            Button("Open the bonus page") { self.ads.smartico.openGamification() }
            Button("Log out") { self.ads.smartico.logOut() }
        }
    }
}
