package import AdCore
package import AdHTML
import AdMarkup
import PlayConsole

/// What can be read from a creative without a browser.
package struct CreativeReading: Sendable {
    /// The result of a tap on the creative.
    package enum TapResult: Hashable, Sendable {
        /// It opens this URL.
        case opens(ClickThroughURL)
        /// It opens the click-through URL of the ad response, if there is one.
        case opensOfAd
        /// It has no click-through.
        case noLink(TapWithoutLink)
    }

    /// The result of a tap on the creative.
    package let press: TapResult
    package let title: String?
    /// The kind of creative and its length, such as `HTML, 512 bytes`.
    package let summary: String
    /// The size that the document declares.
    package var declaredSize: HTMLDocument.DeclaredSize?
    /// The issues of the markup.
    package let issues: [AdIssue]

    /// Reads a creative; `base` is its URL, if it is known.
    package init(_ creative: Creative, base: HTTPURL? = nil) {
        switch creative {
        case .html(let html):
            self.summary = "HTML, \(html.markup.utf8.count) bytes"
            do throws(MarkupError) {
                let document = try HTMLDocument(parsing: html.markup, base: base)
                self.title = document.title
                self.declaredSize = document.declaredSize
                self.press = TapResult(document)
                self.issues = document.issues
            } catch {
                self.title = nil
                self.press = .noLink(.nothing("the markup can't be read"))
                let place = error.line.map { AdIssue.Place.line($0) } ?? .whole
                self.issues = [AdIssue("html.unreadable", at: place, error.message)]
            }
        case .video(let video):
            // The issues of VAST are reported when its wrappers are resolved.
            self.issues = []
            self.title = video.spots[0].title
            self.press = video.spots[0].rules.clickThrough.map(TapResult.opens) ?? .opensOfAd
            self.summary = CreativeReading.summary(video)
        case .card(let card):
            self.issues = []
            self.title = card.headline
            self.press = card.link.map(TapResult.opens) ?? .opensOfAd
            self.summary = "card"
        case .page(let page):
            self.issues = []
            self.title = nil
            self.press = .opensOfAd
            self.summary = "page from \(page.address.host)"
        }
    }

    /// The URL that a tap opens, if it is known.
    var firstLink: ClickThroughURL? { if case .opens(let link) = self.press { link } else { nil } }

    private static func summary(_ video: VideoCreative) -> String {
        let planned = video.spots.count - video.fallbackCount
        let length = video.rules.duration.map { ", \($0.seconds) s" } ?? ""
        let fallbacks = video.fallbackCount > 0 ? ", \(Quantity.text(video.fallbackCount, "fallback ad"))" : ""
        if case .overlay = video.spots[0].content, planned == 1 { return "nonlinear\(fallbacks)" }
        return (planned == 1 ? "video" : "pod of \(planned)") + length + fallbacks
    }
}

extension CreativeReading.TapResult {
    /// The result of a tap on the first clickable element of a document.
    init(_ document: HTMLDocument) {
        switch document.click() {
        case .opens(let address):
            switch ClickThroughResolution(address, base: document.clickBase) {
            case .opens(let link): self = .opens(link)
            case .nowhere(let reason): self = .noLink(.nothing(reason))
            }
        case .creative(let what): self = .noLink(.creative(what))
        case .nothing(let reason): self = .noLink(.nothing(reason))
        case .unknown(let reason):
            self = .noLink(.nothing("\(reason); the terminal does not run scripts, use --stage chromium"))
        }
    }
}
