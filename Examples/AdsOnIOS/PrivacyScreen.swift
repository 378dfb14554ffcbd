import AppTrackingTransparency
import SwiftUI

/// The user's consent, which may change at any time, and the system's question about tracking.
struct PrivacyScreen: View {
    let ads: AppAds
    @AppStorage(AppAds.personalAdsKey) private var allowsPersonalAds = false

    var body: some View {
        List {
            Toggle("Personal ads", isOn: self.$allowsPersonalAds)
                .onChange(of: self.allowsPersonalAds) { isAllowed in
                    self.ads.allowPersonalAds(isAllowed)
                    if isAllowed { self.askAboutTracking() }
                }
        }
    }

    /// The system asks the user once, and the identifier is sent only if both answers allow it.
    private func askAboutTracking() {
        Task { await ATTrackingManager.requestTrackingAuthorization() }
    }
}
