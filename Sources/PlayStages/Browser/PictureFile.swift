import PlayConsole
import SystemSupport
import WebStage

/// The file of a screenshot.
package final class PictureFile: Sendable {
    private let path: String
    private let message = Locked<String?>(nil)

    package init(_ path: String) { self.path = path }

    /// The error message of the last capture; nil if it succeeded, or if there was none.
    package var failure: String? { self.message.withLock { $0 } }

    /// Writes a screenshot of the stage.
    func capture(_ stage: BrowserStage) async {
        let failure: String?
        do throws(EngineError) {
            failure = try FileWriting.write(await stage.screenshot(.png), to: self.path)
        } catch {
            failure = "\(error)"
        }
        self.message.withLock { $0 = failure }
    }
}
