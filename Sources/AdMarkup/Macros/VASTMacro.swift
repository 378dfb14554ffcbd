/// A macro of VAST (VAST 4.3 §6), which the player replaces when it calls a URL.
public enum VASTMacro: String, CaseIterable, Hashable, Sendable {
    // Of the moment.
    /// The time of the call.
    case timestamp = "TIMESTAMP"
    /// A number of eight digits, anew for each call.
    case cacheBusting = "CACHEBUSTING"
    // Of the ad, and of how it is played.
    /// Where the content around the ad stands.
    case contentPlayhead = "CONTENTPLAYHEAD"
    /// Where the content stands, by the name of VAST 4.
    case mediaPlayhead = "MEDIAPLAYHEAD"
    /// Where the ad stands.
    case adPlayhead = "ADPLAYHEAD"
    /// The address of the file that is played.
    case assetURI = "ASSETURI"
    /// The kind of ad.
    case adType = "ADTYPE"
    /// The creative's id in the registries that it names.
    case universalAdID = "UNIVERSALADID"
    /// The id of this one ad by this one server.
    case adServingID = "ADSERVINGID"
    /// The ad's number in its pod.
    case podSequence = "PODSEQUENCE"
    /// What the player is: muted, over the whole screen.
    case playerState = "PLAYERSTATE"
    /// Where the click was.
    case clickPosition = "CLICKPOS"
    /// The code of the error.
    case errorCode = "ERRORCODE"
    /// Why a measuring script was not run.
    case reason = "REASON"
    // Of the break.
    /// Where the break is in the content.
    case breakPosition = "BREAKPOSITION"
    /// The longest that the break may be.
    case breakMaxDuration = "BREAKMAXDURATION"
    /// The shortest that the break may be.
    case breakMinDuration = "BREAKMINDURATION"
    /// How many ads the break may have.
    case breakMaxAds = "BREAKMAXADS"
    /// The shortest that an ad of the break may be.
    case breakMinAdLength = "BREAKMINADLENGTH"
    /// The longest that an ad of the break may be.
    case breakMaxAdLength = "BREAKMAXADLENGTH"
    /// How many ads were played in the break.
    case adCount = "ADCOUNT"
    /// The categories that the ad has.
    case adCategories = "ADCATEGORIES"
    /// The categories that are not wanted.
    case blockedAdCategories = "BLOCKEDADCATEGORIES"
    /// AdCOM's number for the kind of placement.
    case placementType = "PLACEMENTTYPE"
    /// The id of the transaction, common to all parties of the sale.
    case transactionID = "TRANSACTIONID"
    // Of the person and the law.
    /// The advertising identifier.
    case ifa = "IFA"
    /// What kind of identifier that is.
    case ifaType = "IFATYPE"
    /// Whether the user does not want to be followed.
    case limitAdTracking = "LIMITADTRACKING"
    /// The laws that apply.
    case regulations = "REGULATIONS"
    /// The TCF string.
    case gdprConsent = "GDPRCONSENT"
    /// The GPP string.
    case gppString = "GPPSTRING"
    /// The GPP sections that apply.
    case gppSectionID = "GPPSECTIONID"
    /// Whether the DSA asks for transparency here.
    case dsaRequired = "DSAREQUIRED"
    /// The transparency parameters of the EU's Digital Services Act.
    case dsaParameters = "DSAPARAMS"
    /// Whether the publisher shows what the DSA asks for.
    case dsaPublisherRender = "DSAPUBRENDER"
    // Of the device and the app.
    /// The name of the player, which is ours.
    case clientUA = "CLIENTUA"
    /// The name of a server that asks for a client.
    case serverUA = "SERVERUA"
    /// The user agent of the device.
    case deviceUA = "DEVICEUA"
    /// The device's address in the network.
    case deviceIP = "DEVICEIP"
    /// Where the device is.
    case latLong = "LATLONG"
    /// Whether a server calls, or the client itself.
    case serverSide = "SERVERSIDE"
    /// The site around the ad.
    case domain = "DOMAIN"
    /// The page around the ad.
    case pageURL = "PAGEURL"
    /// The app's technical name.
    case appBundle = "APPBUNDLE"
    /// The app's id in its store.
    case storeID = "STOREID"
    /// The app's page in its store.
    case storeURL = "STOREURL"
    // Of what the player can do.
    /// The versions of VAST that can be read.
    case vastVersions = "VASTVERSIONS"
    /// The kinds of programs that can be run.
    case apiFrameworks = "APIFRAMEWORKS"
    /// The extensions that are understood.
    case extensions = "EXTENSIONS"
    /// Whose measuring scripts may be run.
    case verificationVendors = "VERIFICATIONVENDORS"
    /// The partner that provides OMID.
    case omidPartner = "OMIDPARTNER"
    /// The types of files that can be played.
    case mediaMIME = "MEDIAMIME"
    /// What the player lets the user do.
    case playerCapabilities = "PLAYERCAPABILITIES"
    /// How much of the player can be clicked.
    case clickType = "CLICKTYPE"
    /// How the place is: played by itself, over the whole screen.
    case inventoryState = "INVENTORYSTATE"
    /// How playing begins.
    case playbackMethods = "PLAYBACKMETHODS"
    /// The size of the player.
    case playerSize = "PLAYERSIZE"
    // Of the content around it.
    /// The id of the content around the ad.
    case contentID = "CONTENTID"
    /// The address of the content around the ad.
    case contentURI = "CONTENTURI"
    /// The categories of the content around the ad.
    case contentCategories = "CONTENTCAT"

    /// How VMAP writes the code of an error, and what many have taken over from it.
    static let otherNames: [String: VASTMacro] = ["ERROR_CODE": .errorCode]

    /// Also accepted between two percent signs on either side.
    static let betweenPercentSigns: Set<VASTMacro> = [.timestamp, .cacheBusting]

    private static let byName = Dictionary(
        uniqueKeysWithValues: VASTMacro.allCases.map { ($0.rawValue, $0) } + otherNames.map { ($0.key, $0.value) }
    )

    /// The macro of this name, to the letter; nil if the list has none.
    init?(named name: String) {
        guard let macro = VASTMacro.byName[name] else { return nil }
        self = macro
    }
}
