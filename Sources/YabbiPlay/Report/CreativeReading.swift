import AdCore
import AdMarkup

/// What a creative holds, for whoever looks at it without a browser: the runtime itself reads no more than it needs.
struct CreativeReading: Sendable {
    /// Where a click without a browser leads.
    let firstLink: LandingURL?
    let title: String?
    let bytes: Int
    /// What is wrong with the markup.
    let issues: [Issue]

    /// Reads a creative; `base` is where it came from, where that is known.
    init(_ creative: Creative, base: HTTPURL? = nil) {
        switch creative {
        case .html(let html):
            self.bytes = html.markup.utf8.count
            do throws(MarkupError) {
                let document = try HTMLDocument(parsing: html.markup, base: base)
                self.title = document.title
                self.firstLink = document.firstLink?.landing
                self.issues = document.issues
            } catch {
                self.title = nil
                self.firstLink = nil
                let place = error.line.map { Issue.Place.line($0) } ?? .whole
                self.issues = [Issue("html.unreadable", at: place, error.message)]
            }
        }
    }
}
