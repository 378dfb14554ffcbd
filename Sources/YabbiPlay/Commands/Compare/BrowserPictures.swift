import AdCore
import ChromiumStage
import PlayCompare
import PlayReport

/// Compares pictures in a browser, which starts with the first of them.
struct BrowserPictures: PictureComparing {
    /// Nil if none is installed.
    let browser: SharedChromium?

    /// Compares two runs, and their pictures in a browser that is started for it.
    static func comparing(_ a: ComparedRun, _ b: ComparedRun) async -> RunComparison {
        let browser = try? SharedChromium(ChromiumOptions(), screen: Size(width: 100, height: 100), limit: 1)
        let comparison = await RunComparison.comparing(a, b, pictures: BrowserPictures(browser: browser))
        await browser?.close()
        return comparison
    }

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
