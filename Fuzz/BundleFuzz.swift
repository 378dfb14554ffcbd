import AdBundle
import AdCore

/// The fuzzer's entry point: a zip file of an HTML5 ad.
///
/// Any bytes are a bundle within the limits or an error, and no path leads out of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var limits = BundleLimits()
    limits.total = 1 << 20
    limits.entries = 100
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let bundle: AdBundle
    do throws(BundleError) {
        bundle = try AdBundle(zip: bytes, called: "ad.zip", within: limits)
    } catch {
        precondition(error.description.utf8.count < 10_000, "an error of \(error.description.utf8.count) bytes")
        return 0
    }
    precondition(bundle.totalBytes <= limits.total)
    precondition(bundle.totalBytes == bundle.files.values.reduce(0) { $0 + $1.bytes.count })
    precondition(bundle.issues.count <= limits.issues + 1)
    for path in bundle.files.keys {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        precondition(!parts.contains { ["", ".", ".."].contains($0) }, "\(path) is no path of a bundle")
        precondition(!path.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\\") }, "\(path) is no name")
        let request = "/" + parts.map { PercentEncoding.component(String($0)) }.joined(separator: "/")
        precondition(bundle.file(at: request) != nil, "\(path) is not found at \(request)")
    }
    precondition(bundle.files[bundle.indexPath] != nil)
    return 0
}
