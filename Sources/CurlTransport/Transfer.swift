import AdCore
import CLibcurl
import LibC

/// One request on its way through a libcurl handle.
///
/// libcurl knows it by its address while it runs; whoever runs it keeps it alive until it is taken from libcurl.
final class Transfer {
    let job: Job
    let easy: EasyHandle

    /// What libcurl reads while it sends: it keeps no copies of its own.
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var payload: UnsafeMutableBufferPointer<UInt8>?

    private var head = ResponseHead()
    private var body: [UInt8] = []
    /// Why the answer is not read on.
    private var overrun: Failure.Cause?
    /// An address that was not called because it is near.
    private var nearPeer: PeerAddress?
    private var publicToo: Set<PeerAddress> = []
    /// Whether any address was called.
    private var hasDialled = false

    init(_ job: Job, on easy: EasyHandle) {
        self.job = job
        self.easy = easy
    }

    deinit {
        curl_slist_free_all(self.lines)
        self.payload?.deallocate()
    }

    /// The transfer that a libcurl handle works for.
    static func on(_ handle: UnsafeMutableRawPointer) -> Transfer? {
        var pointer: UnsafeMutableRawPointer?
        yabbi_easy_get_pointer(handle, CURLINFO_PRIVATE, &pointer)
        return pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Tells the handle everything about the request; false where libcurl does not take it.
    func prepare(_ configuration: CurlTransport.Configuration, now: ContinuousClock.Instant) -> Bool {
        let request = self.job.request
        self.easy.apply(request, timeLeft: self.job.deadline - now, configuration)

        if let body = RequestForm.body(of: request) {
            let payload = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, body.count))
            _ = payload.initialize(from: body)
            self.payload = payload
            self.easy.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            self.easy.set(CURLOPT_POSTFIELDS, pointer: payload.baseAddress)
            if request.method != .post { self.easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        }
        for line in RequestForm.lines(of: request) {
            guard let lines = curl_slist_append(self.lines, line) else { return false }
            self.lines = lines
        }
        self.easy.set(CURLOPT_HTTPHEADER, pointer: self.lines)

        let context = Unmanaged.passUnretained(self).toOpaque()
        self.easy.set(CURLOPT_PRIVATE, pointer: context)
        self.easy.set(CURLOPT_WRITEDATA, pointer: context)
        self.easy.set(CURLOPT_HEADERDATA, pointer: context)
        self.easy.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.deliver(bytes, size * count, to: context) { $0.receive($1) }
        }
        self.easy.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.deliver(bytes, size * count, to: context) { $0.receiveLine($1) }
        }
        if request.reach == .publicOnly {
            self.publicToo = configuration.publicToo
            self.easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
            self.easy.set { context, _, peer in Transfer.dial(peer, for: context) }
        }
        return self.easy.refusal == nil
    }

    // MARK: While it connects

    /// Gives libcurl a socket for an address, or none where the request must not go there; then it tries the next one.
    private static func dial(
        _ peer: UnsafeMutablePointer<curl_sockaddr>?,
        for context: UnsafeMutableRawPointer?
    ) -> curl_socket_t {
        guard let peer, let context else { return -1 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(yabbi_peer_bytes(peer, &bytes))
        guard let address = PeerAddress(Array(bytes.prefix(count))) else { return -1 }
        guard address.isPublic || transfer.publicToo.contains(address) else {
            transfer.nearPeer = address
            return -1
        }
        transfer.hasDialled = true
        let file = socket(peer.pointee.family, peer.pointee.socktype, peer.pointee.protocol)
        if file >= 0 { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        return file
    }

    // MARK: While it runs

    /// Hands bytes on; libcurl ends the transfer where another count comes back than it gave.
    private static func deliver(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ count: Int,
        to context: UnsafeMutableRawPointer?,
        _ receive: (Transfer, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard count > 0 else { return 0 }
        guard let bytes, let context else { return -1 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return receive(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
    }

    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard self.head.take(line) else {
            self.overrun = .headTooLarge
            return false
        }
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bound = max(0, self.job.request.limits.body)
        let room = bound - self.body.count
        guard bytes.count <= room else {
            if self.job.request.limits.excess == .refuse {
                self.overrun = .bodyTooLarge
            } else {
                self.body.append(contentsOf: bytes.prefix(room))
            }
            return false
        }
        if self.body.isEmpty {
            // Room for what is announced, but no more than a liar may cost.
            let announced = self.easy.size(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            self.body.reserveCapacity(min(max(bytes.count, announced), bound, 256 << 10))
        }
        self.body.append(contentsOf: bytes)
        return true
    }

    // MARK: After

    /// Why a transfer that is not waited for any longer failed.
    ///
    /// Call it before the handle is reset.
    func failure(_ cause: Failure.Cause) -> Failure {
        var failure = Failure(cause: self.overrun ?? cause)
        failure.wasSent = self.easy.number(CURLINFO_REQUEST_SIZE) > 0
        failure.wasAnswered = self.easy.number(CURLINFO_RESPONSE_CODE) > 0
        failure.isOverdue = ContinuousClock.now >= self.job.deadline
        // Where a name leads both near and far, it is the far one that could not be reached.
        failure.nearPeer = self.hasDialled ? nil : self.nearPeer
        failure.systemError = self.easy.number(CURLINFO_OS_ERRNO)
        if case .code(let code) = failure.cause {
            let detail = self.easy.detail
            failure.detail = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        }
        return failure
    }

    /// Whether the answer is one although its body is not whole: nobody wants to read it.
    private var isEnough: Bool {
        self.job.request.limits.excess == .discard && self.overrun == nil && self.head.isComplete
            && self.easy.number(CURLINFO_RESPONSE_CODE) >= 200
    }

    /// Answers the task that waits.
    ///
    /// Call it once, before the handle is reset.
    func end(_ code: CURLcode) {
        // libcurl takes a connection that closes within the header for the end of one.
        let code = code == CURLE_OK && !self.head.isComplete ? CURLE_PARTIAL_FILE : code
        guard (code == CURLE_OK && self.overrun == nil) || self.isEnough else {
            return self.job.fail(self.failure(.code(code)))
        }
        let answer = AdHTTPResponse(
            status: self.easy.number(CURLINFO_RESPONSE_CODE),
            headers: self.head.headers,
            body: self.body,
            url: self.job.request.url
        )
        self.job.continuation.resume(returning: .success(answer))
    }
}
