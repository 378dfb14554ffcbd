package import AdCore
import AdMarkup
import SystemSupport

/// Fetches the media files of one stage, and stores them in memory until they are dropped.
package final class MediaStore: Sendable {
    private struct State {
        var files: [Int: [UInt8]] = [:]
        var fetching: [Int: Task<Void, Never>] = [:]
        var isOver = false
    }

    private let transport: any Transport
    private let allowed: Set<String>
    private let isClosed: Bool
    private let howToAllow: StageSettings.HowToAllow
    private let state = Locked(State())

    package init(
        _ transport: any Transport,
        allowed: Set<String>,
        isClosed: Bool,
        howToAllow: @escaping StageSettings.HowToAllow = StageSettings.howToAllow
    ) {
        self.transport = transport
        self.allowed = allowed
        self.isClosed = isClosed
        self.howToAllow = howToAllow
    }

    /// Fetches a media file, and passes the result to a closure unless the file is dropped before.
    func fetch(_ download: MediaDownload, answer: @escaping @Sendable (Result<FetchedMedia, MediaError>) -> Void) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.fetching[download.number] = Task { [weak self, transport, allowed, isClosed, howToAllow] in
                let fetch = MediaFetch(download.file, allowed: allowed, isClosed: isClosed, howToAllow: howToAllow)
                let result = await MediaStore.result(of: fetch, over: transport)
                guard let self, let outcome = self.add(result, download.number) else { return }
                answer(outcome)
            }
        }
    }

    /// Fetches and reads a caption file, and passes the result to a closure unless the file is dropped before.
    func fetchCaptions(
        _ download: MediaDownload,
        answer: @escaping @Sendable (Result<CaptionTrack, MediaError>) -> Void
    ) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.fetching[download.number] = Task { [weak self, transport, allowed, isClosed, howToAllow] in
                let fetch = MediaFetch(
                    download.file,
                    allowed: allowed,
                    isClosed: isClosed,
                    byteLimit: CaptionTrack.byteLimit,
                    howToAllow: howToAllow
                )
                let result = await MediaStore.result(of: fetch, over: transport)
                let captions = result.flatMap { file in MediaStore.captions(in: file.0, of: download) }
                guard self?.state.withLock({ $0.fetching.removeValue(forKey: download.number) }) != nil else { return }
                answer(captions)
            }
        }
    }

    private static func captions(in bytes: [UInt8], of download: MediaDownload) -> Result<CaptionTrack, MediaError> {
        do throws(CaptionTrack.ReadError) {
            return .success(try CaptionTrack(bytes, type: download.file.type))
        } catch {
            let address = Redaction.address(download.file.url.text.excerpt(500))
            return .failure(MediaError(code: 405, message: "\(address) \(error.reason)"))
        }
    }

    /// A range of a media file's bytes; nil if the file is not stored.
    func bytes(_ range: Range<Int>, of number: Int) -> [UInt8]? {
        self.state.withLock { state in
            guard let file = state.files[number], range.upperBound <= file.count else { return nil }
            return Array(file[range])
        }
    }

    /// Removes a media file, or cancels its fetch.
    func drop(_ number: Int) {
        let task = self.state.withLock { state in
            state.files[number] = nil
            return state.fetching.removeValue(forKey: number)
        }
        task?.cancel()
    }

    /// Removes all files, and accepts no more.
    func clear() {
        let tasks = self.state.withLock { state in
            state.isOver = true
            defer { (state.files, state.fetching) = ([:], [:]) }
            return state.fetching.values
        }
        for task in tasks { task.cancel() }
    }

    /// The number of stored bytes.
    var size: Int { self.state.withLock { $0.files.values.reduce(0) { $0 + $1.count } } }

    /// Stores a fetched file; nil if it was dropped in the meantime.
    private func add(
        _ result: Result<([UInt8], FetchedMedia), MediaError>,
        _ number: Int
    ) -> Result<FetchedMedia, MediaError>? {
        let audio = (try? result.get()).map { MediaAudio.tracks(of: $0.0) } ?? []
        return self.state.withLock { state in
            guard state.fetching.removeValue(forKey: number) != nil else { return nil }
            switch result {
            case .success(let (bytes, media)):
                state.files[number] = bytes
                var media = media
                media.audio = audio
                return .success(media)
            case .failure(let error): return .failure(error)
            }
        }
    }

    private static func result(
        of fetch: MediaFetch,
        over transport: any Transport
    ) async -> Result<([UInt8], FetchedMedia), MediaError> {
        var fetch = fetch
        let start = ContinuousClock.now
        var step = fetch.next()
        while true {
            switch step {
            case .done(let bytes, let media): return .success((bytes, media))
            case .fail(let error): return .failure(error)
            case .send(let request):
                do throws(TransportError) {
                    let answer = try await transport.send(request)
                    step = fetch.handle(answer, after: .now - start)
                } catch {
                    step = fetch.handle(error)
                }
            }
        }
    }
}
