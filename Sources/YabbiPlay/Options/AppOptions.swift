import AdCore
import PlayConsole
import YabbiAds

/// The app and the user that ad requests name.
struct AppOptions: Sendable {
    private static let defaultPublisher = "00000000-0000-0000-0000-000000000001"
    private static let defaultBundle = "com.example.play"
    private static let defaultName = "Yabbi Play"

    static let publisher = Option(
        "--publisher",
        .other("ID"),
        "the publisher's id; \(defaultPublisher) by default",
        OptionValue.text
    )
    static let bundle = Option(
        "--app-bundle",
        .other("NAME"),
        "the app's technical name; \(defaultBundle) by default",
        OptionValue.text
    )
    static let appName = Option(
        "--app-name",
        .other("NAME"),
        "the app's name; \(defaultName) by default",
        OptionValue.text
    )
    static let ifa = Option(
        "--ifa",
        .other("ID"),
        "the advertising identifier; none is sent by default",
        OptionValue.text
    )
    static let geo = Option(
        "--geo",
        .other("LAT,LON,PRECISION"),
        "where the device is; null is sent by default",
        OptionValue.location
    )

    static let options: [any OptionDeclaration] = [publisher, bundle, appName, ifa, geo]

    let publisher: String
    let bundle: String
    let appName: String
    let ifa: String?
    let location: AdContext.Location?

    init(_ arguments: Arguments) throws(UsageError) {
        self.publisher = try arguments.value(Self.publisher) ?? Self.defaultPublisher
        self.bundle = try arguments.value(Self.bundle) ?? Self.defaultBundle
        self.appName = try arguments.value(Self.appName) ?? Self.defaultName
        self.ifa = try arguments.value(Self.ifa)
        self.location = try arguments.value(Self.geo)
    }

    /// The app as YABBI and OpenRTB name it.
    var app: YabbiApp { YabbiApp(publisherID: self.publisher, bundle: self.bundle, name: self.appName) }
}
