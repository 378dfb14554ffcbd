/// One address that the sandbox serves: where it is, how it may be asked, and what it answers.
///
/// A group of endpoints is a file of its own beside this one; it is added to `all`, and to nothing else.
struct Endpoint: Sendable {
    /// Which paths it serves.
    enum Place: Hashable, Sendable {
        /// One path.
        case at(String)
        /// Every path that begins like this.
        case below(String)
    }

    let place: Place
    /// Methods that are taken; empty: all of them.
    ///
    /// `HEAD` is taken where `GET` is.
    let methods: [String]
    /// What it is, in a line for the index page.
    let about: String
    /// Whether it asks for ads: such requests are listed by `/sandbox/requests`.
    var isAdRequest = false
    /// How its calls stand on the bill; nil where they cost nothing.
    var billed: BilledCall?
    let answer: @Sendable (SandboxRequest, inout SandboxState) -> SandboxReply

    /// Every endpoint.
    static let all: [Endpoint] =
        [index] + YabbiEndpoint.all + OpenRTBEndpoint.all + AttentionMarketEndpoint.all + CeedAdsEndpoint.all
        + ActiveAdsEndpoint.all + SmarticoEndpoint.all + SmarticoPublicEndpoint.all + VASTEndpoints.all
        + TrackerEndpoints.all + CreativeEndpoints.all
        + ControlEndpoints.all

    /// The endpoint for a path.
    static func serving(_ path: String) -> Endpoint? {
        self.all.first { endpoint in
            switch endpoint.place {
            case .at(let place): path == place
            case .below(let prefix): path.isPath(below: prefix)
            }
        }
    }

    /// Whether a path belongs to the control of the sandbox itself: it leaves no hit and meets no fault.
    static func isControl(_ path: String) -> Bool { path == "/sandbox" || path.isPath(below: "/sandbox/") }

    /// Whether it takes a method.
    func takes(_ method: String) -> Bool {
        self.methods.isEmpty || self.methods.contains(method == "HEAD" ? "GET" : method)
    }
}
