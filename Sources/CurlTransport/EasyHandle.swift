import CLibcurl

/// A libcurl easy handle, reused for one request after another.
///
/// Keeps the first option that libcurl rejected: a request whose limits could not be set must not be sent.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>
    private(set) var optionError: (option: CURLoption, code: CURLcode)?

    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        self.message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        self.reset()
    }

    deinit {
        curl_easy_cleanup(self.raw)
        self.message.deallocate()
    }

    /// Resets all options.
    ///
    /// libcurl keeps its connections, DNS cache and TLS sessions.
    func reset() {
        curl_easy_reset(self.raw)
        self.optionError = nil
        self.message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.keepError(CURLOPT_ERRORBUFFER, yabbi_easy_set_pointer(self.raw, CURLOPT_ERRORBUFFER, self.message))
    }

    /// libcurl's message for the last error.
    var detail: String { String(cString: self.message) }

    func set(_ option: CURLoption, _ value: Int) {
        self.keepError(option, yabbi_easy_set_long(self.raw, option, value))
    }

    func set(_ option: CURLoption, size: Int) {
        self.keepError(option, yabbi_easy_set_size(self.raw, option, curl_off_t(size)))
    }

    func set(_ option: CURLoption, _ value: String?) {
        self.keepError(option, yabbi_easy_set_text(self.raw, option, value))
    }

    func set(_ option: CURLoption, pointer: UnsafeMutableRawPointer?) {
        self.keepError(option, yabbi_easy_set_pointer(self.raw, option, pointer))
    }

    func set(_ option: CURLoption, callback: @escaping curl_write_callback) {
        self.keepError(option, yabbi_easy_set_callback(self.raw, option, callback))
    }

    func set(opener callback: @escaping curl_opensocket_callback) {
        self.keepError(CURLOPT_OPENSOCKETFUNCTION, yabbi_easy_set_opener(self.raw, callback))
    }

    func set(_ option: CURLoption, blob bytes: UnsafeMutableBufferPointer<UInt8>) {
        var blob = curl_blob(data: bytes.baseAddress, len: bytes.count, flags: UInt32(CURL_BLOB_NOCOPY))
        self.keepError(option, yabbi_easy_set_pointer(self.raw, option, &blob))
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        yabbi_easy_get_long(self.raw, info, &value)
        return value
    }

    func size(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        yabbi_easy_get_size(self.raw, info, &value)
        return Int(clamping: value)
    }

    private func keepError(_ option: CURLoption, _ code: CURLcode) {
        if code != CURLE_OK, self.optionError == nil { self.optionError = (option, code) }
    }
}
