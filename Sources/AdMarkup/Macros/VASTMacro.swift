/// A macro of IAB's list: what stands for it is known to whoever calls an address.
public enum VASTMacro: String, CaseIterable, Hashable, Sendable {
    // Of the moment.
    case timestamp = "TIMESTAMP"
    case cacheBusting = "CACHEBUSTING"
    // Of the ad, and of how it is played.
    case contentPlayhead = "CONTENTPLAYHEAD"
    case mediaPlayhead = "MEDIAPLAYHEAD"
    case adPlayhead = "ADPLAYHEAD"
    case assetURI = "ASSETURI"
    case adType = "ADTYPE"
    case universalAdID = "UNIVERSALADID"
    case adServingID = "ADSERVINGID"
    case podSequence = "PODSEQUENCE"
    case playerState = "PLAYERSTATE"
    case clickPosition = "CLICKPOS"
    case errorCode = "ERRORCODE"
    case reason = "REASON"
    // Of the break.
    case breakPosition = "BREAKPOSITION"
    case breakMaxDuration = "BREAKMAXDURATION"
    case breakMinDuration = "BREAKMINDURATION"
    case breakMaxAds = "BREAKMAXADS"
    case breakMinAdLength = "BREAKMINADLENGTH"
    case breakMaxAdLength = "BREAKMAXADLENGTH"
    case adCount = "ADCOUNT"
    case adCategories = "ADCATEGORIES"
    case blockedAdCategories = "BLOCKEDADCATEGORIES"
    case placementType = "PLACEMENTTYPE"
    case transactionID = "TRANSACTIONID"
    // Of the person and the law.
    case ifa = "IFA"
    case ifaType = "IFATYPE"
    case limitAdTracking = "LIMITADTRACKING"
    case regulations = "REGULATIONS"
    case gdprConsent = "GDPRCONSENT"
    case gppString = "GPPSTRING"
    case gppSectionID = "GPPSECTIONID"
    case dsaRequired = "DSAREQUIRED"
    case dsaParameters = "DSAPARAMS"
    case dsaPublisherRender = "DSAPUBRENDER"
    // Of the device and the app.
    case clientUA = "CLIENTUA"
    case serverUA = "SERVERUA"
    case deviceUA = "DEVICEUA"
    case deviceIP = "DEVICEIP"
    case latLong = "LATLONG"
    case serverSide = "SERVERSIDE"
    case domain = "DOMAIN"
    case pageURL = "PAGEURL"
    case appBundle = "APPBUNDLE"
    case storeID = "STOREID"
    case storeURL = "STOREURL"
    // Of what the player can do.
    case vastVersions = "VASTVERSIONS"
    case apiFrameworks = "APIFRAMEWORKS"
    case extensions = "EXTENSIONS"
    case verificationVendors = "VERIFICATIONVENDORS"
    case omidPartner = "OMIDPARTNER"
    case mediaMIME = "MEDIAMIME"
    case playerCapabilities = "PLAYERCAPABILITIES"
    case clickType = "CLICKTYPE"
    case inventoryState = "INVENTORYSTATE"
    case playbackMethods = "PLAYBACKMETHODS"
    case playerSize = "PLAYERSIZE"
    // Of the content around it.
    case contentID = "CONTENTID"
    case contentURI = "CONTENTURI"
    case contentCategories = "CONTENTCAT"

    /// How VMAP writes the code of an error, and what many have taken over from it.
    static let otherNames: [String: VASTMacro] = ["ERROR_CODE": .errorCode]

    /// Also accepted between two percent signs on either side.
    static let betweenPercentSigns: Set<VASTMacro> = [.timestamp, .cacheBusting]

    private static let byName = Dictionary(
        uniqueKeysWithValues: VASTMacro.allCases.map { ($0.rawValue, $0) } + otherNames.map { ($0.key, $0.value) }
    )

    /// The macro of this name, to the letter; nil where the list has none.
    init?(named name: String) {
        guard let macro = VASTMacro.byName[name] else { return nil }
        self = macro
    }
}
