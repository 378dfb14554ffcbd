import AdCore
import CLibcurl
import LibC

/// The trusted certificate authorities.
///
/// libcurl caches a parsed bundle for all connections only if it comes from a single file, so a folder of certificates
/// is used only if there is no bundle.
struct TrustStore: Sendable {
    /// The system's bundle followed by the configured file; nil if only the system's is used.
    let authorities: [UInt8]?
    /// Whether the system's authorities are in one readable file.
    private let hasBundle: Bool
    /// Whether libcurl reads authorities from files; some builds use the system's API.
    private let usesFiles: Bool

    /// The maximum size of a list of authorities, in bytes.
    private static let maxBytes = 16 << 20

    init(adding file: String?) throws(AdSetupError) {
        if let error = yabbi_curl_error() {
            throw AdSetupError(
                description: """
                    libcurl can't be loaded: \(String(cString: error)); install it \
                    (on Debian the package libcurl4t64, or libcurl4 before Debian 13).
                    """
            )
        }
        guard TrustStore.hasLibrary else {
            throw AdSetupError(
                description: "libcurl can't be initialized, or was built without TLS; install one with TLS."
            )
        }
        let version = yabbi_curl_version()?.pointee
        let bundle = version?.cainfo.map { String(cString: $0) }
        let hasBundle = bundle.map { access($0, R_OK) == 0 } ?? false
        self.hasBundle = hasBundle
        self.usesFiles = version?.cainfo != nil || version?.capath != nil
        guard let file else {
            self.authorities = nil
            return
        }
        var authorities: [UInt8] = []
        if hasBundle, let bundle { authorities = try TrustStore.content(of: bundle) + [UInt8(ascii: "\n")] }
        let own = try TrustStore.content(of: file)
        guard String(decoding: own, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw AdSetupError(
                description: "'\(file)' has no certificate in PEM format; name a file that has one."
            )
        }
        self.authorities = authorities + own
    }

    /// libcurl's global initialization, once per process; false if it failed or TLS is missing.
    private static let hasLibrary: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let version = yabbi_curl_version()
        else { return false }
        return version.pointee.features & CURL_VERSION_SSL != 0
    }()

    /// A copy of the authorities that the caller must deallocate; nil if only the system's are used.
    func copy() -> UnsafeMutableBufferPointer<UInt8>? {
        self.authorities.map { bytes in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
    }

    /// Sets the authorities of a handle.
    ///
    /// `authorities` is a copy made by `copy()`, which must outlive the handle.
    func apply(to easy: EasyHandle, authorities: UnsafeMutableBufferPointer<UInt8>?) {
        if let authorities {
            easy.set(CURLOPT_CAINFO_BLOB, blob: authorities)
        } else if self.usesFiles, !self.hasBundle {
            easy.set(CURLOPT_CAINFO, nil)
        }
        if self.hasBundle { easy.set(CURLOPT_CAPATH, nil) }
    }

    private static func content(of path: String) throws(AdSetupError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw self.unreadable(path) }
        defer { close(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while content.count <= self.maxBytes {
            let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            guard count > 0 else { throw self.unreadable(path) }
            content += buffer[..<count]
        }
        throw AdSetupError(
            description:
                "'\(path)' is larger than \(self.maxBytes) bytes, too large for a list of certificate authorities."
        )
    }

    private static func unreadable(_ path: String) -> AdSetupError {
        let reason = String(cString: strerror(errno))
        return AdSetupError(
            description: "The certificate authorities in '\(path)' can't be read: \(reason). Name a readable PEM file."
        )
    }
}
