import AdCore

/// A film that is to be had, under a number that no other of its stage has.
struct MediaOrder: Hashable, Sendable {
    let number: Int
    let file: MediaFile
}

/// A film that is there.
struct FetchedMedia: Hashable, Sendable {
    /// How long it is, in bytes.
    let size: Int
    /// The status with which it came.
    let status: Int
}

/// Why a film can't be played, with VAST's code for it.
struct MediaFault: Error, Hashable, Sendable {
    let code: Int
    let message: String
}

/// Asks for one film, one answer after the other: each address on the way is judged before it is asked.
struct MediaFetch: Sendable {
    /// What is to be done.
    enum Step: Equatable, Sendable {
        case ask(HTTPRequest)
        case done([UInt8], FetchedMedia)
        case fail(MediaFault)
    }

    /// So long a file may take with all its redirects; what takes longer would not come in time while it plays.
    static let patience = Duration.seconds(8)
    /// What is larger is no film for an ad, and would be held in memory.
    static let largest = 200 << 20
    private static let mostRedirects = 5

    private let neighbours: Set<String>
    private let isClosed: Bool
    private var redirects = 0
    private var url: HTTPURL

    /// Servers of this machine that may be asked are `neighbours`; where the world is closed, nobody else is.
    init(_ file: MediaFile, neighbours: Set<String>, isClosed: Bool) {
        self.url = file.url
        self.neighbours = neighbours
        self.isClosed = isClosed
    }

    private var address: String { Redaction.address(self.url.text.excerpt(500)) }
    /// What would have it asked all the same.
    private var cure: String {
        "yabbi-play allows it by --neighbour \(self.url.origin), an app by `neighbours` of its ChromiumPresenter"
    }

    /// Asks where it is now, when so much time was spent on the way there.
    func ask(after spent: Duration = .zero) -> Step {
        let isAllowed = self.neighbours.contains(self.url.origin)
        if !isAllowed {
            if RequestRules.isNear(self.url.host) {
                let text = "\(self.address) is on the local network, which is not asked; \(self.cure)"
                return .fail(MediaFault(code: 401, message: text))
            }
            if self.isClosed {
                return .fail(MediaFault(code: 401, message: "\(self.address) is not asked: the network is closed"))
            }
        }
        guard spent < MediaFetch.patience else { return .fail(MediaFetch.late(self.address)) }
        let left = MediaFetch.patience - spent
        var request = HTTPRequest(.get, self.url)
        request.limits = .init(
            connecting: min(.seconds(5), left),
            total: left,
            body: MediaFetch.largest,
            redirects: 0
        )
        // A name tells nothing of where it leads.
        request.reach = isAllowed ? .anywhere : .publicOnly
        return .ask(request)
    }

    /// An answer came, when so much time was spent since the first question.
    mutating func answered(_ response: HTTPResponse, after spent: Duration = .zero) -> Step {
        switch response.status {
        case 200 where response.body.isEmpty:
            return .fail(MediaFault(code: 405, message: "\(self.address) is empty"))
        case 200: return .done(response.body, FetchedMedia(size: response.body.count, status: 200))
        case 301, 302, 303, 307, 308:
            guard let reference = response.headers["Location"], let next = try? self.url.resolving(reference) else {
                return .fail(MediaFault(code: 400, message: "\(self.address) points nowhere"))
            }
            self.redirects += 1
            guard self.redirects <= MediaFetch.mostRedirects else {
                return .fail(MediaFault(code: 400, message: "\(self.address) is the end of too many redirects"))
            }
            self.url = next
            return self.ask(after: spent)
        default: return .fail(MediaFetch.fault(status: response.status, self.address))
        }
    }

    /// None came.
    func failed(_ error: TransportError) -> Step {
        switch error.phase {
        case .notSent(.connectTimedOut), .ambiguous(.timedOut): return .fail(MediaFetch.late(self.address))
        case .tooLarge:
            let text = "\(self.address) is larger than \(MediaFetch.largest >> 20) MB"
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
    /// A film that we fetched.
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
