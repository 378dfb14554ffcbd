package import AdCore
package import AdHTML
import AdMarkup

/// What a creative holds, read without a browser: the runtime itself reads no more than it needs.
package struct CreativeReading: Sendable {
    /// What a press on the creative comes to.
    package enum Press: Hashable, Sendable {
        /// It opens this URL.
        case opens(ClickThroughURL)
        /// It opens the click-through URL of the ad response, where there is one.
        case opensOfAd
        /// No click-through comes of it.
        case noLink(TapWithoutLink)
    }

    /// What a press on the creative comes to.
    package let press: Press
    package let title: String?
    /// What it is made of, in a few words.
    package let summary: String
    /// The size that its document says it was made for.
    package var declaredSize: HTMLDocument.DeclaredSize?
    /// What is wrong with the markup.
    package let issues: [AdIssue]

    /// Reads a creative; `base` is where it came from, where that is known.
    package init(_ creative: Creative, base: HTTPURL? = nil) {
        switch creative {
        case .html(let html):
            self.summary = "HTML, \(html.markup.utf8.count) bytes"
            do throws(MarkupError) {
                let document = try HTMLDocument(parsing: html.markup, base: base)
                self.title = document.title
                self.declaredSize = document.declaredSize
                self.press = Press(document)
                self.issues = document.issues
            } catch {
                self.title = nil
                self.press = .noLink(.nothing("the markup can't be read"))
                let place = error.line.map { AdIssue.Place.line($0) } ?? .whole
                self.issues = [AdIssue("html.unreadable", at: place, error.message)]
            }
        case .video(let video):
            // What was wrong with its markup was told when it was resolved.
            self.issues = []
            self.title = video.spots[0].title
            self.press = video.spots[0].rules.clickThrough.map(Press.opens) ?? .opensOfAd
            self.summary = CreativeReading.summary(video)
        case .card(let card):
            self.issues = []
            self.title = card.headline
            self.press = card.link.map(Press.opens) ?? .opensOfAd
            self.summary = "card"
        case .page(let page):
            self.issues = []
            self.title = nil
            self.press = .opensOfAd
            self.summary = "page of \(page.address.host)"
        }
    }

    /// The URL that a press opens; nil where it opens none.
    var firstLink: ClickThroughURL? { if case .opens(let link) = self.press { link } else { nil } }

    private static func summary(_ video: VideoCreative) -> String {
        let planned = video.spots.count - video.fallbackCount
        let length = video.rules.duration.map { ", \($0.seconds) s" } ?? ""
        let spare = video.fallbackCount > 0 ? ", \(video.fallbackCount) in reserve" : ""
        if case .overlay = video.spots[0].content, planned == 1 { return "overlay\(spare)" }
        return (planned == 1 ? "video" : "pod of \(planned)") + length + spare
    }
}

extension CreativeReading.Press {
    /// Reads what a press on a creative's markup comes to, as `ClickThroughVerdict` judges the address.
    init(_ document: HTMLDocument) {
        switch document.click() {
        case .opens(let address):
            switch ClickThroughVerdict(address, base: document.clickBase) {
            case .opens(let link): self = .opens(link)
            case .nowhere(let reason): self = .noLink(.nothing(reason))
            }
        case .creative(let what): self = .noLink(.creative(what))
        case .nothing(let reason): self = .noLink(.nothing(reason))
        case .unknown(let reason):
            self = .noLink(.nothing("\(reason); the terminal runs no scripts, use --stage chromium"))
        }
    }
}
