import AdCore
import AdHTML
import AdMarkup
import AdRuntime
import PlayConsole
import PlayReport
import SandboxSSP
import YabbiAds

/// Where ads come from.
///
/// It is resolved once, before anything is loaded; whatever depends on it is asked here.
enum AdOrigin: Sendable {
    /// The built-in server, also for HTML in a file or at an address.
    case builtIn(BuiltInServer)
    /// An ad response or a tag that is at hand already.
    case answer(StoredAnswer, of: SourceDocument)
    /// Another server that answers requests.
    case server(HTTPURL)
    /// Another server that pushes over a connection.
    case socket(SocketURL)

    // MARK: Resolving

    init(_ query: AdQuery, seed: UInt64?, within timeout: Duration, by transport: any Transport) async throws(PlayError)
    {
        switch query {
        case .placement(let query):
            switch query.place {
            case .server(let url, _): self = .server(url)
            case .builtInServer(_, let creatives): try self.init(builtIn: creatives, seed: seed)
            case .source(let text, let unit, let creatives):
                let document: SourceDocument
                do throws(PlayError) {
                    document = try await .read(text, format: query.format, within: timeout, by: transport)
                } catch {
                    throw AdOrigin.suggestingUnit(text, error, creatives)
                }
                try self.init(document.named(unit), creatives: creatives, seed: seed)
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

    private init(_ document: SourceDocument, creatives: String?, seed: UInt64?) throws(PlayError) {
        if let answer = StoredAnswer(document) {
            self = .answer(answer, of: document)
        } else {
            self = .builtIn(try BuiltInServer(creatives: creatives, adding: document, seed: seed))
        }
    }

    /// The error for a file that does not exist; the name may be that of a creative.
    private static func suggestingUnit(_ text: String, _ error: PlayError, _ creatives: String?) -> PlayError {
        guard !text.contains("/"), let bundled = try? BuiltInServer.catalogue(creatives),
            bundled.creatives.contains(where: { $0.name == text })
        else { return error }
        return PlayError(error.code, "\(error.message); did you mean --unit \(text)?")
    }

    // MARK: The parts of a run

    /// The built-in server; nil where another one is asked.
    var builtIn: BuiltInServer? { if case .builtIn(let server) = self { server } else { nil } }

    var sandbox: Sandbox? { self.builtIn?.sandbox }

    /// The user's document.
    private var document: SourceDocument? {
        switch self {
        case .builtIn(let server): server.document
        case .answer(_, let document): document
        case .server, .socket: nil
        }
    }

    /// Where the markup came from, for relative links in it.
    var base: HTTPURL? { self.document?.base }

    /// Whether ads and trackers are on servers of which nothing is known.
    var namesAnyServer: Bool { if case .answer = self { true } else { false } }

    /// The servers on this machine that creatives in a browser may call.
    var allowedHosts: [HTTPURL] {
        let urls: [HTTPURL?] =
            switch self {
            case .builtIn(let server): [server.sandbox.url("/"), server.document?.base]
            case .answer(_, let document): [document.base]
            case .server(let url): [url]
            case .socket: []
            }
        return urls.compactMap(\.self).filter(\.isLoopback)
    }

    /// Where connections go; nil where no server of this origin pushes.
    var socket: SocketURL? {
        switch self {
        case .builtIn(let server): server.sandbox.url(Sandbox.socketPath).map { SocketURL($0) }
        case .socket(let url): url
        case .answer, .server: nil
        }
    }

    /// Answers requests for a stored answer; all others are sent by the transport.
    func transport(over next: any Transport) -> any Transport {
        if case .answer(let answer, _) = self { StoredAnswer.Transport(answer: answer, next: next) } else { next }
    }

    /// Passes events on, failures with the name of the user's document.
    func observer(over next: any AdObserver) -> any AdObserver {
        self.document.map { SourceDocument.Observer(document: $0, next: next) } ?? next
    }

    // MARK: Units

    /// The unit that is asked for; throws where the command line names none, and says which there are.
    func unit(_ named: String?, for command: String) throws(PlayError) -> String {
        switch self {
        case .builtIn(let server):
            if let unit = server.documentUnit ?? named { return unit }
            throw PlayError(.usage, "say what to \(command): a SOURCE, or --unit NAME; \(server.known)")
        case .answer: return named ?? "answer"
        case .server, .socket:
            if let named { return named }
            throw PlayError(.usage, "say what to \(command): --unit NAME")
        }
    }

    /// The address of a load call, whose path at the built-in server is given.
    func endpoint(_ path: String) throws(PlayError) -> HTTPURL {
        switch self {
        case .builtIn(let server):
            if path.isEmpty { return server.sandbox.baseURL }
            return server.sandbox.url(path) ?? server.sandbox.baseURL
        case .answer(let answer, _): return answer.address
        case .server(let url): return url
        case .socket(let url):
            throw PlayError(.usage, "--endpoint takes an http or https address here, not \u{201C}\(url)\u{201D}")
        }
    }

    /// The slot that a unit is made for.
    func format(of unit: String) -> AdFormat {
        switch self {
        case .builtIn(let server):
            switch server.creative(unit)?.format {
            case .interstitial: return .interstitial
            case .rewarded: return .rewarded
            case .banner, nil: return .banner
            }
        case .answer(_, let document):
            if let format = document.format { return format }
            if case .tag = document.content { return .interstitial }
            return .banner
        case .server, .socket: return .banner
        }
    }

    // MARK: Descriptions of an ad

    /// The title of a creative; nil where it has none.
    func title(of unit: String) -> String? { self.builtIn?.creative(unit)?.title }

    /// The markup of an ad as it was sent, where it is known.
    ///
    /// In a bundled creative the built-in server's address stands as one on the web: a linter should not complain
    /// about this machine.
    func markup(of unit: String, _ offer: Offer?) -> [UInt8]? {
        if case .html(let html) = offer?.creative { return Array(html.markup.utf8) }
        switch self {
        case .builtIn(let server):
            return server.creative(unit).map { entry in
                Array(entry.markup.replacing("${SANDBOX}", with: "https://sandbox.example.com").utf8)
            }
        case .answer(let answer, _): return answer.body
        case .server, .socket: return nil
        }
    }

    /// The size of a video that is shown in its own size: that of a tag for which no slot was asked.
    func naturalSize(of offer: Offer?) -> Size? {
        guard case .answer(_, let document) = self, case .tag = document.content, document.format == nil,
            case .video(let video)? = offer?.creative, case .media(let files)? = video.spots.first?.content
        else { return nil }
        return files.first?.size
    }

    /// The size that the user's HTML declares for itself.
    var declaredSize: HTMLDocument.DeclaredSize? {
        guard case .markup(let entry)? = self.document?.content else { return nil }
        return (try? HTMLDocument(parsing: entry.markup))?.declaredSize
    }

    /// A failure with the user's own name for the place where it happened.
    func naming(_ error: AdError) -> AdError { self.document?.naming(error) ?? error }

    /// The message for a failed load; the format is the slot that the command line asks for.
    func explanation(of error: AdError, unit: String, format: AdFormat?) -> String {
        let error = self.naming(error)
        if error.code == .formatMismatch, format == nil {
            return
                "\(error.description); what the app asks for is said by --format interstitial or --format rewarded"
        }
        return self.builtIn?.explanation(of: error, unit: unit) ?? error.description
    }
}
