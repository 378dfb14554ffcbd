import AdCore

/// A media file to fetch, with a number that is unique in its stage.
package struct MediaDownload: Hashable, Sendable {
    let number: Int
    let file: MediaFile
}

/// The result of fetching a media file.
package struct FetchedMedia: Hashable, Sendable {
    /// The size of the file, in bytes.
    let size: Int
    /// The HTTP status of the response.
    let status: Int
    /// Its sound tracks, as far as they are known.
    var audio: [MediaAudio] = []
}

/// Why a media file can't be played, with the VAST error code (VAST 4.3 §2.3.6.3).
package struct MediaError: Error, Hashable, Sendable {
    let code: Int
    let message: String
}

/// Fetches a media file; each redirect is checked before it is followed (RFC 9110 §15.4).
struct MediaFetch: Sendable {
    /// The next step.
    enum Step: Equatable, Sendable {
        case send(AdHTTPRequest)
        case done([UInt8], FetchedMedia)
        case fail(MediaError)
    }

    /// The time limit for a file with all redirects; a slower one would stall during playback.
    static let timeLimit = Duration.seconds(8)
    /// The maximum size of a media file, which is stored in memory.
    static let byteLimit = 200 << 20
    private static let redirectLimit = 5

    private let allowed: Set<String>
    private let isClosed: Bool
    private let howToAllow: StageSettings.HowToAllow
    /// The maximum size of this file.
    private let byteLimit: Int
    private var redirects = 0
    private var url: HTTPURL

    /// `allowed` are the origins on this computer and network; if the network is closed, only they are requested.
    init(
        _ file: MediaFile,
        allowed: Set<String>,
        isClosed: Bool,
        byteLimit: Int = MediaFetch.byteLimit,
        howToAllow: @escaping StageSettings.HowToAllow = StageSettings.howToAllow
    ) {
        self.url = file.url
        self.byteLimit = byteLimit
        self.allowed = allowed
        self.isClosed = isClosed
        self.howToAllow = howToAllow
    }

    private var address: String { Redaction.address(self.url.text.excerpt(500)) }
    /// How to allow the host.
    private var allowHint: String { self.howToAllow(self.url.origin) }

    /// The next request; `spent` is the time since the first one.
    func next(after spent: Duration = .zero) -> Step {
        let isAllowed = self.allowed.contains(self.url.origin)
        if !isAllowed {
            if self.url.isPrivate {
                let text = "\(self.address) is on the local network, which is not requested; \(self.allowHint)"
                return .fail(MediaError(code: 401, message: text))
            }
            if self.isClosed {
                return .fail(MediaError(code: 401, message: "\(self.address) is not requested: the network is closed"))
            }
        }
        guard spent < MediaFetch.timeLimit else { return .fail(MediaFetch.timeoutError(self.address)) }
        let left = MediaFetch.timeLimit - spent
        var request = AdHTTPRequest(.get, self.url)
        request.purpose = .media
        request.limits = .init(
            connecting: min(.seconds(5), left),
            total: left,
            body: self.byteLimit,
            redirects: 0
        )
        // The transport checks the IP address of the host.
        request.reach = isAllowed ? .anywhere : .publicOnly
        return .send(request)
    }

    /// Handles a response; `spent` is the time since the first request.
    mutating func handle(_ response: AdHTTPResponse, after spent: Duration = .zero) -> Step {
        switch response.status {
        case 200 where response.body.isEmpty:
            return .fail(MediaError(code: 405, message: "\(self.address) is empty"))
        case 200: return .done(response.body, FetchedMedia(size: response.body.count, status: 200))
        case 301, 302, 303, 307, 308:
            guard let reference = response.headers["Location"], let next = try? self.url.resolving(reference) else {
                return .fail(MediaError(code: 400, message: "\(self.address) redirects without a valid Location"))
            }
            self.redirects += 1
            guard self.redirects <= MediaFetch.redirectLimit else {
                return .fail(MediaError(code: 400, message: "\(self.address) has too many redirects"))
            }
            self.url = next
            return self.next(after: spent)
        default: return .fail(MediaFetch.error(status: response.status, self.address))
        }
    }

    /// Handles a transport error.
    func handle(_ error: TransportError) -> Step {
        switch error.phase {
        case .notSent(.connectTimedOut), .ambiguous(.timedOut): return .fail(MediaFetch.timeoutError(self.address))
        case .tooLarge:
            let text = "\(self.address) is larger than \(self.byteLimit >> 20) MB"
            return .fail(MediaError(code: 400, message: text))
        case .notSent(.privateAddress):
            let text = "\(self.address) is not requested: \(error.message); \(self.allowHint)"
            return .fail(MediaError(code: 401, message: text))
        case .notSent, .ambiguous, .cancelled:
            return .fail(MediaError(code: 401, message: "\(self.address) could not be fetched: \(error.message)"))
        }
    }

    /// The error of a file that takes too long: 402.
    static func timeoutError(_ address: String) -> MediaError {
        MediaError(code: 402, message: "\(address) was not fetched in time")
    }

    /// The error of an HTTP status: 401 if the file does not exist, otherwise 400.
    static func error(status: Int, _ address: String) -> MediaError {
        status == 404 || status == 410
            ? MediaError(code: 401, message: "\(address) was not found (status \(status))")
            : MediaError(code: 400, message: "\(address) responded with status \(status)")
    }
}
