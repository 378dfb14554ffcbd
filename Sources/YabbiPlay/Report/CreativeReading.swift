import AdCore
import AdMarkup

/// What a creative holds, for whoever looks at it without a browser: the runtime itself reads no more than it needs.
struct CreativeReading: Sendable {
    /// Where a click without a browser leads.
    let firstLink: LandingURL?
    let title: String?
    /// What it is made of, in a few words.
    let summary: String
    /// The size that its document says it was made for.
    var declaredSize: HTMLDocument.DeclaredSize?
    /// What is wrong with the markup.
    let issues: [Issue]

    /// Reads a creative; `base` is where it came from, where that is known.
    init(_ creative: Creative, base: HTTPURL? = nil) {
        switch creative {
        case .html(let html):
            self.summary = "HTML, \(html.markup.utf8.count) bytes"
            do throws(MarkupError) {
                let document = try HTMLDocument(parsing: html.markup, base: base)
                self.title = document.title
                self.firstLink = document.firstLink?.landing
                self.declaredSize = document.declaredSize
                self.issues = document.issues
            } catch {
                self.title = nil
                self.firstLink = nil
                let place = error.line.map { Issue.Place.line($0) } ?? .whole
                self.issues = [Issue("html.unreadable", at: place, error.message)]
            }
        case .video(let video):
            // What was wrong with its markup was told when it was resolved.
            self.issues = []
            self.title = video.spots[0].title
            self.firstLink = video.spots[0].terms.clickThrough
            self.summary = CreativeReading.summary(video)
        case .card(let card):
            self.issues = []
            self.title = card.headline
            self.firstLink = card.link
            self.summary = "card"
        case .page(let page):
            self.issues = []
            self.title = nil
            self.firstLink = nil
            self.summary = "page of \(page.address.host)"
        }
    }

    private static func summary(_ video: VideoCreative) -> String {
        let planned = video.spots.count - video.standIns
        let length = video.terms.duration.map { ", \($0.seconds) s" } ?? ""
        let spare = video.standIns > 0 ? ", \(video.standIns) in reserve" : ""
        if case .overlay = video.spots[0].content, planned == 1 { return "overlay\(spare)" }
        return (planned == 1 ? "video" : "pod of \(planned)") + length + spare
    }
}
