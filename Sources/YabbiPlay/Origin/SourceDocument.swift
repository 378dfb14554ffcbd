import AdBundle
import AdCore
import AdHTML
import AdLint
import AdMarkup
import AdProviders
import PlayConsole
import PlayReport
import PlayText
import SandboxSSP

/// A document in place of an ad server: a file, the standard input, or the response of a URL.
struct SourceDocument: Sendable {
    enum Content: Sendable {
        /// HTML, which the built-in server serves as a creative.
        case markup(CreativeEntry)
        /// A provider's ad response, unchanged. The shape is nil if it is not recognized.
        case response([UInt8], AdResponseFormat?)
        /// VAST or VMAP without an ad response around it.
        case tag([UInt8])
    }

    /// The name for messages: a path, or a URL without secrets.
    let name: String
    let content: Content
    /// What was read, with the values of macros: the content, or a response of which it is a part.
    let source: [UInt8]
    /// The base URL for relative links in the markup.
    let base: HTTPURL?
    /// The files beside the markup; nil for a single document.
    private(set) var bundle: AdBundle?
    /// The requested format; nil if neither the command line nor the document names one.
    let format: AdFormat?

    /// The document's bytes, with the values of macros.
    var bytes: [UInt8] {
        switch self.content {
        case .markup(let entry): Array(entry.markup.utf8)
        case .response(let bytes, _), .tag(let bytes): bytes
        }
    }

    /// What is wrong with it as a whole, or was left out of its bundle.
    var issues: [AdIssue] {
        let ofBundle = self.bundle?.issues ?? []
        guard case .markup = self.content, MarkupKind(sniffing: self.source) == .text else { return ofBundle }
        let text = "it has no HTML element, and is shown as text; check that it is a whole tag"
        return [AdIssue(ReportedAd.textIssue, at: .whole, text)] + ofBundle
    }

    /// A copy that is served under another name, if one is given.
    func named(_ unit: String?) -> SourceDocument {
        guard case .markup(var entry) = self.content, let unit else { return self }
        entry.name = unit
        return SourceDocument(self, content: .markup(entry))
    }

    private init(_ document: SourceDocument, content: Content) {
        self.bundle = document.bundle
        self.name = document.name
        self.source = document.source
        self.content = content
        self.base = document.base
        self.format = document.format
    }

    /// Reads a file or fetches a URL.
    static func read(
        _ text: String,
        format: AdFormat?,
        within timeout: Duration,
        filling macros: [MacroValue] = [],
        by transport: any Transport
    ) async throws(PlayError) -> SourceDocument {
        if text == "-" {
            let bytes = try SourceReader.standardInput()
            return try SourceDocument(bytes, filling: macros, called: "standard input", file: "-", format: format)
        }
        guard let url = try SourceReader.url(text) else {
            if SourceReader.isFolder(text) {
                return try SourceDocument(try SourceReader.bundle(text), filling: macros, format: format)
            }
            let file = text.split(separator: "/").last ?? text[...]
            let bytes = try SourceReader.file(text)
            return try SourceDocument(bytes, filling: macros, called: text, file: file, format: format)
        }
        let name = Redaction.address(text)
        let response = try await SourceReader.fetch(url, called: name, within: timeout, by: transport)
        let path = response.url.target.prefix { $0 != "?" }
        // The transport has filled the macros of documents, but not those in zips.
        return try SourceDocument(
            response.body,
            filling: AdBundle.isZip(response.body) ? macros : [],
            charset: SourceReader.charset(response.headers),
            isXML: response.headers["Content-Type"]?.asciiLowercased.contains("xml") ?? false,
            called: name,
            file: path.split(separator: "/").last ?? url.host[...],
            base: response.url,
            format: format
        )
    }

    /// A document whose bytes are known already.
    init(
        _ bytes: [UInt8],
        filling macros: [MacroValue],
        named name: String,
        format: AdFormat?
    ) throws(PlayError) {
        let file = name.split(separator: "/").last ?? name[...]
        try self.init(bytes, filling: macros, called: name, file: file, format: format)
    }

    // MARK: Recognition

    /// Recognizes the content by its first bytes and by the name of the file.
    private init(
        _ bytes: [UInt8],
        filling macros: [MacroValue],
        charset: String? = nil,
        isXML: Bool = false,
        called name: String,
        file: Substring,
        base: HTTPURL? = nil,
        format: AdFormat?
    ) throws(PlayError) {
        guard !AdBundle.isZip(bytes) else {
            let bundle = try SourceReader.bundle(bytes, called: name)
            self = try SourceDocument(bundle, filling: macros, format: format)
            return
        }
        var format = format
        let filled = macros.filled(bytes)
        self.source = filled
        self.content = try Self.content(filled, charset, isXML: isXML, called: name, file, &format)
        self.name = name
        self.base = base
        self.format = format
    }

    /// The page of a bundle, with the files beside it.
    private init(_ bundle: AdBundle, filling macros: [MacroValue], format: AdFormat?) throws(PlayError) {
        // The path comes from the zip, and may have any characters.
        let name = "\(bundle.name)/\(Style.printable(bundle.indexPath, upTo: 200))"
        let bytes = macros.filled(bundle.files[bundle.indexPath]?.bytes ?? [])
        var format = format
        let file = bundle.indexPath.split(separator: "/").last ?? "index.html"
        self.source = bytes
        self.content = try Self.content(bytes, nil, isXML: false, called: name, file, &format)
        self.name = bundle.name
        self.base = nil
        self.format = format
        self.bundle = bundle
    }

    private static func content(
        _ bytes: [UInt8],
        _ charset: String?,
        isXML: Bool,
        called name: String,
        _ file: Substring,
        _ format: inout AdFormat?
    ) throws(PlayError) -> Content {
        let kind = MarkupKind(sniffing: bytes)
        // A .json file is always parsed as JSON, so that a syntax error is reported.
        if kind == .json || file.asciiLowercased.hasSuffix(".json") {
            return try self.response(bytes, called: name, file, &format)
        }
        if TagReader.holds(bytes) { return .tag(bytes) }
        if kind == .empty { throw PlayError(.noFill, "no fill: \(name) is empty") }
        // HTML in place of VAST is the error page of a server.
        if isXML || file.asciiLowercased.hasSuffix(".xml") {
            do throws(VASTError) {
                _ = try VASTDocument(parsing: bytes)
            } catch {
                throw PlayError(.loadFailed, "\(name) is \(kind), expected VAST: \(error.message)")
            }
            return .tag(bytes)
        }
        guard kind == .html || kind == .text else {
            let what = Style.printable(kind.description)
            throw PlayError(
                .loadFailed,
                "\(name) is \(what); expected HTML, VAST, VMAP or an ad response in JSON"
            )
        }
        return .markup(
            // The colon keeps the name different from bundled creatives and special units.
            CreativeEntry(
                name: ReportedAd.documentPrefix + file,
                format: format == .interstitial ? .interstitial : .banner,
                markup: try self.text(bytes, charset, called: name)
            )
        )
    }

    private static func response(
        _ bytes: [UInt8],
        called name: String,
        _ file: Substring,
        _ format: inout AdFormat?
    ) throws(PlayError) -> Content {
        let json = (try? AdJSON.reading(bytes))?.json
        let shape = json.flatMap { AdResponseFormat($0) }
        if shape == .prebid, let markup = json.flatMap({ ResponseMarkup.all(in: $0, .prebid) })?.first {
            return try self.content(
                Array(markup.text.utf8),
                nil,
                isXML: false,
                called: "\(name), \(markup.name)",
                file.prefix { $0 != "." },
                &format
            )
        }
        if shape == .smarticoMessage {
            let text = "\(name) is a message of smartico, not an ad response"
            throw PlayError(.usage, text + "; use yabbi-play inspect to print it")
        }
        // The type of YABBI's ad response is the format.
        if format == nil, let number = json?["type"]?.number.flatMap({ Int(exactly: $0) }) {
            switch YabbiWireType(rawValue: number) {
            case .video: format = .interstitial
            case .rewarded: format = .rewarded
            case .banner, nil: break
            }
        }
        return .response(bytes, shape)
    }

    private static func text(_ bytes: [UInt8], _ charset: String?, called name: String) throws(PlayError) -> String {
        do throws(MarkupError) {
            return try HTMLDocument(parsing: bytes, charset: charset).markup
        } catch {
            throw PlayError(.loadFailed, "\(name): \(error.description)")
        }
    }
}
