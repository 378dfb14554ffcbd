import AdCore
import PlayConsole

/// Which ad is requested, and from which server.
enum AdQuery: Sendable {
    /// A placement of YABBI or OpenRTB, or a document in place of a server's response.
    case placement(PlacementQuery)
    /// Cards of a provider's API.
    case cards(CardQuery, ServerChoice<HTTPURL>, secrets: [String])
    /// Engagements that a server pushes.
    case engagement(EngagementOptions)

    static let options: [any OptionDeclaration] = ProviderOptions.options + PlacementQuery.options

    /// Reads the options of show and load.
    init(_ arguments: Arguments, in time: PlayTime) throws(UsageError) {
        let source = arguments.operands.first
        if source != nil, arguments.has(ProviderOptions.endpoint) {
            throw UsageError("a source can't be combined with --endpoint; remove one of them")
        }
        let provider = try ProviderOptions(requesting: arguments)
        let secrets = provider.parameters.secrets
        switch provider.provider {
        case .yabbi: self = .placement(try PlacementQuery(arguments, provider, speaking: .yabbi))
        case .openrtb: self = .placement(try PlacementQuery(arguments, provider, speaking: .openrtb))
        case .attentionmarket:
            let server = try AdQuery.cardServer(arguments, provider)
            self = .cards(try .attentionMarket(provider), server, secrets: secrets)
        case .ceedads:
            let server = try AdQuery.cardServer(arguments, provider)
            self = .cards(try .ceedAds(provider), server, secrets: secrets)
        case .activeads:
            let server = try AdQuery.cardServer(arguments, provider)
            self = .cards(try .activeAds(provider), server, secrets: secrets)
        case .smartico:
            let options = try EngagementOptions(arguments, provider, in: time)
            try AdQuery.refusePlacement(arguments, of: provider.provider)
            try arguments.refuse([RunOptions.resend], "is not for --provider smartico; remove it")
            self = .engagement(options)
        }
    }

    private static func cardServer(
        _ arguments: Arguments,
        _ provider: ProviderOptions
    ) throws(UsageError) -> ServerChoice<HTTPURL> {
        let server = try provider.webServer()
        try self.refusePlacement(arguments, of: provider.provider)
        return server
    }

    /// Throws for arguments that only providers with placements accept.
    private static func refusePlacement(
        _ arguments: Arguments,
        of provider: ProviderChoice
    ) throws(UsageError) {
        let name = provider.rawValue
        if let source = arguments.operands.first {
            throw UsageError("--provider \(name) takes no source; remove \u{201C}\(source)\u{201D}")
        }
        if arguments.has(PlacementQuery.unit) {
            throw UsageError("--unit is not for --provider \(name); use --set <name>=<value>")
        }
        if arguments.has(PlacementQuery.format) {
            throw UsageError("--format is not for --provider \(name); remove it")
        }
        // The app's id is in the URL of smartico's socket.
        let isNamed = provider == .smartico
        let app = AppOptions.options.filter { !isNamed || $0.name != AppOptions.bundle.name }
        try arguments.refuse(
            app + [CreativesOption.creatives],
            "is for --provider yabbi and openrtb; remove it, or --provider \(name)"
        )
    }

    /// The same query with the bytes of its source, which are then not read from a file, and a folder of creatives for
    /// HTML.
    ///
    /// With `isDirect`, HTML is loaded without the built-in server.
    func serving(_ bytes: [UInt8]?, creatives: String? = nil, isDirect: Bool = false) -> AdQuery {
        guard case .placement(let query) = self, case .source(var source) = query.place else { return self }
        source.bytes = bytes
        source.creatives = creatives
        source.isDirect = isDirect
        return .placement(PlacementQuery(query, at: .source(source)))
    }

    /// The same query with its document, which is then not read again.
    func serving(_ document: SourceDocument?) -> AdQuery {
        guard case .placement(let query) = self, case .source(var source) = query.place else { return self }
        source.document = document
        return .placement(PlacementQuery(query, at: .source(source)))
    }

    /// Values of `--set` that are not printed.
    var secrets: [String] {
        switch self {
        case .placement: []
        case .cards(_, _, let secrets): secrets
        case .engagement(let options): options.secrets
        }
    }

    /// The source or the placement, for the report's title; nil if neither has a name.
    var subject: String? {
        guard case .placement(let query) = self else { return nil }
        switch query.place {
        case .source(let source): return source.text
        case .builtInServer(let unit, _): return unit
        case .server(_, let unit): return unit
        }
    }

    /// The app and device of the request; the defaults if the provider's requests do not contain them.
    var app: AppOptions { if case .placement(let query) = self { query.app } else { AppOptions() } }

    /// The named web server; nil for the built-in server, a source or a socket.
    var server: HTTPURL? {
        switch self {
        case .placement(let query): if case .server(let url, _) = query.place { url } else { nil }
        case .cards(_, .at(let url), _): url
        case .cards, .engagement: nil
        }
    }

    /// The source; nil if a server is requested.
    var source: String? {
        guard case .placement(let query) = self, case .source(let source) = query.place else { return nil }
        return source.text
    }
}

/// A placement of YABBI or OpenRTB, or a document in its place.
struct PlacementQuery: Sendable {
    /// The protocol of the request.
    enum Language: Sendable {
        case yabbi, openrtb

        /// The path of the load call at the built-in server.
        var path: String {
            switch self {
            case .yabbi: "/yabbi/load"
            case .openrtb: "/openrtb2/auction"
            }
        }
    }

    /// Where the ad comes from.
    enum Place: Sendable {
        case source(SourceQuery)
        case builtInServer(unit: String?, creatives: String?)
        case server(HTTPURL, unit: String)
    }

    static let unit = Option(
        "--unit",
        .other("<id>"),
        "The placement's id; for the built-in server, the name of a creative.",
        OptionValue.text
    )
    static let format = Option(
        "--format",
        .word(OptionValue.formats.map(\.rawValue)),
        "The requested ad format.",
        otherwise: "the creative's format, or banner",
        OptionValue.format
    )
    static let options: [any OptionDeclaration] = [unit, format]

    /// The protocol that the command line names; nil for the default, or for that of a source's response.
    let language: Language?
    let place: Place
    /// The requested format; nil for the creative's own.
    let format: AdFormat?
    let app: AppOptions

    init(_ arguments: Arguments, _ provider: ProviderOptions, speaking language: Language) throws(UsageError) {
        self.language = arguments.has(ProviderOptions.provider) ? language : nil
        self.app = try AppOptions(arguments)
        self.format = try arguments.value(Self.format)
        let unit = try arguments.value(Self.unit)
        switch try provider.webServer() {
        case .at(let url):
            guard let unit else { throw UsageError("--endpoint requires --unit <id>, the id of the placement") }
            self.place = .server(url, unit: unit)
        case .builtIn(let creatives):
            if let source = arguments.operands.first {
                let ofRequests = AppOptions.ofRequests + [CreativesOption.creatives]
                self.place = .source(
                    SourceQuery(
                        text: source,
                        unit: unit,
                        creatives: creatives,
                        requestOptions: arguments.given(ofRequests)
                    )
                )
            } else {
                self.place = .builtInServer(unit: unit, creatives: creatives)
            }
        }
    }

    /// The same placement at another place.
    fileprivate init(_ query: PlacementQuery, at place: Place) {
        self.language = query.language
        self.place = place
        self.format = query.format
        self.app = query.app
    }

    /// A creative of the built-in server in its own format.
    init(builtIn unit: String, speaking language: Language) {
        self.language = language
        self.place = .builtInServer(unit: unit, creatives: nil)
        self.format = nil
        self.app = AppOptions()
    }

    /// The unit that the command line names; nil if it names none.
    var unit: String? {
        switch self.place {
        case .source(let source): source.unit
        case .builtInServer(let unit, _): unit
        case .server(_, let unit): unit
        }
    }
}

/// A document in place of a server's response.
struct SourceQuery: Sendable {
    /// A file, a URL, or `-` for the standard input.
    let text: String
    /// The unit as which the built-in server serves HTML.
    let unit: String?
    /// The folder of the built-in server's creatives.
    var creatives: String?
    /// The names of the given options that only a request to a server uses.
    ///
    /// HTML is requested from the built-in server, a response is not requested.
    let requestOptions: [String]
    /// The bytes of the document, if they are known already; `text` is then only its name.
    var bytes: [UInt8]? = nil
    /// The document, if it was read already.
    var document: SourceDocument? = nil
    /// Whether HTML is loaded without the built-in server.
    var isDirect = false
}
