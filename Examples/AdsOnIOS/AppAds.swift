import AppleHost
import AppleStage
import Foundation
import YabbiAds
import YabbiFoundation

/// What all screens need for their ads; an app makes it once, when it starts.
@MainActor
final class AppAds {
    /// Shows interstitials, videos and Smartico's pages over whatever is in front.
    let screen = ApplePresenter()
    let yabbi: AdLoader<YabbiPlacement>
    /// Keeps an interstitial ready for the end of a level.
    let interstitials: AdPool
    let activeAds: ActiveAds
    let smartico: Smartico
    private let consent = ConsentSource()

    /// Whether the user agreed to personal ads, in the user defaults.
    nonisolated static let personalAdsKey = "personalAds"

    init() throws {
        let support = try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: true
        )
        let signals = AppleSignals()
        let services = try AdServices.standard(
            opener: AppleOpener(signals: signals),
            beaconFolder: BeaconFolder(url: support.appendingPathComponent("ads")),
            signals: signals,
            context: .apple(consent: self.consent),
            observer: AttributionObserver(next: SystemLogObserver())
        )
        // Replace these with your servers and keys.
        let app = YabbiApp(publisherID: "publisher", bundle: "com.example.game", name: "Game")
        let endpoint = try HTTPURL(parsing: "https://ads.example.com/load")
        let functions = try HTTPURL(parsing: "https://active.example.com/functions/v1")
        self.yabbi = AdLoader.yabbi(endpoint, app: app, services: services)
        self.interstitials = AdPool(self.yabbi, for: .interstitial(unit: "pause"), size: 1)
        self.activeAds = ActiveAds(baseURL: functions, services: services)
        CeedAds.initialize(appId: "app_test_demo", services: services)
        let game = SmarticoApp(
            labelKey: "label",
            brandKey: nil,
            id: "com.example.game",
            version: "1.0.0",
            deviceID: AppAds.deviceID
        )
        self.smartico = Smartico(game, services: services)
        self.allowPersonalAds(UserDefaults.standard.bool(forKey: AppAds.personalAdsKey))
    }

    /// Passes on the user's answer: ads that were loaded with more consent are dropped.
    ///
    /// An app with a consent management platform uses `ConsentSource(reading: UserDefaultsStore())` instead.
    func allowPersonalAds(_ isAllowed: Bool) {
        self.consent.post(AdContext.Consent(usPrivacy: isAllowed ? "1YNN" : "1YYN"))
    }

    /// Shows what Smartico pushes, over every screen of the app.
    func showEngagements() async {
        // Each in a task of its own: a popup may come while the widget is open.
        for await ad in self.smartico.ads { Task { try? await ad.show(on: self.screen) } }
    }

    /// An id of this installation.
    private static var deviceID: String {
        let key = "deviceID"
        if let id = UserDefaults.standard.string(forKey: key) { return id }
        let id = UUID().uuidString
        UserDefaults.standard.set(id, forKey: key)
        return id
    }
}
