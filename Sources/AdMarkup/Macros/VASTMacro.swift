/// A macro of VAST (VAST 4.3 §6), which the player replaces when it calls a URL.
public enum VASTMacro: String, CaseIterable, Hashable, Sendable {
    // The call.
    /// The time of the call, as in ISO 8601.
    case timestamp = "TIMESTAMP"
    /// A random number of eight digits, new for each call.
    case cacheBusting = "CACHEBUSTING"
    // The ad and its playback.
    /// The playback position of the content; replaced by `MEDIAPLAYHEAD` in VAST 4.1.
    case contentPlayhead = "CONTENTPLAYHEAD"
    /// The playback position of the content.
    case mediaPlayhead = "MEDIAPLAYHEAD"
    /// The playback position of the ad.
    case adPlayhead = "ADPLAYHEAD"
    /// The URL of the media file that is played.
    case assetURI = "ASSETURI"
    /// The type of ad: video, audio or hybrid.
    case adType = "ADTYPE"
    /// The creative's registry and id in it.
    case universalAdID = "UNIVERSALADID"
    /// The `AdServingId` of the ad.
    case adServingID = "ADSERVINGID"
    /// The `sequence` of the ad in its pod.
    case podSequence = "PODSEQUENCE"
    /// The state of the player, as in muted or fullscreen.
    case playerState = "PLAYERSTATE"
    /// The position of the click.
    case clickPosition = "CLICKPOS"
    /// The error code (VAST 4.3 §2.3.6.3).
    case errorCode = "ERRORCODE"
    /// The reason why a verification resource was not executed (VAST 4.3 §3.17.4).
    case reason = "REASON"
    // The ad break.
    /// The position of the break in the content.
    case breakPosition = "BREAKPOSITION"
    /// The maximum duration of the break.
    case breakMaxDuration = "BREAKMAXDURATION"
    /// The minimum duration of the break.
    case breakMinDuration = "BREAKMINDURATION"
    /// The maximum number of ads in the break.
    case breakMaxAds = "BREAKMAXADS"
    /// The minimum duration of an ad in the break.
    case breakMinAdLength = "BREAKMINADLENGTH"
    /// The maximum duration of an ad in the break.
    case breakMaxAdLength = "BREAKMAXADLENGTH"
    /// The number of ads played in the break.
    case adCount = "ADCOUNT"
    /// The wanted ad categories.
    case adCategories = "ADCATEGORIES"
    /// The blocked ad categories.
    case blockedAdCategories = "BLOCKEDADCATEGORIES"
    /// The placement subtype, as AdCOM numbers it.
    case placementType = "PLACEMENTTYPE"
    /// The id that joins all requests of one transaction.
    case transactionID = "TRANSACTIONID"
    // The user and regulations.
    /// The advertising identifier.
    case ifa = "IFA"
    /// The kind of advertising identifier.
    case ifaType = "IFATYPE"
    /// Whether the user limits ad tracking.
    case limitAdTracking = "LIMITADTRACKING"
    /// The regulations that apply.
    case regulations = "REGULATIONS"
    /// The TCF string.
    case gdprConsent = "GDPRCONSENT"
    /// The GPP string.
    case gppString = "GPPSTRING"
    /// The GPP sections that apply.
    case gppSectionID = "GPPSECTIONID"
    /// Whether the DSA requires transparency information.
    case dsaRequired = "DSAREQUIRED"
    /// The transparency parameters of the EU's Digital Services Act.
    case dsaParameters = "DSAPARAMS"
    /// Whether the publisher renders the DSA's transparency information.
    case dsaPublisherRender = "DSAPUBRENDER"
    // The device and the app.
    /// The name of the player.
    case clientUA = "CLIENTUA"
    /// The user agent of a server that requests ads for a client.
    case serverUA = "SERVERUA"
    /// The user agent of the device.
    case deviceUA = "DEVICEUA"
    /// The IP address of the device.
    case deviceIP = "DEVICEIP"
    /// The latitude and longitude of the device.
    case latLong = "LATLONG"
    /// Whether a server or the client sends the request.
    case serverSide = "SERVERSIDE"
    /// The domain of the page with the ad.
    case domain = "DOMAIN"
    /// The URL of the page with the ad.
    case pageURL = "PAGEURL"
    /// The app's bundle id.
    case appBundle = "APPBUNDLE"
    /// The app's id in its store.
    case storeID = "STOREID"
    /// The URL of the app in its store.
    case storeURL = "STOREURL"
    // The player's capabilities.
    /// The supported VAST versions, as AdCOM numbers them.
    case vastVersions = "VASTVERSIONS"
    /// The supported API frameworks, as AdCOM numbers them.
    case apiFrameworks = "APIFRAMEWORKS"
    /// The supported extensions.
    case extensions = "EXTENSIONS"
    /// The vendors whose verification resources can be executed.
    case verificationVendors = "VERIFICATIONVENDORS"
    /// The name and version of the OMID integration.
    case omidPartner = "OMIDPARTNER"
    /// The supported media types.
    case mediaMIME = "MEDIAMIME"
    /// The player's capabilities, as in skip or mute.
    case playerCapabilities = "PLAYERCAPABILITIES"
    /// How the player handles clicks.
    case clickType = "CLICKTYPE"
    /// The properties of the inventory, as in autoplayed or fullscreen.
    case inventoryState = "INVENTORYSTATE"
    /// How playback is started.
    case playbackMethods = "PLAYBACKMETHODS"
    /// The width and height of the player.
    case playerSize = "PLAYERSIZE"
    // The content.
    /// The id of the content.
    case contentID = "CONTENTID"
    /// The URI of the content.
    case contentURI = "CONTENTURI"
    /// The categories of the content.
    case contentCategories = "CONTENTCAT"

    /// Other names of a macro: VMAP 1.0.1 writes `[ERROR_CODE]`, and many servers do too.
    static let otherNames: [String: VASTMacro] = ["ERROR_CODE": .errorCode]

    /// The macros that are also accepted as `%%NAME%%`.
    static let betweenPercentSigns: Set<VASTMacro> = [.timestamp, .cacheBusting]

    private static let byName = Dictionary(
        uniqueKeysWithValues: VASTMacro.allCases.map { ($0.rawValue, $0) } + otherNames.map { ($0.key, $0.value) }
    )

    /// The macro with this name, case-sensitive; nil if the list has none.
    package init?(named name: String) {
        guard let macro = VASTMacro.byName[name] else { return nil }
        self = macro
    }
}
