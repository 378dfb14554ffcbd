import AdCore
import ChromiumStage
import CurlTransport
import PlayConsole
import PlayScan
import SystemSupport

/// What the lanes of a scan share.
final class ScanServices: Sendable {
    let options: ScanOptions
    let transport: CurlTransport
    let browsers = SharedBrowsers(renewsPages: true)
    let takesPictures: Bool
    /// The servers on this computer and network that the user allows.
    let allowedHosts: [HTTPURL]
    let userAgent: String
    private let signature: String

    init(_ options: ScanOptions, takesPictures: Bool) throws(PlayError) {
        self.options = options
        self.transport = try CurlTransport.forCommand()
        self.takesPictures = takesPictures
        self.signature = options.signature
        // Without a browser every creative would fail.
        do throws(ChromiumError) {
            _ = try SharedChromium(ChromiumOptions(), screen: Size(width: 390, height: 844), limit: 1)
        } catch {
            throw PlayError(.showFailed, "\(error.description); a scan shows creatives in it")
        }
        do throws(UsageError) {
            let run = try options.run(of: ScanItem("", .markup([]), from: ""))
            self.allowedHosts = run.showing.stage.browser?.allowedHosts ?? []
            self.userAgent = run.simulation.userAgent(inBrowser: true)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// The checksum of a creative and of the options that its measures depend on.
    func digest(of item: ScanItem) -> String { "\(item.digest)-\(self.signature)" }

    /// Ends the browsers; returns the processor time that they have used.
    func close() async -> Duration {
        await self.browsers.close()
        self.transport.shutDown()
        return self.browsers.processorTime
    }
}
