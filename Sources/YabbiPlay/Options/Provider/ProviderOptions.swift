import AdCore
import PlayConsole

/// The provider of an ad request.
enum ProviderChoice: String, CaseIterable, Sendable {
    case yabbi, openrtb, attentionmarket, ceedads, activeads, smartico

    /// Whether it pushes ads over a connection.
    var isConnected: Bool { self == .smartico }

    /// Whether an ad is requested for a placement with an id.
    var takesUnit: Bool { self == .yabbi || self == .openrtb }

    /// What it sends, and which URL `--endpoint` is, for the help.
    var about: String {
        switch self {
        case .yabbi: "YABBI ad requests in JSON. --endpoint is the complete URL of the load call."
        case .openrtb: "OpenRTB 2.6 bid requests. --endpoint is the complete URL."
        case .attentionmarket: "Sponsored cards in a chat. --endpoint is the URL of the API up to /functions/v1."
        case .ceedads: "Sponsored cards in a chat. --endpoint is the URL of the API."
        case .activeads: "Sponsored cards. --endpoint is the URL of the API up to /functions/v1."
        case .smartico:
            """
            Popups, mini-games and the gamification widget, pushed over a WebSocket. --endpoint is the wss
            URL without its query, for example wss://host.example/websocket/services. Real time only.
            """
        }
    }
}

/// The server of a provider.
enum ServerChoice<Address: Sendable>: Sendable {
    /// The built-in server, with the folder of its creatives if the command line names one.
    case builtIn(creatives: String?)
    case at(Address)
}

/// The options that choose a provider and its server.
struct ProviderOptions: Sendable {
    static let provider = Option<ProviderChoice>(
        "--provider",
        "The provider."
    ).default(ProviderChoice.yabbi.rawValue)
    /// The provider of a command whose ads are pushed.
    static let pushing = Option(
        "--provider",
        .word(ProviderChoice.allCases.filter(\.isConnected).map(\.rawValue)),
        "The provider."
    ) { (text, name) throws(UsageError) -> ProviderChoice in
        let choice: ProviderChoice = try OptionValue.choice(text, name)
        guard choice.isConnected else {
            throw UsageError("--provider \(choice.rawValue) does not push ads; use --provider smartico")
        }
        return choice
    }.default(ProviderChoice.smartico.rawValue)
    static let set = Option(
        "--set",
        .parameter,
        "A value of the provider; see yabbi-play help providers. Repeatable.",
        isRepeatable: true,
        ProviderParameters.pair
    )
    static let endpoint = Option(
        "--endpoint",
        .other("<url>"),
        "The provider's URL.",
        otherwise: "the built-in server",
        ProviderOptions.address
    )

    static let options: [any OptionDeclaration] = [provider, set, endpoint]

    /// The value of `--endpoint`.
    enum Endpoint: Sendable {
        case web(HTTPURL)
        case socket(SocketURL)
    }

    let provider: ProviderChoice
    let parameters: ProviderParameters
    let endpoint: Endpoint?
    private let creatives: String?

    /// Reads the options of a command that requests ads.
    init(requesting arguments: Arguments) throws(UsageError) {
        let creatives = try arguments.value(CreativesOption.creatives)
        try self.init(arguments, try arguments.value(Self.provider), creatives: creatives)
        if creatives != nil, self.endpoint != nil {
            throw UsageError("--creatives is for the built-in server; remove it, or --endpoint")
        }
    }

    /// Reads the options of a command whose ads are pushed.
    init(pushing arguments: Arguments) throws(UsageError) {
        try self.init(arguments, try arguments.value(Self.pushing), creatives: nil)
    }

    private init(_ arguments: Arguments, _ provider: ProviderChoice, creatives: String?) throws(UsageError) {
        self.provider = provider
        self.endpoint = try arguments.value(Self.endpoint)
        self.creatives = creatives
        self.parameters = try ProviderParameters(try arguments.values(Self.set), for: provider)
    }

    /// The server of a provider that answers requests.
    func webServer() throws(UsageError) -> ServerChoice<HTTPURL> {
        switch self.endpoint {
        case nil: return .builtIn(creatives: self.creatives)
        case .web(let url): return .at(url)
        case .socket(let url):
            throw OptionValue.invalid("\(url)", for: "--endpoint", expected: "an http or https URL")
        }
    }

    /// The server of a provider that pushes.
    func socketServer() throws(UsageError) -> ServerChoice<SocketURL> {
        switch self.endpoint {
        case nil: return .builtIn(creatives: self.creatives)
        case .web(let url):
            let shown = Redaction.address(url.text)
            throw OptionValue.invalid(shown, for: "--endpoint", expected: "a ws or wss URL")
        case .socket(let url):
            guard !url.http.target.contains("?") else {
                throw UsageError("the URL of --endpoint has a query; remove it, because the query is added")
            }
            return .at(url)
        }
    }

    /// Whether the built-in server is used.
    var isBuiltIn: Bool { self.endpoint == nil }

    /// The value of `--set <name>=…`, or the built-in server's default.
    ///
    /// Throws if another server is used, and the value is missing.
    func value(_ value: ProviderValue, builtIn: String) throws(UsageError) -> String {
        if let text = self.parameters[value] { return text }
        if self.isBuiltIn { return builtIn }
        let missing = self.provider.values.filter { $0.isRequired && self.parameters[$0] == nil }
        let options = missing.map { "--set \($0.name)=…" }.joined(separator: " ")
        throw UsageError("--provider \(self.provider.rawValue) with --endpoint requires \(options)")
    }

    private static func address(_ text: String, _ name: String) throws(UsageError) -> Endpoint {
        if let socket = SocketURL(text) { return .socket(socket) }
        do throws(HTTPURL.ParseError) {
            return .web(try HTTPURL(parsing: text))
        } catch {
            if error == .hasUserName || self.socketError(text) == .hasUserName {
                throw UsageError(
                    "the URL of \(name) can't be used: \(HTTPURL.ParseError.hasUserName.reason); remove it"
                )
            }
            throw OptionValue.invalid(
                Redaction.address(text),
                for: name,
                expected: "an http or https URL (ws or wss for smartico)"
            )
        }
    }

    /// The error in a ws or wss URL (RFC 6455 §3), found by parsing it as an http or https URL.
    ///
    /// Nil for other and for correct URLs.
    private static func socketError(_ text: String) -> HTTPURL.ParseError? {
        guard ["ws:", "wss:"].contains(where: { text.trimmed.utf8.startsIgnoringCase($0) }) else { return nil }
        do throws(HTTPURL.ParseError) {
            _ = try HTTPURL(parsing: "http" + text.trimmed.dropFirst(2))
            return nil
        } catch {
            return error
        }
    }
}
