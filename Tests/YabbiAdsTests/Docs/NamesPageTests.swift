import TestSupport
import Testing

/// Compares the table of the sources' names with the names in the sources' documents, and with this package's code.
@Suite("Names of the sources")
struct NamesPageTests {
    private static let path = "Sources/YabbiAds/YabbiAds.docc/NamesOfTheSources.md"

    /// The names of each source's API that an app or its author meets, as its document writes them.
    private static let sources: [(section: String, names: String)] = [
        (
            "YABBI",
            """
            rootViewController canLoadAd isAdLoaded isAdLoading destroyAd setUserConsent setCustomParams enableDebug \
            closeTimeout tracker.view tracker.click ifa geo userAgent
            """
        ),
        (
            "AttentionMarket",
            """
            AttentionMarketClient apiKey agentId supabaseAnonKey getAd trackClick AttentionMarketAd Creative title body \
            cta teaser promoCode clickUrl directUrl payout Disclosure sponsorName isSponsored DecideResponse \
            AttentionMarketError invalidResponse httpError trackingFailed noAdsAvailable SponsoredContentView \
            SponsoredContent SafariView SFSafariViewController handleClick messageHistory shouldShowAd recordAdShown \
            AdPlacementManager detectCommercialIntent MIN_MESSAGES_BEFORE_FIRST_AD MIN_MESSAGES_BETWEEN_ADS \
            requestCachePolicy MockAttentionMarketClient
            """
        ),
        (
            "CeedAds",
            """
            CeedAdsSDK.initialize CeedAdsSDK.requestAd appId apiBaseUrl conversationId messageId contextText \
            trackImpression trackClick APIClient EventTracker CeedAdsActionCardView onAppear AdFormat action_card \
            lead_gen static followup openURL requestId sdkVersion userId language advertiserName description ctaText \
            ctaUrl renderAd showAd
            """
        ),
        (
            "ActiveAds",
            """
            AdService.shared fetchFeedAds fetchBannerAds trackClick AdCampaign GetActiveAdsResponse FeedAdCard TabView \
            get-active-ads track-ad-click popup
            """
        ),
        (
            "Smartico",
            """
            INIT_SESSION_REQUEST INIT_SESSION_RESPONSE PING PONG IDENTIFY_USER_REQUEST IDENTIFY_USER_RESPONSE LOGIN \
            REGISTER_PUSH_NOTIFICATIONS_TOKEN_REQUEST REGISTER_PUSH_NOTIFICATIONS_TOKEN_RESPONSE \
            CLIENT_ENGAGEMENT_EVENT CORE_LANGUAGE_CHANGE SAW_SHOW_SPIN_PUSH PAGE_READY CLOSE_ME SHOW_ENGAGEMENT \
            EXECUTE_DEEP_LINK READY_TO_BE_SHOWN SEND_TO_SOCKET SEND_PUBLIC_PROPS SEND_GAME_OPENING SmarticoBridge \
            ReactNativeWebView SMTO-WRAPPER native_app_gf_url native_app_popup_url engagement_failed _delivered \
            _impression _action registerNativePushToken
            """
        ),
    ]

    @Test("every name of a source's API is in the first column of its table", arguments: sources.indices)
    func names(index: Int) throws {
        let (section, names) = Self.sources[index]
        let left = try self.rows(of: section).compactMap(\.first).joined(separator: " ")
        for name in names.split(separator: " ") { #expect(left.contains(name), "\(section): \(name) is missing") }
    }

    @Test("every callback of the delegates is in YABBI's table")
    func callbacks() throws {
        let delegates = try #require(PackageFolder.text("Sources/YabbiAds/Facade/Delegates.swift"))
        let names = delegates.split(separator: "func ").dropFirst().compactMap { $0.split(separator: "(").first }
        #expect(names.count == 27)
        let cells = try self.rows(of: "YABBI").flatMap(\.self).joined(separator: " ")
        for name in names { #expect(cells.contains("`\(name)`"), "\(name) is missing") }
    }

    @Test("every name of code in a second column occurs in the libraries")
    func ours() throws {
        let paths = PackageFolder.files(below: "Sources", ending: ".swift")
        let words = paths.reduce(into: Set<Substring>()) { words, path in
            words.formUnion(self.words((PackageFolder.text(path) ?? "")[...]))
        }
        for (section, _) in Self.sources {
            for row in try self.rows(of: section) {
                let code = row[1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map(\.element)
                let unknown = code.flatMap(self.words).filter { !words.contains($0) && $0 != "YabbiTesting" }
                #expect(unknown.isEmpty, "\(section): \(unknown)")
            }
        }
    }

    /// The two columns of a section's table, without its head.
    private func rows(of section: String) throws -> [[Substring]] {
        let text = try #require(PackageFolder.text(Self.path))
        let parts = text.split(separator: "\n## ")
        let part = try #require(parts.first { $0.hasPrefix("\(section)\n") }, "there is no section \(section)")
        let rows = part.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { $0.split(separator: "|") }
        return Array(rows.dropFirst())
    }

    private func words(_ text: Substring) -> [Substring] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    }
}
