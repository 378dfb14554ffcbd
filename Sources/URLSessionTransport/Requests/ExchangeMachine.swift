import AdCore

/// One request to one URL: what URLSession and the caller report goes in, and what the shell must do comes out.
///
/// A transfer that this side ends, because of a limit or a cancellation, is *stopping* until URLSession reports its end:
/// only then its metrics say how far the request came.
struct ExchangeMachine {
    /// What happens to the exchange.
    enum Input: Sendable {
        /// A connection is free for the request.
        case turn
        /// The addresses of the host; none if it is unknown.
        case resolved([IPAddress])
        /// The host name was not looked up in time.
        case lookUpOverdue
        /// URLSession can't express the request, and why.
        case unsendable(String)
        /// The header of a response was received.
        case head(ResponseStart)
        /// A part of the body was received.
        case bytes([UInt8])
        /// The metrics of the transfer, before its end.
        case measured(SendEvidence)
        /// The transfer has ended.
        case ended(TransferError?)
        /// The deadline passed.
        case overdue
        /// The task was cancelled.
        case cancelled
        /// The transport was shut down.
        case shutDown
        /// URLSession did not report the end of a cancelled transfer in time.
        case unresponsive
    }

    /// What the shell must do.
    enum Action {
        /// Look up the addresses of the host.
        case resolve
        /// Start the transfer.
        case startTransfer
        /// Cancel the transfer, and wait a moment for its end.
        case cancelTransfer
        /// Return the outcome, once, and give the connection back.
        case finish(Result<AdHTTPResponse, TransportError>)
        /// Give back a connection that became free after the end.
        case leave
    }

    private enum Phase {
        case waiting
        case resolving
        case transferring
        case stopping(Stop)
        case ended
    }

    /// The outcome of a transfer that this side ended.
    private enum Stop {
        case response
        case failure(ExchangeFailure.Cause)
    }

    private let request: AdHTTPRequest
    /// Addresses that are treated as public.
    private let allowed: Set<IPAddress>
    private var phase = Phase.waiting
    private var head: ResponseStart?
    private var body: [UInt8] = []
    private var evidence: SendEvidence?

    /// Creates the machine of a request that waits for its turn.
    init(_ request: AdHTTPRequest, allowing allowed: Set<IPAddress> = []) {
        self.request = request
        self.allowed = allowed
    }

    /// Whether the transfer runs and this side has not ended it.
    var isTransferring: Bool { if case .transferring = self.phase { true } else { false } }

    /// Handles an input and returns what to do.
    mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .turn: self.begin()
        case .resolved(let addresses): self.resolved(addresses)
        case .lookUpOverdue: if case .resolving = self.phase { self.fail(.lookUpTimedOut) } else { [] }
        case .unsendable(let why): self.fail(.unsendable(why), sent: false)
        case .head(let head): self.received(head)
        case .bytes(let bytes): self.received(bytes)
        case .measured(let evidence): self.measured(evidence)
        case .ended(let error): self.ended(error)
        case .overdue: self.overdue()
        case .cancelled: self.stop(.cancelled)
        case .shutDown: self.stop(.shutDown)
        case .unresponsive: self.ended(TransferError(kind: .cancelled, detail: ""))
        }
    }

    // MARK: Beginning

    private mutating func begin() -> [Action] {
        guard case .waiting = self.phase else { return [.leave] }
        guard self.request.reach == .publicOnly else {
            self.phase = .transferring
            return [.startTransfer]
        }
        self.phase = .resolving
        return [.resolve]
    }

    /// A request for public addresses is sent only if all addresses of its host are public: which of them URLSession
    /// connects to is not known.
    private mutating func resolved(_ addresses: [IPAddress]) -> [Action] {
        guard case .resolving = self.phase else { return [] }
        guard !addresses.isEmpty else { return self.fail(.unknownHost) }
        if let address = addresses.first(where: { !$0.isPublic && !self.allowed.contains($0) }) {
            return self.fail(.privateAddress(address.description))
        }
        self.phase = .transferring
        return [.startTransfer]
    }

    // MARK: Receiving

    private mutating func received(_ head: ResponseStart) -> [Action] {
        // An interim response is followed by another one (RFC 9110 §15.2).
        guard self.isTransferring, head.status >= 200 else { return [] }
        self.head = head
        guard !head.exceedsLimits else { return self.stop(.headTooLarge) }
        // `Content-Length` is the compressed size, which can be slightly larger than the decompressed one.
        let limit = min(max(0, self.request.limits.body), 1 << 40)
        guard self.request.limits.excess == .discard || (head.announced ?? 0) <= limit + 4096 else {
            return self.stop(.bodyTooLarge)
        }
        return []
    }

    private mutating func received(_ bytes: [UInt8]) -> [Action] {
        guard self.isTransferring else { return [] }
        let room = max(0, self.request.limits.body) - self.body.count
        guard bytes.count > room else {
            self.body += bytes
            return []
        }
        guard self.request.limits.excess == .discard else { return self.stop(.bodyTooLarge) }
        self.body += bytes.prefix(room)
        self.phase = .stopping(.response)
        return [.cancelTransfer]
    }

    private mutating func measured(_ evidence: SendEvidence) -> [Action] {
        self.evidence = evidence
        return []
    }

    // MARK: Ending

    private mutating func ended(_ error: TransferError?) -> [Action] {
        let stop: Stop
        switch self.phase {
        case .waiting, .resolving, .ended: return []
        case .stopping(let decided): stop = decided
        case .transferring:
            if self.head != nil, error == nil || self.isHeadSufficient {
                stop = .response
            } else {
                stop = .failure(error.map { .error($0) } ?? .noResponse)
            }
        }
        let wasSent = self.wasSent(unless: error)
        if self.request.reach == .publicOnly, let peer = self.evidence?.privatePeer(besides: self.allowed) {
            return self.fail(.privateAddress(peer), sent: wasSent)
        }
        switch stop {
        case .failure(let cause): return self.fail(cause, sent: wasSent)
        case .response:
            guard let head = self.head else { return self.fail(.noResponse, sent: wasSent) }
            self.phase = .ended
            let response = AdHTTPResponse(
                status: head.status,
                headers: head.headers,
                body: self.body,
                url: self.request.url
            )
            return [.finish(.success(response))]
        }
    }

    private mutating func overdue() -> [Action] {
        if case .waiting = self.phase { return self.fail(.waitedTooLong) }
        guard self.isTransferring, self.isHeadSufficient else { return self.stop(.overdue) }
        self.phase = .stopping(.response)
        return [.cancelTransfer]
    }

    /// Ends the transfer; what was not begun fails at once.
    private mutating func stop(_ cause: ExchangeFailure.Cause) -> [Action] {
        switch self.phase {
        case .waiting, .resolving: return self.fail(cause)
        case .transferring:
            self.phase = .stopping(.failure(cause))
            return [.cancelTransfer]
        case .stopping, .ended: return []
        }
    }

    private mutating func fail(_ cause: ExchangeFailure.Cause, sent: Bool = false) -> [Action] {
        if case .ended = self.phase { return [] }
        self.phase = .ended
        let failure = ExchangeFailure(cause: cause, wasSent: sent, hasHead: self.head != nil)
        return [.finish(.failure(failure.transportError(for: self.request.url)))]
    }

    /// Whether an incomplete body doesn't matter: the caller only needs the header.
    private var isHeadSufficient: Bool {
        self.request.limits.excess == .discard && self.head.map { !$0.exceedsLimits } ?? false
    }

    /// Whether bytes of the request were sent, or may have been.
    ///
    /// What is not known counts as sent: a request that is sent twice is billed twice.
    private func wasSent(unless error: TransferError?) -> Bool {
        if self.head != nil { return true }
        if let evidence = self.evidence { return evidence.wasSent }
        return !(error?.provesNothingSent ?? false)
    }
}
