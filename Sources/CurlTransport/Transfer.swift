import AdCore
import CLibcurl
import LibC

/// One request in progress on a libcurl handle.
///
/// libcurl keeps an unretained pointer to it; the loop retains it until it is removed from libcurl.
final class Transfer {
    let job: Job
    let easy: EasyHandle

    /// The header list and body that libcurl reads while sending; it makes no copies.
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var payload: UnsafeMutableBufferPointer<UInt8>?

    private var head = ResponseHead()
    private var body: [UInt8] = []
    /// The exceeded limit that ended reading.
    private var exceededLimit: TransferFailure.Cause?
    /// A private address that was refused.
    private var privatePeer: IPAddress?
    private var additionalPublicAddresses: Set<IPAddress> = []
    /// Whether a socket was opened for any address.
    private var hasOpenedSocket = false

    init(_ job: Job, on easy: EasyHandle) {
        self.job = job
        self.easy = easy
    }

    deinit {
        curl_slist_free_all(self.lines)
        self.payload?.deallocate()
    }

    /// The transfer of a libcurl handle.
    static func on(_ handle: UnsafeMutableRawPointer) -> Transfer? {
        var pointer: UnsafeMutableRawPointer?
        yabbi_easy_get_pointer(handle, CURLINFO_PRIVATE, &pointer)
        return pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets all options of the request on the handle; false if libcurl rejects one.
    func prepare(_ configuration: CurlTransport.Configuration, now: ContinuousClock.Instant) -> Bool {
        let request = self.job.request
        self.easy.apply(request, timeLeft: self.job.deadline - now, configuration)

        if let body = request.sentBody {
            let payload = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, body.count))
            _ = payload.initialize(from: body)
            self.payload = payload
            self.easy.set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
            self.easy.set(CURLOPT_POSTFIELDS, pointer: payload.baseAddress)
            if request.method != .post { self.easy.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue) }
        }
        for line in CurlOptions.lines(of: request) {
            guard let lines = curl_slist_append(self.lines, line) else { return false }
            self.lines = lines
        }
        self.easy.set(CURLOPT_HTTPHEADER, pointer: self.lines)

        let context = Unmanaged.passUnretained(self).toOpaque()
        self.easy.set(CURLOPT_PRIVATE, pointer: context)
        self.easy.set(CURLOPT_WRITEDATA, pointer: context)
        self.easy.set(CURLOPT_HEADERDATA, pointer: context)
        self.easy.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.forward(bytes, size * count, to: context) { $0.receive($1) }
        }
        self.easy.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.forward(bytes, size * count, to: context) { $0.receiveLine($1) }
        }
        if request.reach == .publicOnly {
            self.additionalPublicAddresses = configuration.additionalPublicAddresses
            self.easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
            self.easy.set { context, _, peer in Transfer.openSocket(peer, for: context) }
        }
        return self.easy.optionError == nil
    }

    // MARK: Connecting

    /// Opens a socket for libcurl; none if the request may not connect to the address, and libcurl tries the next one.
    private static func openSocket(
        _ peer: UnsafeMutablePointer<curl_sockaddr>?,
        for context: UnsafeMutableRawPointer?
    ) -> curl_socket_t {
        guard let peer, let context else { return -1 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(yabbi_peer_bytes(peer, &bytes))
        guard let address = IPAddress(Array(bytes.prefix(count))) else { return -1 }
        guard address.isPublic || transfer.additionalPublicAddresses.contains(address) else {
            transfer.privatePeer = address
            return -1
        }
        transfer.hasOpenedSocket = true
        let file = socket(peer.pointee.family, peer.pointee.socktype, peer.pointee.protocol)
        if file >= 0 { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        return file
    }

    // MARK: Receiving

    /// Forwards received bytes; returning another count than libcurl passed ends the transfer.
    private static func forward(
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
        guard self.head.append(line) else {
            self.exceededLimit = .headTooLarge
            return false
        }
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bound = max(0, self.job.request.limits.body)
        let room = bound - self.body.count
        guard bytes.count <= room else {
            if self.job.request.limits.excess == .refuse {
                self.exceededLimit = .bodyTooLarge
            } else {
                self.body.append(contentsOf: bytes.prefix(room))
            }
            return false
        }
        if self.body.isEmpty {
            // Reserve the announced size, at most 256 KiB: a server can announce anything.
            let announced = self.easy.size(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            self.body.reserveCapacity(min(max(bytes.count, announced), bound, 256 << 10))
        }
        self.body.append(contentsOf: bytes)
        return true
    }

    // MARK: Completion

    /// Describes a failure.
    ///
    /// Must be called before the handle is reset.
    func failure(_ cause: TransferFailure.Cause) -> TransferFailure {
        var failure = TransferFailure(cause: self.exceededLimit ?? cause)
        failure.wasSent = self.easy.number(CURLINFO_REQUEST_SIZE) > 0
        failure.hasStatus = self.easy.number(CURLINFO_RESPONSE_CODE) > 0
        failure.isOverdue = ContinuousClock.now >= self.job.deadline
        // If a name has private and public addresses, the failure is that of the public one.
        failure.privatePeer = self.hasOpenedSocket ? nil : self.privatePeer
        failure.systemError = self.easy.number(CURLINFO_OS_ERRNO)
        if case .code(let code) = failure.cause {
            let detail = self.easy.detail
            failure.detail = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        }
        return failure
    }

    /// Whether an incomplete body doesn't matter: the caller only needs the header.
    private var isHeadSufficient: Bool {
        self.job.request.limits.excess == .discard && self.exceededLimit == nil && self.head.isComplete
            && self.easy.number(CURLINFO_RESPONSE_CODE) >= 200
    }

    /// Resumes the task with the response or the failure.
    ///
    /// Must be called once, before the handle is reset.
    func complete(_ code: CURLcode) {
        // libcurl reports success for a connection that closes within the header (RFC 9112 §8: incomplete).
        let code = code == CURLE_OK && !self.head.isComplete ? CURLE_PARTIAL_FILE : code
        guard (code == CURLE_OK && self.exceededLimit == nil) || self.isHeadSufficient else {
            return self.job.fail(self.failure(.code(code)))
        }
        let response = AdHTTPResponse(
            status: self.easy.number(CURLINFO_RESPONSE_CODE),
            headers: self.head.headers,
            body: self.body,
            url: self.job.request.url
        )
        self.job.continuation.resume(returning: .success(response))
    }
}
