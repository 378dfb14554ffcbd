import SandboxSSP

@testable import YabbiPlay

extension Sandbox {
    /// A server of a test's own that has the bundled creatives.
    static func bundled() throws -> Sandbox {
        var configuration = Configuration()
        configuration.catalogue = try CreativesFolder.catalogue(nil)
        return try start(configuration)
    }
}
