import AdCore

/// Which request follows an answer that points elsewhere.
///
/// Each hop is sent once. A `counted` POST that is answered with 307 or 308 is sent on to the new address as it is: the
/// server that answered has handed it over instead of counting it, and dropping it would lose it. For the same reason
/// nothing is ever sent again from the first answer on: whatever fails in a later hop is reported as ambiguous.
struct RedirectChain {
    /// The request to send next.
    private(set) var request: AdHTTPRequest
    private(set) var followed = 0
    private var visited: Set<Step> = []

    private struct Step: Hashable {
        let method: AdHTTPRequest.Method
        let url: HTTPURL
    }

    /// Header fields that name somebody: they go to the origin they were meant for and no further.
    private static let credentials: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "apikey", "api-key", "x-api-key", "x-auth-token",
        "x-access-token",
    ]

    /// Header fields that describe a body, and go where it goes.
    private static let ofBody: Set<String> = [
        "content-type", "content-encoding", "content-language", "content-location",
    ]

    init(_ request: AdHTTPRequest) { self.request = request }

    /// Moves on to where an answer points.
    ///
    /// False: the answer is the last one.
    ///
    /// With `limits.redirects == 0` the answer that points elsewhere is itself the last one.
    mutating func follow(_ answer: AdHTTPResponse) throws(TransportError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(answer.status), self.request.limits.redirects > 0,
            let location = answer.headers["Location"]
        else { return false }

        let url: HTTPURL
        do {
            url = try self.request.url.resolving(location)
        } catch {
            let shown = Redaction.address(PercentEncoding.repaired(location.utf8.prefix(200)))
            throw TransportError(
                .ambiguous(.badRedirect),
                "\(self.request.url.origin) redirects to '\(shown)', which is no http or https address (\(error))"
            )
        }
        guard self.followed < self.request.limits.redirects else {
            throw TransportError(
                .ambiguous(.tooManyRedirects),
                "\(self.request.url.origin) redirects once more after \(self.followed) redirects, the most allowed"
            )
        }

        self.visited.insert(Step(method: self.request.method, url: self.request.url))
        // RFC 9110 leaves 301 and 302 after POST to the client: as browsers do, they become GET, like 303.
        if self.request.method == .post, answer.status < 307 {
            self.request.method = .get
            self.request.body = nil
            self.drop(RedirectChain.ofBody)
        }
        if url.origin != self.request.url.origin {
            self.drop(RedirectChain.credentials.union(self.request.secretHeaders.map(\.asciiLowercased)))
        }
        self.request.url = url
        self.followed += 1
        guard !self.visited.contains(Step(method: self.request.method, url: url)) else {
            throw TransportError(
                .ambiguous(.tooManyRedirects),
                "\(url.origin) redirects in a circle: it leads back to an address that was asked already"
            )
        }
        return true
    }

    /// The failure of the current hop as a failure of the whole chain.
    func located(_ error: TransportError) -> TransportError {
        guard self.followed > 0 else { return error }
        let phase: TransportError.Phase =
            switch error.phase {
            case .notSent(let reason): .ambiguous(reason)
            case .cancelled: .cancelled(sent: true)
            case .ambiguous, .tooLarge: error.phase
            }
        return TransportError(phase, "\(error.message) (after \(self.followed) redirects)")
    }

    private mutating func drop(_ names: Set<String>) {
        var kept = AdHTTPHeaders()
        for field in self.request.headers.fields where !names.contains(field.name.asciiLowercased) {
            kept.add(field.name, field.value)
        }
        self.request.headers = kept
    }
}
