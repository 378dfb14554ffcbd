public import AdCore
public import AdMarkup

/// A banner's HTML: its content, links, resources and issues.
///
/// The markup may be a fragment, as servers mostly send it, or a whole document. It is described, never changed:
/// `markup` is what came, and `stageDocument()` puts a document around it where there is none.
///
/// ```swift
/// let banner = try HTMLDocument(parsing: adm)
/// guard banner.hasSomethingToSee else { throw AdError(.noFill, "the markup is blank") }
/// let page = banner.stageDocument()
/// let clickLeadsTo = banner.firstLink?.landing
/// ```
///
/// What a browser repairs without a word is an issue here. Only what would take unbounded time or memory is an error.
public struct HTMLDocument: Hashable, Sendable {
    /// The markup as text, to the letter; a byte order mark is not part of it.
    public let markup: String
    /// The encoding the bytes were in.
    public let encoding: MarkupEncoding
    /// Whether the markup is something to be put into a page, and no page of its own: it has neither a doctype nor one
    /// of the elements `html`, `head` and `body`.
    public internal(set) var isFragment = true
    /// The title, where there is one.
    public internal(set) var title: String?
    /// What the first viewport declaration asks for.
    public internal(set) var viewport: Viewport?
    /// The size that the creative declares.
    public internal(set) var declaredSize: DeclaredSize?
    /// What relative URLs are resolved against; nil if it is unknown.
    ///
    /// It is the first `<base>` that has an address, else where the markup came from.
    public internal(set) var base: HTTPURL?
    /// The address of the first `<base>` that has one.
    var declaredBase: URLTemplate?
    /// Links in the order of the markup.
    public internal(set) var links: [Link] = []
    /// Pictures to look at, backgrounds among them.
    public internal(set) var images: [Image] = []
    /// Invisible images: impression pixels.
    public internal(set) var pixels: [Pixel] = []
    /// Scripts, and blocks of data in script elements.
    public internal(set) var scripts: [Script] = []
    /// Style sheets.
    public internal(set) var stylesheets: [Stylesheet] = []
    /// Frames, media, drawings and plug-ins.
    public internal(set) var embeds: [Embed] = []
    /// Forms.
    public internal(set) var forms: [Form] = []
    /// A `<meta http-equiv="refresh">` that opens another page or reloads the creative.
    public internal(set) var refresh: Refresh?
    /// Whether the creative asks for the host's `mraid.js`.
    public internal(set) var loadsMRAID = false
    /// Whether a script calls `mraid`.
    public internal(set) var callsMRAID = false
    /// Macros that were not replaced.
    public internal(set) var placeholders: [Placeholder] = []
    /// What is fetched over plain `http`: most stages refuse it.
    public internal(set) var insecureResources: [InsecureResource] = []
    /// Whether anything can be seen once the markup runs; without it the markup is no ad.
    ///
    /// It refuses only what is certainly blank; in doubt a stage decides. These count: text; images, frames, media, canvas,
    /// SVG and plug-ins that are neither hidden nor a pixel in size; fields, buttons, lines, bars and whatever else browsers
    /// paint by themselves; custom elements; backgrounds, borders, shadows and generated text, in a `style` or in a style
    /// sheet of the markup; any style sheet from elsewhere; and any script that runs, because a script may draw. Handlers
    /// that run without a user are such scripts, as `onload` of an element that loads something, also where the element is
    /// hidden, unless they only hide it.
    ///
    /// These do not: white space, comments, pixels, whatever is hidden by its own or an outer element's `style` or
    /// `hidden` (unless a style sheet may uncover it), style sheets that paint nothing, scripts without an end tag or of
    /// another type than JavaScript, and all that is in `head`'s own elements, in `noscript`, in `template`, or as the
    /// fallback of media.
    public internal(set) var hasSomethingToSee = false
    /// What was repaired, or is wrong and was left as it is.
    public internal(set) var issues: [AdIssue] = []

    /// Reads markup that is text already; a charset it declares has no meaning then.
    ///
    /// `base` is the URL of the markup, if it is known: relative URLs are resolved against it, unless the markup has a
    /// `<base>`.
    public init(
        parsing text: String,
        base: HTTPURL? = nil,
        limits: HTMLLimits = .standard
    ) throws(MarkupError) {
        let limits = limits.sound
        // The mark before the text and the text are not counted twice: the bound is checked on what is kept.
        guard text.utf8.count <= limits.bytes else {
            throw MarkupError(.exceeds(.bytes, limit: limits.bytes))
        }
        try self.init(MarkupText(text: text), base, limits: limits)
    }

    /// Reads bytes.
    ///
    /// Their encoding is that of a byte order mark, else by `charset` (from the answer's content type), else by a
    /// declaration in the first 1,024 bytes, and is UTF-8 otherwise. `base` is where they came from.
    public init(
        parsing bytes: [UInt8],
        charset: String? = nil,
        base: HTTPURL? = nil,
        limits: HTMLLimits = .standard
    ) throws(MarkupError) {
        let limits = limits.sound
        guard bytes.count <= limits.bytes else { throw MarkupError(.exceeds(.bytes, limit: limits.bytes)) }
        try self.init(MarkupText(decoding: bytes, charset: charset), base, limits: limits)
    }

    private init(_ source: MarkupText, _ base: HTTPURL?, limits: HTMLLimits) throws(MarkupError) {
        var markup = source.text
        // The result is carried by hand, because a closure loses the type of what it throws.
        let outcome = markup.withUTF8 { bytes in
            let empty = HTMLDocument(markup: source.text, encoding: source.encoding)
            return HTMLDriver.read(bytes, limits, into: HTMLReader(empty, source.issues, limits))
        }
        self = try outcome.get().document
        self.resolveBase(base)
    }

    /// A document of which only the text is known.
    init(markup: String, encoding: MarkupEncoding) {
        self.markup = markup
        self.encoding = encoding
    }

    /// The first link with a click-through URL; what a tap does, with scripts, `click()` decides.
    ///
    /// A link in `noscript` or `template` is taken only where there is no other.
    public var firstLink: Link? {
        self.links.first { !$0.isInert && $0.landing != nil } ?? self.links.first { $0.landing != nil }
    }
}
