import AdCore
import AdHTML
import AdLint
import AdMarkup
import AdRuntime
import PlayConsole
import PlayReport
import PlayText
import SandboxSSP

/// Where ads come from.
///
/// It is resolved once, before anything is loaded.
enum AdOrigin: Sendable {
    /// The built-in server, also for HTML in a file or at a URL.
    case builtIn(BuiltInServer)
    /// An ad response or a tag that was already read.
    case document(SourceDocument, response: [UInt8])
    /// Another HTTP server.
    case server(HTTPURL)
    /// Another server that pushes over a WebSocket.
    case socket(SocketURL)

    // MARK: Resolution

    init(_ query: AdQuery, seed: UInt64?, within timeout: Duration, by transport: any Transport) async throws(PlayError)
    {
        switch query {
        case .placement(let query):
            switch query.place {
            case .server(let url, _): self = .server(url)
            case .builtInServer(_, let creatives): try self.init(builtIn: creatives, seed: seed)
            case .source(let source):
                let document: SourceDocument
                do throws(PlayError) {
                    document = try await .read(source.text, format: query.format, within: timeout, by: transport)
                } catch {
                    throw AdOrigin.suggestingUnit(source.text, error, source.creatives)
                }
                try self.init(document.named(source.unit), source, seed: seed)
            }
        case .cards(_, .at(let url), _): self = .server(url)
        case .cards(_, .builtIn(let creatives), _): try self.init(builtIn: creatives, seed: seed)
        case .engagement(let options): try self.init(options, seed: seed)
        }
    }

    init(_ options: EngagementOptions, seed: UInt64?) throws(PlayError) {
        switch options.server {
        case .at(let url): self = .socket(url)
        case .builtIn(let creatives): try self.init(builtIn: creatives, seed: seed)
        }
    }

    init(builtIn creatives: String?, seed: UInt64?) throws(PlayError) {
        self = .builtIn(try BuiltInServer(creatives: creatives, seed: seed))
    }

    private init(_ document: SourceDocument, _ source: SourceQuery, seed: UInt64?) throws(PlayError) {
        guard let response = document.response else {
            self = .builtIn(try BuiltInServer(creatives: source.creatives, adding: document, seed: seed))
            return
        }
        if let given = source.requestOptions.first {
            throw PlayError(.usage, "\(given) is for ad requests, but \(document.name) needs none; remove \(given)")
        }
        self = .document(document, response: response)
    }

    /// The protocol of the response; nil for a tag, which has none.
    ///
    /// A recognized response decides it. Throws if the command line names another one.
    func language(requested: PlacementQuery.Language?) throws(PlayError) -> PlacementQuery.Language? {
        guard case .document(let document, _) = self else { return requested ?? .yabbi }
        switch document.content {
        case .markup: return requested ?? .yabbi
        case .tag:
            guard requested == nil else {
                throw PlayError(.usage, "\(document.name) is a tag without an ad response; remove --provider")
            }
            return nil
        case .answer(_, let format):
            guard let own = format?.language else { return requested ?? .yabbi }
            guard requested == nil || requested == own else {
                let fix = "remove --provider, or use --provider \(own)"
                throw PlayError(.usage, "\(document.name) is a response of \(own); \(fix)")
            }
            return own
        }
    }

    /// The error for a file that does not exist.
    ///
    /// Suggests `--unit` if a creative has that name.
    private static func suggestingUnit(_ text: String, _ error: PlayError, _ creatives: String?) -> PlayError {
        guard !text.contains("/"), let bundled = try? BuiltInServer.catalogue(creatives),
            bundled.creatives.contains(where: { $0.name == text })
        else { return error }
        return PlayError(error.code, "\(error.message); did you mean --unit \(text)?")
    }

    // MARK: Parts of a run

    /// The built-in server; nil for other origins.
    var builtIn: BuiltInServer? { if case .builtIn(let server) = self { server } else { nil } }

    var sandbox: Sandbox? { self.builtIn?.sandbox }

    /// The user's document.
    private var document: SourceDocument? {
        switch self {
        case .builtIn(let server): server.document
        case .document(let document, _): document
        case .server, .socket: nil
        }
    }

    /// The base URL for relative links in the markup.
    var base: HTTPURL? { self.document?.base }

    /// Whether trackers may be on any server.
    var namesAnyServer: Bool { if case .document = self { true } else { false } }

    /// The servers on loopback that creatives in a browser may request.
    var allowedHosts: [HTTPURL] {
        let urls: [HTTPURL?] =
            switch self {
            case .builtIn(let server): [server.sandbox.url("/"), server.document?.base]
            case .document(let document, _): [document.base]
            case .server(let url): [url]
            case .socket: []
            }
        return urls.compactMap(\.self).filter(\.isLoopback)
    }

    /// The URL for WebSocket connections; nil if this origin has none.
    var socket: SocketURL? {
        switch self {
        case .builtIn(let server): server.sandbox.url(Sandbox.socketPath).map { SocketURL($0) }
        case .socket(let url): url
        case .document, .server: nil
        }
    }

    /// A transport that answers requests for a stored answer, and forwards all others.
    func transport(over next: any Transport) -> any Transport {
        if case .document(_, let response) = self { LocalTransport(body: response, next: next) } else { next }
    }

    /// An observer that forwards events, with the name of the user's document in errors.
    func observer(over next: any AdObserver) -> any AdObserver {
        self.document.map { SourceDocument.Observer(document: $0, next: next) } ?? next
    }

    // MARK: Units

    /// The requested unit.
    ///
    /// Throws if the command line names none.
    func unit(_ named: String?, for command: String) throws(PlayError) -> String {
        switch self {
        case .builtIn(let server):
            if let unit = server.documentUnit ?? named { return unit }
            throw PlayError(.usage, "nothing to \(command); give a <source> or --unit <id>; \(server.known)")
        case .document: return named ?? "answer"
        case .server, .socket:
            if let named { return named }
            throw PlayError(.usage, "nothing to \(command); give --unit <id>")
        }
    }

    /// The URL of a load call.
    ///
    /// The path is that at the built-in server.
    func endpoint(_ path: String) throws(PlayError) -> HTTPURL {
        switch self {
        case .builtIn(let server):
            if path.isEmpty { return server.sandbox.baseURL }
            return server.sandbox.url(path) ?? server.sandbox.baseURL
        case .document: return LocalDocument.url
        case .server(let url): return url
        case .socket(let url):
            throw PlayError(
                .usage,
                OptionValue.invalid("\(url)", for: "--endpoint", expected: "an http or https URL").message
            )
        }
    }

    /// The format of a unit.
    func format(of unit: String) -> AdFormat {
        switch self {
        case .builtIn(let server):
            switch server.creative(unit)?.format {
            case .interstitial: return .interstitial
            case .rewarded: return .rewarded
            case .banner, nil: return .banner
            }
        case .document(let document, _):
            if let format = document.format { return format }
            if case .tag = document.content { return .interstitial }
            return .banner
        case .server, .socket: return .banner
        }
    }

    // MARK: Descriptions of an ad

    /// The title of a creative; nil if it has none.
    func title(of unit: String) -> String? { self.builtIn?.creative(unit)?.title }

    /// The markup of an ad as it was sent; nil if it is not known.
    ///
    /// In a bundled creative the built-in server's URL is replaced by a public https URL, so that the linter does not
    /// report loopback URLs.
    func markup(of unit: String, _ offer: Offer?) -> [UInt8]? {
        if case .html(let html) = offer?.creative { return Array(html.markup.utf8) }
        switch self {
        case .builtIn(let server):
            return server.creative(unit).map { entry in
                Array(entry.markup.replacing("${SANDBOX}", with: "https://sandbox.example.com").utf8)
            }
        case .document(_, let response): return response
        case .server, .socket: return nil
        }
    }

    /// The size of the media file of a tag, if no format was requested.
    func naturalSize(of offer: Offer?) -> Size? {
        guard case .document(let document, _) = self, case .tag = document.content, document.format == nil,
            case .video(let video)? = offer?.creative, case .media(let files)? = video.spots.first?.content
        else { return nil }
        return files.first?.size
    }

    /// The size that the user's HTML declares for itself.
    var declaredSize: HTMLDocument.DeclaredSize? {
        guard case .markup(let entry)? = self.document?.content else { return nil }
        return (try? HTMLDocument(parsing: entry.markup))?.declaredSize
    }

    /// The error with the user's name for the document.
    func naming(_ error: AdError) -> AdError { self.document?.naming(error) ?? error }

    /// The message for a failed load.
    ///
    /// The format is that of the command line.
    func explanation(of error: AdError, unit: String, format: AdFormat?) -> String {
        let error = self.naming(error)
        if error.code == .formatMismatch, format == nil {
            return
                "\(error.description); use --format interstitial or --format rewarded"
        }
        return self.builtIn?.explanation(of: error, unit: unit) ?? error.description
    }
}

extension AdResponseFormat {
    /// The protocol of the response; nil if no placement is requested in it.
    fileprivate var language: PlacementQuery.Language? {
        switch self {
        case .openRTB: .openrtb
        case .yabbi: .yabbi
        case .activeAds, .ceedAds, .attentionMarket, .prebid: nil
        }
    }
}
