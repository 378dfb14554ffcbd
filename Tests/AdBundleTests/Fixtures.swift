import AdCore

@testable import AdBundle

/// Bundles of the tests.
enum Fixtures {
    /// The bundle of a zip, or its error.
    static func read(
        _ entries: [ZipWriter.Entry],
        within limits: BundleLimits = .standard
    ) -> Result<AdBundle, BundleError> {
        self.read(ZipWriter(entries).bytes, within: limits)
    }

    /// The same of any bytes.
    static func read(_ bytes: [UInt8], within limits: BundleLimits = .standard) -> Result<AdBundle, BundleError> {
        do throws(BundleError) {
            return .success(try AdBundle(zip: bytes, called: "ad.zip", within: limits))
        } catch {
            return .failure(error)
        }
    }

    /// The limits with a change.
    static func limits(_ change: (inout BundleLimits) -> Void) -> BundleLimits {
        var limits = BundleLimits.standard
        change(&limits)
        return limits
    }

    static let index = ZipWriter.Entry("index.html", Array("<p>".utf8))
}

extension Result where Success == AdBundle, Failure == BundleError {
    /// The error's text; nil if there is a bundle.
    var message: String? {
        if case .failure(let error) = self { error.description } else { nil }
    }

    var reason: BundleError.Reason? {
        if case .failure(let error) = self { error.reason } else { nil }
    }

    /// The sorted paths of the bundle's files.
    var paths: [String] { (try? self.get())?.files.keys.sorted() ?? [] }

    /// The bundle's issues as text.
    var issues: [String] { (try? self.get())?.issues.map(\.description) ?? [] }
}
