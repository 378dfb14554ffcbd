import AdCore
import EngineSupport
import Testing

@testable import ChromiumStage
@testable import WebKitStage
@testable import WebStage

/// What only an engine itself knows.
enum EngineDetails {
    /// A browser that opens windows; nil if none is installed.
    static let browserWithWindows = try? ChromiumBinary.find(named: nil, withWindows: true).path

    /// The windows that a page has opened.
    ///
    /// WebKit has none: it is refused each.
    static func windows(of stage: BrowserStage) async throws -> [AdJSON] {
        guard let page = stage.engine as? ChromiumPage else { return [] }
        let targets = try await page.browser.call(DevToolsCommand("Target.getTargets"))["targetInfos"]?.array
        return (targets ?? []).filter { $0["type"] == "page" && $0["openerId"]?.string != nil }
    }

    /// Whether nothing is left of the page of a closed stage.
    static func hasRemoved(_ stage: BrowserStage) async throws -> Bool {
        if let page = stage.engine as? WebKitPage {
            do throws(EngineError) {
                _ = try await page.engine.call(WireCommand("cookies", page.number))
                return false
            } catch {
                return error == .gone || error == .refused("the page does not exist")
            }
        }
        let page = try #require(stage.engine as? ChromiumPage)
        let browser = page.browser
        // A browser that could not remove the context was ended, and is gone as well.
        guard !browser.hasEnded else {
            await browser.untilGone()
            return true
        }
        let left = try? await browser.call(DevToolsCommand("Target.getBrowserContexts"))
        return left?["browserContextIds"]?.array?.contains(.string(page.context)) != true
    }
}
