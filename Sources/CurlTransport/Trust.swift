import AdCore
import CLibcurl
import LibC

/// Which certificate authorities are believed.
///
/// libcurl keeps a parsed bundle for all connections only where it comes from one file alone, so a folder of
/// certificates is named only where there is no bundle.
struct Trust: Sendable {
    /// The bundle and the file of the configuration, one behind the other; nil where the system's own is enough.
    let authorities: [UInt8]?
    /// Whether the system has its authorities in one file.
    private let hasBundle: Bool
    /// Whether libcurl knows files at all; some builds ask the system itself.
    private let usesFiles: Bool

    /// More than this is no list of authorities.
    private static let largest = 16 << 20

    init(adding file: String?) throws(AdSetupError) {
        guard Trust.hasLibrary else {
            throw AdSetupError(
                description: "libcurl does not start, or was built without TLS; install one that was built with it."
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
        if hasBundle, let bundle { authorities = try Trust.content(of: bundle) + [UInt8(ascii: "\n")] }
        let own = try Trust.content(of: file)
        guard String(decoding: own, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw AdSetupError(
                description: "'\(file)' holds no certificate in PEM form; name one that does."
            )
        }
        self.authorities = authorities + own
    }

    /// libcurl's own setup, once in the life of the process.
    private static let hasLibrary: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let version = yabbi_curl_version()
        else { return false }
        return version.pointee.features & CURL_VERSION_SSL != 0
    }()

    /// The authorities at an address of their own, where there are any; whoever asks lets go of it.
    func copy() -> UnsafeMutableBufferPointer<UInt8>? {
        self.authorities.map { bytes in
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
            _ = copy.initialize(from: bytes)
            return copy
        }
    }

    /// Tells a handle.
    ///
    /// `authorities` are those of this value, at an address that outlives the handle.
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
        while content.count <= self.largest {
            let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            guard count > 0 else { throw self.unreadable(path) }
            content += buffer[..<count]
        }
        throw AdSetupError(
            description: "'\(path)' is larger than \(self.largest) bytes; that is no list of certificate authorities."
        )
    }

    private static func unreadable(_ path: String) -> AdSetupError {
        let reason = String(cString: strerror(errno))
        return AdSetupError(
            description: "The certificate authorities in '\(path)' can't be read: \(reason). Name a readable PEM file."
        )
    }
}
