import AdCore
import SystemLock

/// Fetches the films of one stage, and holds their bytes until they are dropped.
final class MediaShelf: Sendable {
    private struct State {
        var films: [Int: [UInt8]] = [:]
        var fetching: [Int: Task<Void, Never>] = [:]
        var isOver = false
    }

    private let transport: any Transport
    private let neighbours: Set<String>
    private let isClosed: Bool
    private let state = Locked(State())

    init(_ transport: any Transport, neighbours: Set<String>, isClosed: Bool) {
        self.transport = transport
        self.neighbours = neighbours
        self.isClosed = isClosed
    }

    /// Fetches a film, and says how that went, unless it was dropped meanwhile.
    func fetch(_ order: MediaOrder, answer: @escaping @Sendable (Result<FetchedMedia, MediaFault>) -> Void) {
        self.state.withLock { state in
            guard !state.isOver else { return }
            state.fetching[order.number] = Task { [weak self, transport, neighbours, isClosed] in
                let fetch = MediaFetch(order.file, neighbours: neighbours, isClosed: isClosed)
                let result = await MediaShelf.result(of: fetch, over: transport)
                guard let self, let outcome = self.keep(result, order.number) else { return }
                answer(outcome)
            }
        }
    }

    /// Some bytes of a film; nil where it is not held.
    func bytes(_ range: Range<Int>, of number: Int) -> [UInt8]? {
        self.state.withLock { state in
            guard let film = state.films[number], range.upperBound <= film.count else { return nil }
            return Array(film[range])
        }
    }

    /// Frees a film, or stops fetching it.
    func drop(_ number: Int) {
        let task = self.state.withLock { state in
            state.films[number] = nil
            return state.fetching.removeValue(forKey: number)
        }
        task?.cancel()
    }

    /// Frees everything, for good.
    func clear() {
        let tasks = self.state.withLock { state in
            state.isOver = true
            defer { (state.films, state.fetching) = ([:], [:]) }
            return state.fetching.values
        }
        for task in tasks { task.cancel() }
    }

    /// How many bytes are held.
    var size: Int { self.state.withLock { $0.films.values.reduce(0) { $0 + $1.count } } }

    /// Keeps what came; nil where nobody waits for it any more.
    private func keep(
        _ result: Result<([UInt8], FetchedMedia), MediaFault>,
        _ number: Int
    ) -> Result<FetchedMedia, MediaFault>? {
        self.state.withLock { state in
            guard state.fetching.removeValue(forKey: number) != nil else { return nil }
            switch result {
            case .success(let (bytes, media)):
                state.films[number] = bytes
                return .success(media)
            case .failure(let fault): return .failure(fault)
            }
        }
    }

    private static func result(
        of fetch: MediaFetch,
        over transport: any Transport
    ) async -> Result<([UInt8], FetchedMedia), MediaFault> {
        var fetch = fetch
        let start = ContinuousClock.now
        var step = fetch.ask()
        while true {
            switch step {
            case .done(let bytes, let media): return .success((bytes, media))
            case .fail(let fault): return .failure(fault)
            case .ask(let request):
                do throws(TransportError) {
                    let answer = try await transport.send(request)
                    step = fetch.answered(answer, after: .now - start)
                } catch {
                    step = fetch.failed(error)
                }
            }
        }
    }
}
