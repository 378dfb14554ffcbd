import AdCore

/// A media file to fetch, under a number that is unique in its stage.
package struct MediaOrder: Hashable, Sendable {
    let number: Int
    let file: MediaFile
}

/// A media file that was fetched.
package struct FetchedMedia: Hashable, Sendable {
    /// Its length, in bytes.
    let size: Int
    /// The status of the response.
    let status: Int
}

/// Why a media file can't be played, with VAST's error code (VAST 4.3, "VAST Error Codes").
package struct MediaFault: Error, Hashable, Sendable {
    let code: Int
    let message: String
}

/// Fetches one media file: each redirect is judged before it is followed.
struct MediaFetch: Sendable {
    /// What is to be done.
    enum Step: Equatable, Sendable {
        case send(AdHTTPRequest)
        case done([UInt8], FetchedMedia)
        case fail(MediaFault)
    }

    /// How long a file may take with all its redirects; one that takes longer would stall while it plays.
    static let timeLimit = Duration.seconds(8)
    /// The most bytes of a media file, which is stored in memory.
    static let byteLimit = 200 << 20
    private static let redirectLimit = 5

    private let allowed: Set<String>
    private let isClosed: Bool
    private var redirects = 0
    private var url: HTTPURL

    /// `allowed` are the servers of this machine that may be called; where the network is closed, no others are.
    init(_ file: MediaFile, allowed: Set<String>, isClosed: Bool) {
        self.url = file.url
        self.allowed = allowed
        self.isClosed = isClosed
    }

    private var address: String { Redaction.address(self.url.text.excerpt(500)) }
    /// How to allow it.
    private var cure: String {
        "yabbi-play allows it by --allow-host \(self.url.origin), an app by `allowedHosts` of its ChromiumPresenter"
    }

    /// The next request, when so much time was spent on those before.
    func next(after spent: Duration = .zero) -> Step {
        let isAllowed = self.allowed.contains(self.url.origin)
        if !isAllowed {
            if RequestRules.isNear(self.url.host) {
                let text = "\(self.address) is on the local network, which is not asked; \(self.cure)"
                return .fail(MediaFault(code: 401, message: text))
            }
            if self.isClosed {
                return .fail(MediaFault(code: 401, message: "\(self.address) is not asked: the network is closed"))
            }
        }
        guard spent < MediaFetch.timeLimit else { return .fail(MediaFetch.late(self.address)) }
        let left = MediaFetch.timeLimit - spent
        var request = AdHTTPRequest(.get, self.url)
        request.limits = .init(
            connecting: min(.seconds(5), left),
            total: left,
            body: MediaFetch.byteLimit,
            redirects: 0
        )
        // The address of a name is judged by the transport.
        request.reach = isAllowed ? .anywhere : .publicOnly
        return .send(request)
    }

    /// Handles a response, when so much time was spent since the first request.
    mutating func answered(_ response: AdHTTPResponse, after spent: Duration = .zero) -> Step {
        switch response.status {
        case 200 where response.body.isEmpty:
            return .fail(MediaFault(code: 405, message: "\(self.address) is empty"))
        case 200: return .done(response.body, FetchedMedia(size: response.body.count, status: 200))
        case 301, 302, 303, 307, 308:
            guard let reference = response.headers["Location"], let next = try? self.url.resolving(reference) else {
                return .fail(MediaFault(code: 400, message: "\(self.address) points nowhere"))
            }
            self.redirects += 1
            guard self.redirects <= MediaFetch.redirectLimit else {
                return .fail(MediaFault(code: 400, message: "\(self.address) is the end of too many redirects"))
            }
            self.url = next
            return self.next(after: spent)
        default: return .fail(MediaFetch.fault(status: response.status, self.address))
        }
    }

    /// Handles a failure.
    func failed(_ error: TransportError) -> Step {
        switch error.phase {
        case .notSent(.connectTimedOut), .ambiguous(.timedOut): return .fail(MediaFetch.late(self.address))
        case .tooLarge:
            let text = "\(self.address) is larger than \(MediaFetch.byteLimit >> 20) MB"
            return .fail(MediaFault(code: 400, message: text))
        case .notSent(.privateAddress):
            let text = "\(self.address) is not asked: \(error.message); \(self.cure)"
            return .fail(MediaFault(code: 401, message: text))
        case .notSent, .ambiguous, .cancelled:
            return .fail(MediaFault(code: 401, message: "\(self.address) could not be had: \(error.message)"))
        }
    }

    /// A file that took too long.
    static func late(_ address: String) -> MediaFault {
        MediaFault(code: 402, message: "\(address) did not come in time")
    }

    /// A file in whose place there is a status.
    static func fault(status: Int, _ address: String) -> MediaFault {
        status == 404 || status == 410
            ? MediaFault(code: 401, message: "\(address) is not there (status \(status))")
            : MediaFault(code: 400, message: "\(address) answered with status \(status)")
    }
}

extension StageRequest {
    /// The request for a media file that we fetched.
    init(_ order: MediaOrder, _ result: Result<FetchedMedia, MediaFault>, from start: Duration, to end: Duration) {
        self.url = Redaction.address(order.file.url.text.excerpt(2_000))
        self.method = "GET"
        self.kind = "Media"
        self.start = start
        self.length = end - start
        switch result {
        case .success(let media):
            self.outcome = .answered(status: media.status, type: order.file.type, bytes: media.size)
        case .failure(let fault): self.outcome = .failed(fault.message)
        }
    }
}
