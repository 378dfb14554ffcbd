/// Follows redirects (RFC 9110 §15.4), for transports.
///
/// Each hop is sent once. A `counted` POST with a 307 or 308 response is sent to the new URL unchanged: the first
/// server handed it over instead of counting it. After the first response nothing is sent again: a failure of a later
/// hop is reported as ambiguous.
package struct RedirectChain {
    /// The request to send next.
    package private(set) var request: AdHTTPRequest
    /// The number of redirects that were followed.
    package var followed: Int { self.hops.count }
    /// The redirects that were followed.
    package private(set) var hops: [RequestHop] = []
    private var visited: Set<Step> = []

    private struct Step: Hashable {
        let method: AdHTTPRequest.Method
        let url: HTTPURL
    }

    /// Header fields with credentials: they are removed on a redirect to another origin.
    private static let credentials: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "apikey", "api-key", "x-api-key", "x-auth-token",
        "x-access-token",
    ]

    /// Header fields that describe a body: they are removed together with it.
    private static let bodyFields: Set<String> = [
        "content-type", "content-encoding", "content-language", "content-location",
    ]

    /// Begins a chain with its first request.
    package init(_ request: AdHTTPRequest) { self.request = request }

    /// Moves on to the redirect's target; false if the response is the final one.
    ///
    /// With `limits.redirects == 0` a redirect is itself the final response.
    package mutating func follow(_ response: AdHTTPResponse) throws(TransportError) -> Bool {
        guard [301, 302, 303, 307, 308].contains(response.status), self.request.limits.redirects > 0,
            let location = response.headers["Location"]
        else { return false }

        let url: HTTPURL
        do {
            url = try self.request.url.resolving(location)
        } catch {
            let shown = Redaction.address(PercentEncoding.repaired(location.utf8.prefix(200)))
            throw TransportError(
                .ambiguous(.badRedirect),
                "\(self.request.url.origin) redirects to '\(shown)', which is not an http or https URL (\(error))"
            )
        }
        guard self.followed < self.request.limits.redirects else {
            throw TransportError(
                .ambiguous(.tooManyRedirects),
                "\(self.request.url.origin) exceeds the limit of \(self.followed) redirects"
            )
        }

        self.visited.insert(Step(method: self.request.method, url: self.request.url))
        // For 301 and 302 the method change is optional (RFC 9110 §15.4.2, §15.4.3); do as browsers do.
        if self.request.method == .post, response.status < 307 {
            self.request.method = .get
            self.request.body = nil
            self.removeFields(RedirectChain.bodyFields)
        }
        // Credentials are for their own origin only (RFC 9110 §15.4).
        if url.origin != self.request.url.origin {
            self.removeFields(RedirectChain.credentials.union(self.request.secretHeaders.map(\.asciiLowercased)))
        }
        self.hops.append(RequestHop(url: self.request.url, status: response.status))
        self.request.url = url
        guard !self.visited.contains(Step(method: self.request.method, url: url)) else {
            throw TransportError(
                .ambiguous(.tooManyRedirects),
                "\(url.origin) redirects in a loop: back to a URL that was already requested"
            )
        }
        return true
    }

    /// The error of the current hop as an error of the whole chain.
    package func located(_ error: TransportError) -> TransportError {
        guard self.followed > 0 else { return error }
        let phase: TransportError.Phase =
            switch error.phase {
            case .notSent(let reason): .ambiguous(reason)
            case .cancelled: .cancelled(sent: true)
            case .ambiguous, .tooLarge: error.phase
            }
        return TransportError(phase, "\(error.message) (after \(self.followed) redirects)")
    }

    /// Sends a request and follows its redirects.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - sendHop: Sends a request to its URL, and follows no redirect.
    /// - Returns: The final response.
    /// - Throws: How far the chain came.
    package static func send(
        _ request: AdHTTPRequest,
        _ sendHop: (AdHTTPRequest) async -> Result<AdHTTPResponse, TransportError>
    ) async throws(TransportError) -> AdHTTPResponse {
        var chain = RedirectChain(request)
        while true {
            switch await sendHop(chain.request) {
            case .failure(let error): throw chain.located(error)
            case .success(var response):
                response.redirects = chain.followed
                response.hops = chain.hops
                guard try chain.follow(response) else { return response }
            }
        }
    }

    private mutating func removeFields(_ names: Set<String>) {
        var kept = AdHTTPHeaders()
        for field in self.request.headers.fields where !names.contains(field.name.asciiLowercased) {
            kept.add(field.name, field.value)
        }
        self.request.headers = kept
    }
}
