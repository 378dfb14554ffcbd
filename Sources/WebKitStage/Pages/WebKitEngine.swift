import AdCore
import EngineSupport
import SystemSupport
import WebStage

/// A running helper, which shows pages in WebKitGTK.
///
/// `close` ends the process and removes its folder.
final class WebKitEngine: ProcessEngine {
    typealias Reader = WireReader

    /// How long the process may take to exit before it is killed.
    private static let farewell = Duration.seconds(2)

    let connection: EngineConnection<WireReader>
    let hasWindows: Bool
    /// The time zone of its pages; nil for that of this computer.
    let timeZone: String?
    /// Sends the requests of pages.
    let transport: any Transport
    /// The version of WebKitGTK, as in `2.50.6`; nil before the helper has started.
    private let release: Locked<String?>

    /// Starts a helper.
    init(
        _ files: HelperFiles,
        _ options: WebKitOptions,
        screen: Size,
        transport: any Transport
    ) throws(WebKitError) {
        let environment = ProcessEnvironment.variables
        let parent = ProfileFolder.parent(environment)
        ProfileFolder.removeLeftovers(parent)
        guard let folder = ProfileFolder(in: parent) else {
            throw .notStarted("can't create a folder in \(parent); set TMPDIR to a writable folder")
        }
        let plan = HelperLaunch(
            files,
            options,
            screen: screen,
            folder: folder.path,
            processEnvironment: environment
        )
        let release = Locked<String?>(nil)
        self.hasWindows = options.hasWindows
        self.timeZone = options.timeZone
        self.transport = transport
        self.release = release
        do throws(EngineStartFailure) {
            self.connection = try EngineConnection(
                plan.launch,
                in: folder,
                ignoring: HelperLaunch.ignoredErrors,
                farewell: WebKitEngine.farewell
            ) { report, _ in
                guard case .event(let message) = report, message.name == "ready" else { return }
                release.withLock { $0 = message.text(2) }
            }
        } catch {
            throw .notStarted(error.message)
        }
    }

    var opensPagesAhead: Bool { !self.hasWindows }

    /// The engine's name and version, as in `WebKitGTK 2.50.6`; nil before the helper has started.
    func version() async -> String? { self.release.withLock { $0 }.map { "WebKitGTK \($0)" } }

    /// Makes a page with a process, cookies, storage and caches of its own.
    func makePage(at address: String?, on screen: Size, within limit: Duration) async throws(EngineError) -> WebKitPage
    {
        let page = WebKitPage(in: self, self.connection.number())
        do throws(EngineError) {
            try await page.open(on: screen, within: limit)
            return page
        } catch {
            await page.dispose()
            throw error
        }
    }

    static func explanation(of error: String) -> String? { HelperLaunch.explanation(of: error) }
}
