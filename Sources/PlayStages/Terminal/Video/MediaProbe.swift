package import AdCore

/// Fetches the first bytes of a media file, so that a missing file fails as in a player.
package struct MediaProbe: Sendable {
    /// Why a file can't be played, with the error code (VAST 4.3 §2.3.6.3).
    struct Failure: Error, Equatable, Sendable {
        let code: Int
        let message: String
    }

    /// A playable file.
    struct Found: Equatable, Sendable {
        let file: MediaFile
        let duration: Duration?
        /// The errors of the files before it.
        var skipped: [Failure] = []
    }

    let transport: any Transport
    let userAgent: String

    package init(transport: any Transport, userAgent: String) {
        self.transport = transport
        self.userAgent = userAgent
    }

    /// The number of files that are tried.
    ///
    /// Each may take until its timeout.
    static let maxFiles = 8

    /// The first playable file, or the error of the first file.
    func first(of files: [MediaFile]) async -> Result<Found, Failure> {
        var failures: [Failure] = []
        for file in files.prefix(MediaProbe.maxFiles) where !Task.isCancelled {
            switch await self.probe(file) {
            case .success(var found):
                found.skipped = failures
                return .success(found)
            case .failure(let failure): failures.append(failure)
            }
        }
        return .failure(failures.first ?? Failure(code: 401, message: "no media file"))
    }

    private func probe(_ file: MediaFile) async -> Result<Found, Failure> {
        // A range request (RFC 9110 §14.2); servers may ignore it.
        let range = "bytes=0-\(MediaHead.length - 1)"
        var request = AdHTTPRequest(.get, file.url, headers: ["User-Agent": self.userAgent, "Range": range])
        request.purpose = .media
        request.limits = .init(connecting: .seconds(3), total: .seconds(5), body: MediaHead.length, excess: .discard)
        do throws(TransportError) {
            return MediaProbe.result(of: try await self.transport.send(request), file)
        } catch {
            return .failure(MediaProbe.failure(of: error, file))
        }
    }

    static func result(of response: AdHTTPResponse, _ file: MediaFile) -> Result<Found, Failure> {
        let address = Redaction.address(file.url.text)
        switch response.status {
        case 200, 206: break
        case 404, 410: return .failure(Failure(code: 401, message: "\(address) not found (status \(response.status))"))
        default: return .failure(Failure(code: 400, message: "\(address) responded with status \(response.status)"))
        }
        guard let head = MediaHead(response.body), head.matches(file.type) else {
            return .failure(Failure(code: 405, message: "\(address) is not \(file.type)"))
        }
        return .success(Found(file: file, duration: head.duration))
    }

    static func failure(of error: TransportError, _ file: MediaFile) -> Failure {
        let address = Redaction.address(file.url.text)
        switch error.phase {
        case .notSent(.connectTimedOut), .ambiguous(.timedOut):
            return Failure(code: 402, message: "\(address) timed out")
        case .notSent, .ambiguous, .tooLarge, .cancelled:
            return Failure(code: 401, message: "\(address) can't be fetched: \(error.message)")
        }
    }
}
