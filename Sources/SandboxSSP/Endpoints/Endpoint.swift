import LoopbackServer

/// One endpoint of the sandbox: its path, its methods and its response.
///
/// Each group of endpoints is a file in this folder and is listed in `all`.
struct Endpoint: Sendable {
    /// The paths of an endpoint.
    enum PathPattern: Hashable, Sendable {
        /// One path.
        case exact(String)
        /// Every path with this prefix.
        case prefix(String)
    }

    let path: PathPattern
    /// The allowed methods; empty for all.
    ///
    /// `HEAD` is allowed together with `GET`.
    let methods: [String]
    /// The description on the index page.
    let about: String
    /// Whether its requests are ad requests, which `/sandbox/requests` lists.
    var isAdRequest = false
    /// The kind of billable call; nil when its calls are not billable.
    var billed: BillableCall?
    let respond: @Sendable (ServerRequest, inout SandboxState) -> ServerResponse

    /// Every endpoint.
    static let all: [Endpoint] =
        [index] + YabbiEndpoint.all + OpenRTBEndpoint.all + BidderEndpoints.all + AttentionMarketEndpoint.all
        + CeedAdsEndpoint.all
        + ActiveAdsEndpoint.all + SmarticoEndpoint.all + SmarticoPublicEndpoint.all + VASTEndpoints.all
        + TrackerEndpoints.all + CreativeEndpoints.all
        + ControlEndpoints.all

    /// The endpoint for a path.
    static func serving(_ path: String) -> Endpoint? {
        self.all.first { endpoint in
            switch endpoint.path {
            case .exact(let exact): path == exact
            case .prefix(let prefix): path.isPath(below: prefix)
            }
        }
    }

    /// Whether a path is a control endpoint: it is not recorded and has no faults.
    static func isControl(_ path: String) -> Bool { path == "/sandbox" || path.isPath(below: "/sandbox/") }

    /// Whether a method is allowed.
    func allows(_ method: String) -> Bool {
        self.methods.isEmpty || self.methods.contains(method == "HEAD" ? "GET" : method)
    }
}
