import AdCore
import PlayConsole

/// The provider that is asked for an ad.
enum ProviderChoice: String, CaseIterable, Sendable {
    case yabbi, openrtb, attentionmarket, ceedads, activeads, smartico

    /// Whether it is asked for placements by their ids.
    var hasUnits: Bool { self == .yabbi || self == .openrtb }

    /// Whether it pushes ads over a connection.
    var isConnected: Bool { self == .smartico }
}

/// Where a server is.
enum ServerChoice<Address: Sendable>: Sendable {
    /// The server inside the process, and the folder of its creatives where the command line names one.
    case builtIn(creatives: String?)
    case at(Address)

    var isBuiltIn: Bool { if case .builtIn = self { true } else { false } }
}

/// The options that choose a provider and its server.
struct ProviderOptions: Sendable {
    static let provider = Option<ProviderChoice>(
        "--provider",
        "the provider, yabbi by default (smartico for watch); without --endpoint a built-in server answers"
    )
    static let set = Option(
        "--set",
        .parameter,
        "a value for the provider, by its own names; yabbi-play help providers",
        isRepeatable: true,
        ProviderParameters.pair
    )
    static let endpoint = Option(
        "--endpoint",
        .other("URL"),
        "the address of the load call, of a card provider's API, or of smartico's socket (wss://…)",
        ProviderOptions.address
    )

    static let options: [any OptionDeclaration] = [provider, set, endpoint]

    /// What `--endpoint` names.
    enum Endpoint: Sendable {
        case web(HTTPURL)
        case socket(SocketURL)
    }

    let provider: ProviderChoice
    let parameters: ProviderParameters
    let endpoint: Endpoint?
    private let creatives: String?

    init(_ arguments: Arguments, byDefault usual: ProviderChoice = .yabbi) throws(UsageError) {
        self.provider = try arguments.value(Self.provider) ?? usual
        self.endpoint = try arguments.value(Self.endpoint)
        self.creatives = try arguments.value(CreativesOption.creatives)
        if self.creatives != nil, self.endpoint != nil {
            throw UsageError(
                "--creatives is for the built-in server, and --endpoint names another; give one of them"
            )
        }
        self.parameters = try ProviderParameters(try arguments.values(Self.set), for: self.provider)
    }

    /// The server of a provider that answers requests.
    func webServer() throws(UsageError) -> ServerChoice<HTTPURL> {
        switch self.endpoint {
        case nil: return .builtIn(creatives: self.creatives)
        case .web(let url): return .at(url)
        case .socket(let url):
            throw UsageError("--endpoint takes an http or https address here, not \u{201C}\(url)\u{201D}")
        }
    }

    /// The server of a provider that pushes.
    func socketServer() throws(UsageError) -> ServerChoice<SocketURL> {
        switch self.endpoint {
        case nil: return .builtIn(creatives: self.creatives)
        case .web(let url):
            let shown = Redaction.address(url.text)
            throw UsageError("--endpoint takes a ws or wss address here, not \u{201C}\(shown)\u{201D}")
        case .socket(let url):
            guard !url.http.target.contains("?") else {
                throw UsageError(
                    "--endpoint takes the socket's address without a query: what belongs there is added"
                )
            }
            return .at(url)
        }
    }

    /// The value of `--set NAME=…`, or else the one that the built-in server knows; other servers need their own.
    func value(_ name: String, builtIn: String?) throws(UsageError) -> String {
        if let value = self.parameters[name] ?? builtIn { return value }
        let needed = ProviderParameters.needed[self.provider, default: []].filter { self.parameters[$0] == nil }
        throw UsageError("\(self.provider.rawValue) needs " + needed.map { "--set \($0)=…" }.joined(separator: " "))
    }

    private static func address(_ text: String, _ name: String) throws(UsageError) -> Endpoint {
        if let socket = SocketURL(text) { return .socket(socket) }
        do throws(HTTPURL.Fault) {
            return .web(try HTTPURL(parsing: text))
        } catch {
            // A socket's address is one of the web with another scheme, and has the same faults.
            if error == .hasUserName || self.socketFault(text) == .hasUserName {
                throw UsageError("\(name) can't be called: \(HTTPURL.Fault.hasUserName.reason); leave it out")
            }
            throw UsageError(
                "\(name) takes an http or https address, for smartico ws or wss, not \u{201C}\(Redaction.address(text))\u{201D}"
            )
        }
    }

    /// What is wrong with the address of a socket; nil for other addresses, and for correct ones.
    private static func socketFault(_ text: String) -> HTTPURL.Fault? {
        guard ["ws:", "wss:"].contains(where: { text.trimmed.utf8.startsIgnoringCase($0) }) else { return nil }
        do throws(HTTPURL.Fault) {
            _ = try HTTPURL(parsing: "http" + text.trimmed.dropFirst(2))
            return nil
        } catch {
            return error
        }
    }
}
