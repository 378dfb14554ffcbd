import AdCore
import AdMarkup
import AdProviders
import AdRuntime
import ChromiumStage
import CurlTransport
import YabbiAds
import YabbiTesting

// The values that the documentation's code snippets use; compiled with them outside the package, and never run.

let endpoint: HTTPURL = given()
let base: HTTPURL = given()
let socket: SocketURL = given()
let app: YabbiApp = given()
let game: SmarticoApp = given()
let provider: YabbiProvider = given()
let placement: YabbiPlacement = given()
let loader: AdLoader<YabbiPlacement> = given()
let ads: AdLoader<YabbiPlacement> = given()
let exchange: AdLoader<YabbiPlacement> = given()
let cardAds: AdLoader<ActiveAdsPlacement> = given()
let ad: Ad = given()
let pool: AdPool = given()
let market: AttentionMarket = given()
let history: ConversationHistory = given()
let store: any KeyValueStore = given()
let configuration: YabbiConfiguration = given()
@MainActor let delegate: any InterstitialDelegate = given()

let services: AdServices = given()
let presenter: any Presenter = given()
let opener: any URLOpener = given()
let signals: HostSignalSource = given()
let userAgent: String = given()
let transport: CurlTransport = given()
let ledger: any BeaconLedger = given()
let sockets: any SocketTransport = given()
let clock: ManualClock = given()

let supportFolder: String = given()
let logFolder: String = given()
let deviceID: String = given()
let apiKey: String = given()
let mayBeTracked: Bool = given()
let text: String = given()
let message: String = given()
let response: String = given()
let adm: String = given()
let bytes: [UInt8] = given()
let posts: [String] = given()
let cards: [Ad] = given()
let places: [CardPlace] = given()

let document: VASTDocument = given()
let linear: VASTLinear = given()
let template: URLTemplate = given()

func load(_ request: VASTChain.Request) -> Result<VASTDocument, VASTError> { given() }
func askForTheIdentifier() async -> String? { nil }
func askThePlatform() async -> AdContext.Consent { given() }

struct MyStage: Stage {
    init(_ creative: Creative, size: Size, report: @escaping @Sendable (StageEvent) -> Void) {}

    func reveal() async {}
    func setControl(_ control: StageControl, visible: Bool) async {}
    func control(_ command: VideoCommand) async {}
    func close(_ reason: CloseReason) async {}
}

private func given<Value>() -> Value { preconditionFailure("The values of documentation snippets are never created.") }
