package import AdCore
import EngineSupport
import SystemSupport
import WebStage

/// How much two pictures of one size differ.
package struct PixelDifference: Hashable, Sendable {
    /// The share of the pixels that differ, from 0 to 1.
    package let share: Double
    /// A picture (PNG) with the differing pixels in red; empty if none differ.
    package let picture: [UInt8]
}

extension SharedChromium {
    /// The greatest number of pixels of a picture that is decoded: a small file can be a very large picture.
    private static let maxPixels = 16_000_000
    /// How much a colour may differ, of 255: pictures are compressed with losses.
    private static let tolerance = 16
    private static let script = String(decoding: PackageResources.pixels_js, as: UTF8.self)

    /// Compares two pictures of one size in any format of the web, in a page of their own.
    ///
    /// - Returns: nil if one of them can't be decoded.
    /// - Throws: The reason, if no browser can be started or it has ended.
    package func pixelDifference(_ a: [UInt8], _ b: [UInt8]) async throws(StageError) -> PixelDifference? {
        try self.warmUp()
        guard let browser = self.engine.host.engine else { throw StageError("the browser has ended") }
        do throws(EngineError) {
            let page = try await browser.makePage(on: Size(width: 100, height: 100), within: EngineTime.limit)
            let reply = await SharedChromium.evaluate(a, b, in: page)
            await page.dispose()
            return try reply.get()
        } catch {
            throw StageError("the browser does not compare pictures: \(error)")
        }
    }

    private static func evaluate(
        _ a: [UInt8],
        _ b: [UInt8],
        in page: ChromiumPage
    ) async -> Result<PixelDifference?, EngineError> {
        // Base64 has no characters that end a string.
        let call = "(\(self.script))('\(Base64.text(a))', '\(Base64.text(b))', \(self.maxPixels), \(self.tolerance))"
        let params: AdJSON = ["expression": .string(call), "awaitPromise": true, "returnByValue": true, "silent": true]
        do throws(EngineError) {
            let reply = try await page.browser.call(
                DevToolsCommand("Runtime.evaluate", params, in: page.target),
                within: .seconds(20)
            )
            guard let share = reply["result"]?["value"]?["share"]?.number, (0...1).contains(share) else {
                return .success(nil)
            }
            let picture = reply["result"]?["value"]?["picture"]?.string.flatMap { Base64.bytes($0) }
            return .success(PixelDifference(share: share, picture: picture ?? []))
        } catch {
            return .failure(error)
        }
    }
}
