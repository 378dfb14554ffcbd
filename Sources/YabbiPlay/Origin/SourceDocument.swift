import AdCore
import AdHTML
import AdMarkup
import PlayConsole
import PlayReport
import SandboxSSP

/// A document in place of an ad server: a file, the standard input, or what an address answered.
struct SourceDocument: Sendable {
    enum Content: Sendable {
        /// HTML, which the built-in server serves as a creative of its own.
        case markup(CreativeEntry)
        /// A provider's ad response, unchanged; nil for a shape that is not recognised.
        case answer([UInt8], AnswerShape?)
        /// VAST or VMAP without an ad response around it.
        case tag([UInt8])
    }

    /// What the user called it: a path, or an address without its secrets.
    let name: String
    let content: Content
    /// Where the markup came from, for relative links in it.
    let base: HTTPURL?
    /// The slot that is asked for; nil where neither the command line nor the document names one.
    let format: AdFormat?

    /// The same, served under another name where one is given.
    func named(_ unit: String?) -> SourceDocument {
        guard case .markup(var entry) = self.content, let unit else { return self }
        entry.name = unit
        return SourceDocument(self, content: .markup(entry))
    }

    private init(_ document: SourceDocument, content: Content) {
        self.name = document.name
        self.content = content
        self.base = document.base
        self.format = document.format
    }

    /// Reads a file or fetches an address.
    static func read(
        _ text: String,
        format: AdFormat?,
        within timeout: Duration,
        by transport: any Transport
    ) async throws(PlayError) -> SourceDocument {
        if text == "-" {
            let name = "the standard input"
            return try SourceDocument(try SourceReader.standardInput(), called: name, file: "-", format: format)
        }
        guard let url = try SourceReader.address(text) else {
            let file = text.split(separator: "/").last ?? text[...]
            return try SourceDocument(try SourceReader.file(text), called: text, file: file, format: format)
        }
        let name = Redaction.address(text)
        let response = try await SourceReader.fetch(url, called: name, within: timeout, by: transport)
        let path = response.url.target.prefix { $0 != "?" }
        return try SourceDocument(
            response.body,
            charset: SourceReader.charset(response.headers),
            isXML: response.headers["Content-Type"]?.asciiLowercased.contains("xml") ?? false,
            called: name,
            file: path.split(separator: "/").last ?? url.host[...],
            base: response.url,
            format: format
        )
    }

    // MARK: Recognising the content

    /// Recognises bytes by what they begin like, and by the name of their file.
    private init(
        _ bytes: [UInt8],
        charset: String? = nil,
        isXML: Bool = false,
        called name: String,
        file: Substring,
        base: HTTPURL? = nil,
        format: AdFormat?
    ) throws(PlayError) {
        var format = format
        self.content = try Self.content(bytes, charset, isXML: isXML, called: name, file, &format)
        self.name = name
        self.base = base
        self.format = format
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
        // A file called .json is read as JSON also where it is broken: the reader of responses says what is wrong.
        if kind == .json || file.asciiLowercased.hasSuffix(".json") {
            return try self.answer(bytes, called: name, file, &format)
        }
        if TagProvider.holds(bytes) { return .tag(bytes) }
        if kind == .empty { throw PlayError(.noFill, "\(name) is empty: there is no ad in it") }
        // A page in place of VAST is a server's error message.
        if isXML || file.asciiLowercased.hasSuffix(".xml") {
            do throws(VASTError) {
                _ = try VASTDocument(parsing: bytes)
            } catch {
                throw PlayError(.loadFailed, "\(name) was to be VAST, and is \(kind): \(error.message)")
            }
            return .tag(bytes)
        }
        guard kind == .html || kind == .text else {
            let what = Style.printable(kind.description)
            throw PlayError(
                .loadFailed,
                "\(name) is \(what), and no ad: a SOURCE is HTML, VAST, or YABBI's answer in JSON"
            )
        }
        return .markup(
            // The names of bundled creatives and of the built-in server's special units have no colon.
            CreativeEntry(
                name: "source:\(file)",
                format: format == .interstitial ? .interstitial : .banner,
                markup: try self.text(bytes, charset, called: name)
            )
        )
    }

    private static func answer(
        _ bytes: [UInt8],
        called name: String,
        _ file: Substring,
        _ format: inout AdFormat?
    ) throws(PlayError) -> Content {
        let json = (try? AdJSON.reading(bytes))?.json
        let shape = json.flatMap { AnswerShape($0) }
        if shape == .prebid, let markup = json.flatMap({ PrebidMarkup.all(in: $0) })?.first {
            return try self.content(
                Array(markup.text.utf8),
                nil,
                isXML: false,
                called: "\(name), \(markup.name)",
                file.prefix { $0 != "." },
                &format
            )
        }
        if let shape, shape.isCards {
            let text = "\(name) is an answer of \(shape.rawValue.lowercased()), which names no click tracker"
            throw PlayError(.usage, text + "; yabbi-play inspect draws its cards")
        }
        // YABBI's ad response names its slot by a number.
        if format == nil {
            switch json?["type"]?.number {
            case 2: format = .interstitial
            case 3: format = .rewarded
            default: break
            }
        }
        return .answer(bytes, shape)
    }

    private static func text(_ bytes: [UInt8], _ charset: String?, called name: String) throws(PlayError) -> String {
        do throws(MarkupError) {
            return try HTMLDocument(parsing: bytes, charset: charset).markup
        } catch {
            throw PlayError(.loadFailed, "\(name): \(error.description)")
        }
    }
}
