import AppleStage
import SwiftUI
import UIKit
import YabbiAds

/// A banner that is refreshed while it is seen.
struct BannerView: UIViewRepresentable {
    let ads: AppAds
    let unit: String
    /// Whether the screen with the banner is the one in front.
    let isOnScreen: Bool

    /// Keeps the slot as long as the view.
    @MainActor
    final class Coordinator {
        var slot: BannerSlot?
    }

    func makeCoordinator() -> Coordinator { Coordinator() }

    func makeUIView(context: Context) -> UIView {
        let container = UIView()
        let slot = BannerSlot(
            self.ads.yabbi,
            .banner(unit: self.unit),
            on: ApplePresenter(in: container),
            refreshInterval: .seconds(30)
        )
        slot.start()
        context.coordinator.slot = slot
        return container
    }

    func updateUIView(_ container: UIView, context: Context) {
        context.coordinator.slot?.setVisible(self.isOnScreen ? 1 : 0)
    }

    static func dismantleUIView(_ container: UIView, coordinator: Coordinator) { coordinator.slot?.close() }
}
