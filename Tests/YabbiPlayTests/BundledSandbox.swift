import SandboxSSP

@testable import YabbiPlay

extension Sandbox {
    /// A sandbox with the bundled creatives.
    static func bundled() throws -> Sandbox {
        var configuration = Configuration()
        configuration.catalogue = try CreativesFolder.catalogue(nil)
        return try start(configuration)
    }
}
