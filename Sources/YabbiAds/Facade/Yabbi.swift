public import AdCore

/// The YABBI SDK's vocabulary over this runtime: placements by name, delegates, everything on the main actor.
///
/// Every command ends in exactly one callback. A new load of a placement is allowed once its ad is shown.
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
    /// An ad over the whole screen: 1 in this vocabulary.
    public static let INTERSTITIAL = YabbiAdType.interstitial
    /// An ad beside the app's content: 2 in this vocabulary.
    public static let BANNER = YabbiAdType.banner
    /// A video with a reward: 3 in this vocabulary.
    public static let REWARDED = YabbiAdType.rewarded

    /// The version of this library.
    public static let sdkVersion = "0.1.0"

    static var session: YabbiSession?
    static let delegates = YabbiDelegates()
    static var params: [String: String] = [:]
    static var bannerSettings = BannerSettings()
    static let rules = FacadeRules()
    static var isDebugging = false

    /// Whether `initialize` has succeeded.
    public static var isInitialized: Bool { self.session != nil }

    /// Makes ready to load.
    ///
    /// A second call changes nothing. It succeeds where it says the same as the first, and fails with
    /// `alreadyInitialized` where it names another publisher, app or address: the first one stays in use.
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

    /// Keeps a parameter for whoever asks for it by `customParam`.
    public static func setCustomParams(_ key: String, _ value: String) { self.params[key] = value }

    /// A parameter that was set.
    public static func customParam(_ key: String) -> String? { self.params[key] }

    /// Says whether the user agrees to be recognised.
    ///
    /// Without it no identifier and no place is sent. Until the host says otherwise the user agrees: neither is known but
    /// by the host's own word, so a host that must ask first calls this with `false` before it loads.
    public static func setUserConsent(_ hasConsent: Bool) { self.rules.hasConsent = hasConsent }

    /// Whether the user agrees to be recognised: true until the host says otherwise.
    public static var hasUserConsent: Bool { self.rules.hasConsent }

    /// Whether every event is passed to the configuration's `log`.
    public static func enableDebug(_ isOn: Bool) { self.isDebugging = isOn }

    /// Whether a load of this placement would be accepted.
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

    /// Loads an ad; the delegate hears how it ended.
    ///
    /// - Parameters:
    ///   - type: The format.
    ///   - placementName: The placement.
    ///   - size: The size of the future show, where the app knows it. An answer that needs more room is an issue of the ad;
    ///     a banner's later refreshes ask for the same size.
    public static func loadAd(_ type: YabbiAdType, _ placementName: String, size: Size? = nil) {
        guard let session = self.session else {
            return self.delegates.tell(type, placementName, .loadFailed(self.notInitialized))
        }
        session.placement(type, placementName).load(for: size)
    }

    /// Shows the ad that is loaded; the delegate hears how it ended.
    public static func showAd(adType: YabbiAdType, placementName: String, presenter: any Presenter) {
        guard let session = self.session else {
            return self.delegates.tell(adType, placementName, .showFailed(self.notInitialized))
        }
        session.placement(adType, placementName).show(on: presenter)
    }

    /// Ends a placement's ads and forgets it.
    public static func destroyAd(_ type: YabbiAdType, _ placementName: String) {
        self.session?.destroy { $0 == PlacementKey(type, placementName) }
    }

    /// Ends the ads of all placements of a type.
    public static func destroyAd(_ type: YabbiAdType) { self.session?.destroy { $0.type == type } }

    /// Says who hears of banners.
    ///
    /// It is held weakly.
    public static func setBannerDelegate(_ delegate: (any BannerDelegate)?) { self.delegates.banner = delegate }

    /// Says who hears of interstitials.
    ///
    /// It is held weakly.
    public static func setInterstitialDelegate(_ delegate: (any InterstitialDelegate)?) {
        self.delegates.interstitial = delegate
    }

    /// Says who hears of rewarded ads.
    ///
    /// It is held weakly.
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

    /// Says whether a banner's place can be seen: a refresh begins only while it can, and while the configuration's
    /// `signals` have the app in the foreground and nothing over it.
    ///
    /// It is true until the host says otherwise. It may be said before `initialize`, and `destroyAd` does not change it.
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

    /// Forgets everything, for tests.
    static func reset() {
        self.session?.destroy { _ in true }
        self.session = nil
        self.params = [:]
        self.bannerSettings = BannerSettings()
        self.rules.reset()
        self.isDebugging = false
        self.delegates.banner = nil
        self.delegates.interstitial = nil
        self.delegates.rewarded = nil
    }
}

/// The kinds of ad as the SDK numbers them.
///
/// Other numbers that look alike mean other things elsewhere.
public enum YabbiAdType: Int, Hashable, Sendable, CaseIterable {
    /// Over the whole screen.
    case interstitial = 1
    /// Beside the app's content.
    case banner = 2
    /// A video with a reward.
    case rewarded = 3
}

/// Where a banner stands.
public enum BannerPosition: Int, Hashable, Sendable {
    /// At the bottom of the screen.
    case bottom = 0
    /// At the top of the screen.
    case top = 1
}

/// How banners behave.
public struct BannerSettings: Hashable, Sendable {
    /// Whether a banner has a close button.
    public private(set) var showsCloseButton = true
    /// How long after a view the next banner comes; nil for never.
    public private(set) var refreshInterval: Duration?
    /// Where it stands; for the presenter.
    public private(set) var position = BannerPosition.bottom

    init() {}

    /// Gives banners a close button, or none.
    public func updateShowCloseButton(_ shows: Bool) -> BannerSettings {
        var settings = self
        settings.showsCloseButton = shows
        return settings
    }

    /// Refreshes banners after so many seconds, held between 15 and 120; 0 or less switches it off.
    public func updateRefreshIntervalSeconds(_ seconds: Int) -> BannerSettings {
        var settings = self
        settings.refreshInterval = seconds <= 0 ? nil : .seconds(min(max(seconds, 15), 120))
        return settings
    }

    /// Puts banners to the top or the bottom.
    public func updateBannerPosition(_ position: BannerPosition) -> BannerSettings {
        var settings = self
        settings.position = position
        return settings
    }
}

/// Why a command failed, in the three texts of the SDK.
public struct AdException: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let description: String
    /// What happened and what to do.
    public let message: String
    /// What lay beneath it.
    public let caused: String

    init(_ error: AdError) {
        self.description = error.code.description
        self.message = error.message
        self.caused = error.underlying.map { "\($0)" } ?? error.place.url ?? ""
    }
}
