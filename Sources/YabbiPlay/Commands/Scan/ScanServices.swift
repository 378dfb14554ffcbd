import AdCore
import CurlTransport
import PlayConsole
import PlayScan
import PlayStages
import SystemSupport
import WebStage

/// What the lanes of a scan share.
final class ScanServices: Sendable {
    let settings: ScanSettings
    let browser: ScanBrowser
    let takesPictures: Bool
    /// The servers on this computer and network that the user allows.
    let allowedHosts: [HTTPURL]
    let userAgent: String
    private let signature: String
    /// Whether others have submitted the creatives, so that none may name a server of this computer or network.
    private let isOfOthers: Bool

    /// Creates the services of the creatives with the same settings.
    ///
    /// - Parameters:
    ///   - settings: How they are shown and measured.
    ///   - browser: The browsers and the connections.
    ///   - takesPictures: Whether pictures are taken.
    ///   - isOfOthers: Whether others have submitted the creatives.
    /// - Throws: `PlayError` if the settings can't be used.
    init(
        _ settings: ScanSettings,
        _ browser: ScanBrowser,
        takesPictures: Bool,
        isOfOthers: Bool = false
    ) throws(PlayError) {
        self.settings = settings
        self.browser = browser
        self.takesPictures = takesPictures
        self.signature = settings.signature
        self.isOfOthers = isOfOthers
        do throws(UsageError) {
            let run = try settings.run(of: ScanItem("", .markup([]), from: ""))
            let allowed = run.showing.stage.browser?.allowedHosts ?? []
            self.allowedHosts = allowed
            self.userAgent = run.simulation.userAgent(inBrowser: true)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// What fetches the tag of a creative and calls its trackers.
    ///
    /// A creative may name any server, so only public ones are requested, those that the user allows, and the one of the
    /// tag that the user has named.
    func transport(for item: ScanItem) -> any Transport & SocketTransport {
        var allowed = self.allowedHosts
        if !self.isOfOthers, case .url(let text) = item.content, let url = HTTPURL(text), url.isPrivate {
            allowed.append(url)
        }
        return PublicTransport(self.browser.files, except: allowed)
    }

    /// The checksum of a creative and of the options that its measures depend on.
    func digest(of item: ScanItem) -> String { "\(item.digest)-\(self.signature)" }
}

/// The browsers and the connections of a scan.
final class ScanBrowser: Sendable {
    /// How many creatives are shown at the same time.
    let lanes: Int
    let transport: CurlTransport
    /// The same connections; files that creatives share are used again.
    let files: CachingTransport
    let browsers: SharedBrowsers

    init(lanes: Int, engine: BrowserEngineKind = .chromium) throws(PlayError) {
        self.lanes = lanes
        self.transport = try CurlTransport.forCommand()
        self.files = CachingTransport(self.transport)
        self.browsers = SharedBrowsers(renewsPages: true, transport: self.files)
        // Without a browser every creative would fail.
        do throws(BrowserFailure) {
            let screen = Size(width: 390, height: 844)
            _ = try BrowserOptions(engine).shared(screen: screen, limit: 1, transport: self.files)
        } catch {
            throw PlayError(.showFailed, "\(error.message); a scan shows creatives in it")
        }
    }

    /// Ends the browsers; returns the processor time that they have used.
    func close() async -> Duration {
        await self.browsers.close()
        self.transport.shutDown()
        return self.browsers.processorTime
    }
}
