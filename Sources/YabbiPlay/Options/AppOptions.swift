import AdCore
import PlayConsole
import YabbiAds

/// The app and the device in ad requests.
struct AppOptions: Sendable {
    private static let defaultPublisher = "00000000-0000-0000-0000-000000000001"
    private static let defaultBundle = "com.example.play"
    private static let defaultName = "Yabbi Play"

    static let publisher = Option(
        "--publisher",
        .other("<id>"),
        "The publisher's id.",
        OptionValue.text
    ).default(defaultPublisher)
    static let bundle = Option(
        "--app-bundle",
        .other("<name>"),
        "The app's bundle id.",
        OptionValue.text
    ).default(defaultBundle)
    static let appName = Option(
        "--app-name",
        .other("<name>"),
        "The app's name.",
        OptionValue.text
    ).default(defaultName)
    static let ifa = Option(
        "--ifa",
        .other("<id>"),
        "The advertising identifier.",
        otherwise: "none",
        OptionValue.text
    )
    static let geo = Option(
        "--geo",
        .other("<lat>,<lon>,<precision>"),
        "The location of the device.",
        otherwise: "none",
        OptionValue.location
    )

    static let options: [any OptionDeclaration] = [publisher, bundle, appName, ifa, geo]
    /// The options whose values only ad requests contain; the others are macros of VAST too.
    static let ofRequests: [any OptionDeclaration] = [publisher, appName]

    let publisher: String
    let bundle: String
    let appName: String
    let ifa: String?
    let location: AdContext.Location?

    init(_ arguments: Arguments) throws(UsageError) {
        self.publisher = try arguments.value(Self.publisher)
        self.bundle = try arguments.value(Self.bundle)
        self.appName = try arguments.value(Self.appName)
        self.ifa = try arguments.value(Self.ifa)
        self.location = try arguments.value(Self.geo)
    }

    /// The options' defaults.
    init() {
        self.publisher = Self.defaultPublisher
        self.bundle = Self.defaultBundle
        self.appName = Self.defaultName
        self.ifa = nil
        self.location = nil
    }

    /// The app in requests to YABBI and OpenRTB servers.
    var app: YabbiApp { YabbiApp(publisherID: self.publisher, bundle: self.bundle, name: self.appName) }
}
