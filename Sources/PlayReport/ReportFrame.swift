package import AdCore
import PlayConsole
import PlayText

/// A self-contained page in the style of the report: no script runs in it, and it requests nothing.
package struct ReportFrame: Sendable {
    private let title: String
    private let heading: String
    private let notes: HTML
    private let footer: HTML

    /// Creates the frame of a page.
    ///
    /// - Parameters:
    ///   - title: What was run, such as `show banner.html`.
    ///   - heading: The heading of the page.
    ///   - notes: What is said below the heading.
    ///   - footer: What is said at the end.
    package init(title: String, heading: String, notes: HTML, footer: HTML = .none) {
        self.title = title
        self.heading = heading
        self.notes = notes
        self.footer = footer
    }

    /// The page with a body, and with the elements that other programs read.
    package func page(_ body: HTML, data: HTML = .none) -> HTML {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
        <link rel="icon" href="data:,">
        <title>\(self.title) · yabbi-play</title>
        <style>\(HTML.trusting(ReportFrame.style))</style>
        </head>
        <body>
        <header>
        <p class="brand">yabbi-play \(CommandVersion.number) <span>\(self.title)</span></p>
        <h1>\(self.heading)</h1>
        \(self.notes)
        </header>
        <main>
        \(body)
        </main>
        <footer>Created by yabbi-play \(CommandVersion.number). \(self.footer)</footer>
        \(data)
        </body>
        </html>

        """
    }

    /// A time to the minute; the exact one is in its attribute.
    package static func date(_ time: WallTime) -> HTML {
        let exact = CalendarText.iso8601(time)
        let minutes = String(exact.prefix(16)).replacing("T", with: " ")
        return "<time datetime=\"\(exact)\">\(minutes) UTC</time>"
    }

    /// A figure of the whole page.
    package static func tile(
        _ name: String,
        _ figure: String,
        _ value: Int,
        of whole: Int? = nil,
        isBad: Bool = false
    ) -> HTML {
        let rest: HTML = whole.map { "<small> of \($0)</small>" } ?? .none
        return """
            <div class="tile\(isBad ? " bad" : "")"><b data-figure="\(figure)">\(value)</b>\(rest)<span>\(name)</span></div>
            """
    }

    private static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
}
