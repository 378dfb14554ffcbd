extension CardCreative {
    /// The card as a self-contained HTML document; its image is the only request.
    ///
    /// It supports light and dark mode, clips long texts by lines, has automatic text direction, and has a label for
    /// screen readers. Every value is escaped.
    public var document: String {
        let pictures = self.image.map { " img-src \(CardHTML.escaped($0.origin));" } ?? ""
        return """
            <!doctype html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none';\(pictures) style-src 'unsafe-inline'">
            <title>\(CardHTML.escaped(self.headline))</title>
            <style>
            body { margin: 0; }
            \(CardCreative.styleSheet)
            </style>
            </head>
            <body>
            \(self.fragment)
            </body>
            </html>

            """
    }

    /// The card as an HTML fragment, for a page that contains `styleSheet` once and any number of cards.
    public var fragment: String {
        var lines = [
            #"<article class="yabbi-card" aria-label="\#(CardHTML.escaped(self.disclosure.description.excerpt(200)))">"#
        ]
        let advertiser =
            self.disclosure.advertiser.map { " " + CardHTML.text("span", "yabbi-card-advertiser", $0) } ?? ""
        let label = CardHTML.text("strong", "yabbi-card-label", self.disclosure.label)
        lines.append(#"<p class="yabbi-card-disclosure">\#(label)\#(advertiser)</p>"#)
        if let image {
            // The alternative text is empty, because the image is decorative.
            lines.append(
                #"<img class="yabbi-card-image" src="\#(CardHTML.escaped(image.text))" alt="" loading="eager">"#
            )
        }
        if let teaser { lines.append(CardHTML.text("p", "yabbi-card-teaser", teaser)) }
        lines.append(CardHTML.text("h2", "yabbi-card-headline", self.headline))
        if let body { lines.append(CardHTML.text("p", "yabbi-card-body", body)) }
        if let promoCode { lines.append("<p>" + CardHTML.text("code", "yabbi-card-code", promoCode) + "</p>") }
        if let link {
            let attributes =
                #"href="\#(CardHTML.escaped(link.text))" target="_blank" rel="sponsored noopener noreferrer""#
            let label = self.callToAction ?? self.headline
            lines.append(CardHTML.text("a", "yabbi-card-button", label, attributes))
        }
        lines.append("</article>")
        return lines.joined(separator: "\n")
    }

    /// The style sheet of cards; every selector begins with one of their classes.
    public static let styleSheet = """
        .yabbi-card { box-sizing: border-box; max-width: 40rem; padding: 1rem; border: 1px solid #c8c8cc; \
        border-radius: 12px; background: #fff; color: #1c1c1e; font: 1rem/1.4 system-ui, sans-serif; }
        .yabbi-card * { margin: 0; overflow-wrap: anywhere; unicode-bidi: isolate; }
        .yabbi-card-disclosure { display: flex; gap: .75rem; justify-content: space-between; margin-bottom: .5rem; \
        color: #5a5a5f; font-size: .8125rem; }
        .yabbi-card-label { flex: none; }
        .yabbi-card-advertiser, .yabbi-card-teaser, .yabbi-card-headline, .yabbi-card-body, .yabbi-card-code { \
        display: -webkit-box; -webkit-box-orient: vertical; overflow: hidden; }
        .yabbi-card-advertiser, .yabbi-card-teaser, .yabbi-card-code { -webkit-line-clamp: 1; }
        .yabbi-card-headline { -webkit-line-clamp: 2; font-size: 1.125rem; }
        .yabbi-card-body { -webkit-line-clamp: 3; margin-top: .25rem; }
        .yabbi-card-image { display: block; width: 100%; max-height: 12rem; margin-bottom: .5rem; object-fit: cover; \
        border-radius: 8px; }
        .yabbi-card-teaser { color: #5a5a5f; }
        .yabbi-card-code { display: inline-block; max-width: 100%; margin-top: .5rem; padding: .125rem .5rem; \
        border: 1px dashed currentColor; border-radius: 4px; white-space: nowrap; text-overflow: ellipsis; }
        .yabbi-card-button { display: inline-block; box-sizing: border-box; max-width: 100%; min-height: 44px; \
        margin-top: .75rem; padding: .625rem 1rem; border-radius: 8px; background: #0058c7; color: #fff; \
        text-decoration: none; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .yabbi-card-button:focus-visible { outline: 3px solid #1c1c1e; outline-offset: 2px; }
        @media (prefers-color-scheme: dark) {
        .yabbi-card { background: #1c1c1e; color: #f2f2f7; border-color: #48484a; }
        .yabbi-card-disclosure, .yabbi-card-teaser { color: #aeaeb2; }
        .yabbi-card-button { background: #6db3ff; color: #00172e; }
        .yabbi-card-button:focus-visible { outline-color: #f2f2f7; }
        }
        """
}

/// HTML of texts.
enum CardHTML {
    /// An element with an escaped text and automatic text direction.
    static func text(_ element: StaticString, _ name: StaticString, _ text: String, _ attributes: String = "") -> String
    {
        let more = attributes.isEmpty ? "" : " " + attributes
        return "<\(element) class=\"\(name)\" dir=\"auto\"\(more)>\(self.escaped(text))</\(element)>"
    }

    /// A text escaped for HTML, with control characters replaced by spaces.
    static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { (scalar) -> Unicode.Scalar in
            switch scalar {
            case "\n", "\t": scalar
            // Other control characters are not allowed in HTML.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": " "
            default: scalar
            }
        }
        return HTMLText.escaped(String(String.UnicodeScalarView(scalars)))
    }
}
