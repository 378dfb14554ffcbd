import ChromiumStage
import PlayCompare
import PlayReport

/// Compares pictures in a browser, which starts with the first of them.
struct BrowserPictures: PictureComparing {
    /// Nil if none is installed.
    let browser: SharedChromium?

    func difference(_ a: RunPicture, _ b: RunPicture) async -> PictureDifference {
        guard let browser, let bytes = a.bytes, let others = b.bytes else { return .unknown }
        do {
            guard let found = try await browser.pixelDifference(bytes, others) else { return .undecodable }
            return .known(share: found.share, picture: found.picture)
        } catch {
            return .unknown
        }
    }
}
