package import AdCore

/// Asks for the beginning of a video, as a player would: a file that is not there can't be played.
package struct MediaProbe: Sendable {
    /// Why a file can't be played, with VAST's code for it.
    struct Fault: Error, Equatable, Sendable {
        let code: Int
        let message: String
    }

    /// A file that can be played.
    struct Found: Equatable, Sendable {
        let file: MediaFile
        let duration: Duration?
        /// What was wrong with those before it.
        var passedOver: [Fault] = []
    }

    let transport: any Transport
    let userAgent: String

    package init(transport: any Transport, userAgent: String) {
        self.transport = transport
        self.userAgent = userAgent
    }

    /// How many files of a video are asked for; each may keep its reader waiting.
    static let mostFiles = 8

    /// The first of the files that can be played, or why the first can't be.
    func first(of files: [MediaFile]) async -> Result<Found, Fault> {
        var faults: [Fault] = []
        for file in files.prefix(MediaProbe.mostFiles) where !Task.isCancelled {
            switch await self.probe(file) {
            case .success(var found):
                found.passedOver = faults
                return .success(found)
            case .failure(let fault): faults.append(fault)
            }
        }
        return .failure(faults.first ?? Fault(code: 401, message: "there is no file"))
    }

    private func probe(_ file: MediaFile) async -> Result<Found, Fault> {
        let range = "bytes=0-\(MediaHead.length - 1)"
        var request = AdHTTPRequest(.get, file.url, headers: ["User-Agent": self.userAgent, "Range": range])
        request.limits = .init(connecting: .seconds(3), total: .seconds(5), body: MediaHead.length, excess: .discard)
        do throws(TransportError) {
            return MediaProbe.judged(try await self.transport.send(request), file)
        } catch {
            return .failure(MediaProbe.judged(error, file))
        }
    }

    static func judged(_ response: AdHTTPResponse, _ file: MediaFile) -> Result<Found, Fault> {
        let address = Redaction.address(file.url.text)
        switch response.status {
        case 200, 206: break
        case 404, 410: return .failure(Fault(code: 401, message: "\(address) is not there (status \(response.status))"))
        default: return .failure(Fault(code: 400, message: "\(address) answered with status \(response.status)"))
        }
        guard let head = MediaHead(response.body), head.suits(file.type) else {
            return .failure(Fault(code: 405, message: "\(address) holds no \(file.type)"))
        }
        return .success(Found(file: file, duration: head.duration))
    }

    static func judged(_ error: TransportError, _ file: MediaFile) -> Fault {
        let address = Redaction.address(file.url.text)
        switch error.phase {
        case .notSent(.connectTimedOut), .ambiguous(.timedOut):
            return Fault(code: 402, message: "\(address) did not come in time")
        case .notSent, .ambiguous, .tooLarge, .cancelled:
            return Fault(code: 401, message: "\(address) could not be had: \(error.message)")
        }
    }
}
