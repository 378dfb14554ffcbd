import AdCore
import ChromiumStage
import CurlTransport
import PlayCompare
import PlayConsole
import PlayLab
import PlayStages
import SandboxSSP
import WebStage

/// Runs the ads of the lab as `show` does.
final class CommandLabHost: LabHost {
    let settings: LabSettings
    let browsers: SharedBrowsers
    private let catalogue: CreativeCatalogue

    init(_ settings: LabSettings) throws(PlayError) {
        self.settings = settings
        self.browsers = SharedBrowsers(transport: try CurlTransport.forCommand())
        self.catalogue = try BuiltInServer.catalogue(settings.creatives)
        // The first ad is shown sooner if the browser of the default device runs already.
        do throws(BrowserFailure) {
            let screen = SimulatedDevice.iPhone.screen
            let browser = try self.browsers.take(
                self.browserOptions(settings.engine),
                screen: screen,
                limit: Lab.maxRunning
            )
            Task { [browsers] in
                try? browser.warmUp()
                browsers.release(browser)
            }
        } catch {
            throw PlayError(.showFailed, error.message)
        }
    }

    /// The browser of the device that an ad has if its order names none.
    private func browserOptions(_ engine: BrowserEngineKind) -> BrowserOptions {
        var options = BrowserOptions(engine)
        options.isSandboxed = self.settings.isSandboxed
        options.scale = LabAdRun.scale(of: SimulatedDevice.iPhone)
        return options
    }

    func close() async { await self.browsers.close() }

    func start(_ order: LabOrder, reportingTo ad: LabAd) throws(LabError) -> any LabRun {
        let arguments = try LabArguments(order, self.settings)
        let run: LoadRun
        let script: UserScript
        do throws(UsageError) {
            let command = try ShowCommand(try Arguments(arguments.words, for: ShowCommand.self))
            guard case .show(let parsed, let steps) = command.action else { throw UsageError("the ad is not shown") }
            (run, script) = (parsed, steps)
        } catch {
            throw LabError(error.message, field: order.isOfFields ? nil : "source")
        }
        let labRun = LabAdRun(ad, arguments, in: self)
        labRun.start(run, by: script)
        return labRun
    }

    func compare(_ a: LabSide, _ b: LabSide) async throws(LabError) -> AdJSON {
        let (a, b) = (try await CommandLabHost.run(a, "a"), try await CommandLabHost.run(b, "b"))
        let screen = SimulatedDevice.iPhone.screen
        // Only Chromium compares pictures.
        let browser = try? self.browsers.take(self.browserOptions(.chromium), screen: screen, limit: Lab.maxRunning)
        defer { if let browser { self.browsers.release(browser) } }
        return await LabComparison.json(a, b, comparing: BrowserPictures(browser: browser as? SharedChromium))
    }

    private static func run(_ side: LabSide, _ field: String) async throws(LabError) -> ComparedRun {
        switch side {
        case .run(let run):
            guard let document = await (run as? LabAdRun)?.document else {
                throw LabError("the ad has not begun to load; compare ads that were shown", field: field, status: 409)
            }
            return ComparedRun(document)
        case .file(let bytes, let name):
            do throws(PlayError) {
                return try RunReading.run(bytes, called: Style.printable(name))
            } catch {
                throw LabError(error.message, field: field)
            }
        }
    }

    // MARK: What the page offers

    var offers: AdJSON {
        [
            "version": .string(CommandVersion.number),
            "defaultDevice": .string(SimulatedDevice.iPhone.name),
            "devices": .array(SimulatedDevice.all.map(CommandLabHost.json)),
            "networks": .array(
                NetworkProfile.all.map { ["name": .string($0.name), "title": .string($0.title)] as AdJSON }
            ),
            "formats": .array(OptionValue.formats.map { .string($0.rawValue) }),
            "bundled": .array(
                self.catalogue.creatives.map { creative -> AdJSON in
                    [
                        "name": .string(creative.name), "title": .string(creative.title),
                        "format": .string("\(creative.format)"),
                    ]
                }
            ),
            "providers": .array(ProviderChoice.allCases.map(CommandLabHost.json)),
            "limits": ["bodyBytes": .int(LabOrder.maxDocumentBytes), "ads": .int(Lab.maxRunning)],
        ]
    }

    private static func json(_ device: SimulatedDevice) -> AdJSON {
        [
            "name": .string(device.name), "title": .string(device.title), "width": .double(device.screen.width),
            "height": .double(device.screen.height), "scale": .double(device.scale), "touch": .bool(device.hasTouch),
        ]
    }

    private static func json(_ provider: ProviderChoice) -> AdJSON {
        [
            "name": .string(provider.rawValue), "title": .string(provider.title), "about": .string(provider.about),
            "placeholderEndpoint": .string(provider.isConnected ? "wss://…" : "https://…"),
            "takesUnit": .bool(provider.takesUnit),
            "fields": .array(
                provider.values.map { value -> AdJSON in
                    [
                        "name": .string(value.name),
                        "title": .string(value.name.replacing("_", with: " ")),
                        "example": .string(value.summary),
                        "secret": .bool(value.isPrivate || Redaction.isSecret(value.name)),
                        "repeatable": .bool(value.isRepeatable),
                        "required": .bool(value.isRequired),
                    ]
                }
            ),
        ]
    }
}

extension LabOrder {
    /// Whether the source is a form with several fields, so that an error does not name one.
    fileprivate var isOfFields: Bool { if case .placement = self.source { true } else { false } }
}

extension ProviderChoice {
    /// The name on the page.
    fileprivate var title: String {
        switch self {
        case .yabbi: "YABBI"
        case .openrtb: "OpenRTB"
        case .attentionmarket: "AttentionMarket"
        case .ceedads: "CeedAds"
        case .activeads: "ActiveAds"
        case .smartico: "Smartico"
        }
    }
}
