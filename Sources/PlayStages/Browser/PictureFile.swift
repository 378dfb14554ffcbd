import ChromiumStage
import PlayConsole
import SystemSupport

/// The picture that was asked for: where it goes, and why it is not there.
package final class PictureFile: Sendable {
    private let path: String
    private let fault = Locked<String?>(nil)

    package init(_ path: String) { self.path = path }

    /// Why there is none; nil where there is, or nothing was shown.
    package var trouble: String? { self.fault.withLock { $0 } }

    /// Takes it of what is on screen.
    func capture(_ stage: BrowserStage) async {
        let trouble: String?
        do throws(EngineFault) {
            trouble = try FileWriting.write(await stage.picture(), to: self.path)
        } catch {
            trouble = "none was made: \(error)"
        }
        self.fault.withLock { $0 = trouble }
    }
}
