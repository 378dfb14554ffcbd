public import AdCore
public import AdMarkup

/// A banner's HTML: its content, links, resources and issues.
///
/// The markup may be a fragment, which is what most ad servers send, or a whole document. It is described and never
/// changed: `markup` is the input, and `stageDocument()` wraps a fragment in a document.
///
/// ```swift
/// let banner = try HTMLDocument(parsing: adm)
/// guard banner.hasVisibleContent else { throw AdError(.noFill, "the markup is blank") }
/// let page = banner.stageDocument()
/// let clickThrough = banner.firstLink?.clickThroughURL
/// ```
///
/// What a browser silently repairs is recorded as an issue. Only markup that exceeds a limit is an error.
public struct HTMLDocument: Hashable, Sendable {
    /// The markup as text, unchanged except that a byte order mark is removed.
    public let markup: String
    /// The encoding of the bytes, and how it was determined.
    public let encoding: MarkupEncoding
    /// Whether the markup must be placed in a page: it has neither a doctype nor `html`, `head` or `body`.
    public internal(set) var isFragment = true
    /// The content of `<title>`; nil if it is missing or empty.
    public internal(set) var title: String?
    /// The first `<meta name="viewport">`.
    public internal(set) var viewport: Viewport?
    /// The size that the creative declares.
    public internal(set) var declaredSize: DeclaredSize?
    /// The URL that relative URLs are resolved against; nil if it is unknown.
    ///
    /// It is the first `<base>` with an `href` (HTML Living Standard, "the base element"), else the URL of the markup.
    public internal(set) var base: HTTPURL?
    /// The `href` of the first `<base>` that has one.
    var declaredBase: URLTemplate?
    /// The links in the order of the markup.
    public internal(set) var links: [Link] = []
    /// The visible images, including backgrounds.
    public internal(set) var images: [Image] = []
    /// The invisible images, which are impression pixels.
    public internal(set) var pixels: [Pixel] = []
    /// The script elements, including those that hold data.
    public internal(set) var scripts: [Script] = []
    /// The style sheets.
    public internal(set) var stylesheets: [Stylesheet] = []
    /// The frames, media elements, drawings and plug-ins.
    public internal(set) var embeds: [Embed] = []
    /// The forms.
    public internal(set) var forms: [Form] = []
    /// The first `<meta http-equiv="refresh">`, which redirects or reloads without a click (HTML Living Standard,
    /// "Pragma directives").
    public internal(set) var refresh: Refresh?
    /// Whether the creative loads `mraid.js` (MRAID 3.0 §3.1.3).
    public internal(set) var loadsMRAID = false
    /// Whether a script calls `mraid`.
    public internal(set) var callsMRAID = false
    /// The macros that the ad server has not replaced.
    public internal(set) var placeholders: [Placeholder] = []
    /// The resources that load over plain `http`, which most stages block.
    public internal(set) var insecureResources: [InsecureResource] = []
    /// Whether the markup may have visible content; without it the markup counts as no fill.
    ///
    /// It is false only for markup that is certainly blank; a stage decides the doubtful cases. Visible are: text;
    /// images, frames, media, canvas, SVG and plug-ins that are neither hidden nor one pixel in size; form controls and
    /// other elements that browsers paint; custom elements; backgrounds, borders, shadows and generated text, in a
    /// `style` attribute or in a style sheet of the markup; any external style sheet; and any script that runs, because
    /// it may draw. A handler that runs without a gesture, such as `onload`, is such a script, unless it only hides its
    /// element.
    ///
    /// Not visible are: white space, comments, pixels, elements that are hidden by `style` or `hidden` (unless a style
    /// sheet may show them), style sheets that paint nothing, scripts without an end tag or of another type than
    /// JavaScript, and the content of `head`, `noscript`, `template` and the fallback of media elements.
    public internal(set) var hasVisibleContent = false
    /// The mistakes in the markup, repaired or not.
    public internal(set) var issues: [AdIssue] = []

    /// Parses text; a charset that it declares is ignored.
    ///
    /// `base` is the URL of the markup, if it is known: relative URLs are resolved against it, unless the markup has a
    /// `<base>`.
    public init(
        parsing text: String,
        base: HTTPURL? = nil,
        limits: HTMLLimits = .standard
    ) throws(MarkupError) {
        let limits = limits.clamped
        // `MarkupText` checks no limit itself.
        guard text.utf8.count <= limits.bytes else {
            throw MarkupError(.exceeds(.bytes, limit: limits.bytes))
        }
        try self.init(MarkupText(text: text), base, limits: limits)
    }

    /// Parses bytes.
    ///
    /// The encoding is that of a byte order mark, else `charset` (from the response's content type), else a declaration
    /// in the first 1,024 bytes, else UTF-8 (HTML Living Standard, "Determining the character encoding"). `base` is the
    /// URL of the markup.
    public init(
        parsing bytes: [UInt8],
        charset: String? = nil,
        base: HTTPURL? = nil,
        limits: HTMLLimits = .standard
    ) throws(MarkupError) {
        let limits = limits.clamped
        guard bytes.count <= limits.bytes else { throw MarkupError(.exceeds(.bytes, limit: limits.bytes)) }
        try self.init(MarkupText(decoding: bytes, charset: charset), base, limits: limits)
    }

    private init(_ source: MarkupText, _ base: HTTPURL?, limits: HTMLLimits) throws(MarkupError) {
        self = try HTMLDocument.read(source, limits) { $0 }.document
        self.resolveBase(base)
    }

    /// Parses bytes within the standard limits, and sends the events to another sink as well.
    package static func parse<Sink: HTMLEventSink>(
        _ bytes: [UInt8],
        charset: String?,
        base: HTTPURL?,
        with sink: Sink
    ) throws(MarkupError) -> (HTMLDocument, Sink) {
        let limits = HTMLLimits.standard
        guard bytes.count <= limits.bytes else { throw MarkupError(.exceeds(.bytes, limit: limits.bytes)) }
        let source = MarkupText(decoding: bytes, charset: charset)
        let pair = try self.read(source, limits) { HTMLEventPair($0, sink) }
        var document = pair.first.document
        document.resolveBase(base)
        return (document, pair.second)
    }

    private static func read<Sink: HTMLEventSink>(
        _ source: MarkupText,
        _ limits: HTMLLimits,
        into sink: (HTMLReader) -> Sink
    ) throws(MarkupError) -> Sink {
        let empty = HTMLDocument(markup: source.text, encoding: source.encoding)
        let sink = sink(HTMLReader(empty, source.issues, limits))
        var markup = source.text
        // A `Result` is returned, because `withUTF8` does not keep the type of the error.
        return try markup.withUTF8 { HTMLDriver.read($0, limits, into: sink) }.get()
    }

    /// Creates a document without any parts.
    init(markup: String, encoding: MarkupEncoding) {
        self.markup = markup
        self.encoding = encoding
    }

    /// The first link with a click-through URL.
    ///
    /// A link in `noscript` or `template` is used only if there is no other.
    public var firstLink: Link? {
        self.links.first { !$0.isInert && $0.clickThroughURL != nil } ?? self.links.first { $0.clickThroughURL != nil }
    }
}
