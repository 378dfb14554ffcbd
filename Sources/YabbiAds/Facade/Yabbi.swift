public import AdCore

/// The interface of the YABBI SDK over this runtime: placements by name, delegates, everything on the main actor.
///
/// Every load and show has exactly one callback: it succeeded or failed. A placement can load its next ad as soon as the
/// last one is shown.
///
/// ```swift
/// Yabbi.initialize(publisherID: "…", configuration: configuration) { error in
///     guard error == nil else { return }
///     Yabbi.setInterstitialDelegate(delegate)
///     Yabbi.loadAd(Yabbi.INTERSTITIAL, "pause")
/// }
/// // … in onInterstitialLoaded:
/// Yabbi.showAd(adType: Yabbi.INTERSTITIAL, placementName: "pause", presenter: presenter)
/// ```
@MainActor
public enum Yabbi {
    /// An ad over the whole screen: 1 in the SDK.
    public static let INTERSTITIAL = YabbiAdType.interstitial
    /// An ad beside the app's content: 2 in the SDK.
    public static let BANNER = YabbiAdType.banner
    /// A video with a reward: 3 in the SDK.
    public static let REWARDED = YabbiAdType.rewarded

    /// The version of this library.
    public static let sdkVersion = "0.1.0"

    static var session: YabbiSession?
    static let delegates = YabbiDelegates()
    static var bannerSettings = BannerSettings()
    static let rules = FacadeRules()
    static var isDebugging = false

    /// Whether `initialize` has succeeded.
    public static var isInitialized: Bool { self.session != nil }

    /// Initializes the SDK; ads can be loaded afterwards.
    ///
    /// A second call changes nothing. It succeeds if its arguments are those of the first, and fails with
    /// `alreadyInitialized` if the publisher, app or endpoint differs.
    public static func initialize(
        publisherID: String,
        configuration: YabbiConfiguration,
        _ completion: (AdException?) -> Void
    ) {
        if let session {
            return completion(session.difference(to: publisherID, configuration).map(AdException.init))
        }
        do throws(AdError) {
            self.session = try YabbiSession(publisherID: publisherID, configuration, self.delegates, self.rules)
            self.session?.apply(self.bannerSettings)
            completion(nil)
        } catch {
            completion(AdException(error))
        }
    }

    /// Sets a parameter; an empty value removes it.
    ///
    /// `userId` and `customData` are for the verification of rewards: whom to reward, and what the app wants to know
    /// then. Other keys are only what `customParam` returns.
    public static func setCustomParams(_ key: String, _ value: String) {
        self.rules.params[key] = value.isEmpty ? nil : value
        self.session?.updateRewardUser()
    }

    /// A parameter that was set.
    public static func customParam(_ key: String) -> String? { self.rules.params[key] }

    /// Sets whether the user consents to be identified.
    ///
    /// Without consent nothing personal is asked for or sent: no identifier, no location, and no user of a reward. Ads
    /// that are loaded and not on screen are dropped (`on…Expired`), and beacons that were not sent yet lose the
    /// identifiers that this process has sent. After `reset` this holds until the next `initialize`. The default is
    /// `true`, because identifier and location come only from the host: a host that needs the user's consent first calls
    /// this with `false` before it loads.
    public static func setUserConsent(_ hasConsent: Bool) {
        guard self.rules.hasConsent != hasConsent else { return }
        self.rules.hasConsent = hasConsent
        self.session?.applyConsent()
    }

    /// Whether the user consents to be identified; true by default.
    public static var hasUserConsent: Bool { self.rules.hasConsent }

    /// Sets whether every event is passed to the configuration's `log`.
    public static func enableDebug(_ isOn: Bool) { self.isDebugging = isOn }

    /// Whether this placement can load an ad now.
    public static func canLoadAd(_ type: YabbiAdType, _ placementName: String) -> Bool {
        self.session?.slot(type, placementName)?.canLoad ?? (self.session != nil)
    }

    /// Whether an ad of this placement is being loaded.
    public static func isAdLoading(_ type: YabbiAdType, _ placementName: String) -> Bool {
        self.session?.slot(type, placementName)?.isLoading ?? false
    }

    /// Whether an ad of this placement can be shown.
    public static func isAdLoaded(_ type: YabbiAdType, _ placementName: String) -> Bool {
        self.session?.slot(type, placementName)?.isLoaded ?? false
    }

    /// Loads an ad; the outcome is reported to the delegate.
    ///
    /// - Parameters:
    ///   - type: The format.
    ///   - placementName: The placement.
    ///   - size: The size of the show, if it is known. An ad that needs more room has an issue; the refreshes of a
    ///     banner request the same size.
    public static func loadAd(_ type: YabbiAdType, _ placementName: String, size: Size? = nil) {
        guard let session = self.session else {
            return self.delegates.call(type, placementName, .loadFailed(self.notInitialized))
        }
        session.placement(type, placementName).load(for: size)
    }

    /// Shows the loaded ad; the outcome is reported to the delegate.
    ///
    /// - Parameters:
    ///   - adType: The format.
    ///   - placementName: The placement.
    ///   - presenter: Creates the ad's view. It has the place of the SDK's root view controller, over which
    ///     interstitials and rewarded videos appear, and of its banner container, to which a banner's view is added:
    ///     `container(for:)` returns their size.
    public static func showAd(adType: YabbiAdType, placementName: String, presenter: any Presenter) {
        guard let session = self.session else {
            return self.delegates.call(adType, placementName, .showFailed(self.notInitialized))
        }
        session.placement(adType, placementName).show(on: presenter)
    }

    /// Ends a placement's ads and removes it.
    public static func destroyAd(_ type: YabbiAdType, _ placementName: String) {
        self.session?.destroy { $0 == PlacementKey(type, placementName) }
    }

    /// Ends the ads of all placements of a type.
    public static func destroyAd(_ type: YabbiAdType) { self.session?.destroy { $0.type == type } }

    /// Sets the delegate of banners, which is held weakly.
    public static func setBannerDelegate(_ delegate: (any BannerDelegate)?) { self.delegates.banner = delegate }

    /// Sets the delegate of interstitials, which is held weakly.
    public static func setInterstitialDelegate(_ delegate: (any InterstitialDelegate)?) {
        self.delegates.interstitial = delegate
    }

    /// Sets the delegate of rewarded ads, which is held weakly.
    public static func setRewardedDelegate(_ delegate: (any RewardedDelegate)?) { self.delegates.rewarded = delegate }

    /// Changes how banners behave.
    ///
    /// ```swift
    /// Yabbi.setBannerCustomSettings { $0.updateShowCloseButton(false).updateRefreshIntervalSeconds(30) }
    /// ```
    public static func setBannerCustomSettings(_ change: (BannerSettings) -> BannerSettings) {
        self.bannerSettings = change(self.bannerSettings)
        self.rules.hasCloseButton = self.bannerSettings.showsCloseButton
        self.session?.apply(self.bannerSettings)
    }

    /// Sets whether a banner's place is visible; the default is `true`.
    ///
    /// Time counts and a banner is refreshed only while its place is visible, the app is in the foreground and nothing
    /// covers it (the configuration's `signals`). It can be set before `initialize`, and `destroyAd` does not change it.
    public static func setBannerVisible(_ isVisible: Bool, _ placementName: String) {
        if isVisible {
            self.rules.hiddenBanners.remove(placementName)
        } else {
            self.rules.hiddenBanners.insert(placementName)
        }
        self.session?.setBannerVisible(isVisible, placementName)
    }

    private static var notInitialized: AdError {
        AdError(.notInitialized, "call Yabbi.initialize first and wait for its completion")
    }

    /// Ends all ads and forgets everything that was set: the session, the delegates, the settings and the parameters.
    ///
    /// Each pending command has its callback first, as with `destroyAd`. What a delegate loads from such a callback ends
    /// without one. Afterwards everything is as before `initialize`: call it again to go on, as with another publisher.
    public static func reset() {
        let session = self.session
        session?.destroy { _ in true }
        self.delegates.reset()
        session?.destroy { _ in true }
        self.session = nil
        self.bannerSettings = BannerSettings()
        self.rules.reset()
        self.isDebugging = false
    }
}

/// The kinds of ad as the SDK numbers them.
///
/// Other enumerations of the SDK and of its protocol number their cases differently.
public enum YabbiAdType: Int, Hashable, Sendable, CaseIterable {
    /// Over the whole screen.
    case interstitial = 1
    /// Beside the app's content.
    case banner = 2
    /// A video with a reward.
    case rewarded = 3
}
