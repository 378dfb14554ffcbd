import AdCore
import PlayConsole
import SandboxSSP

/// The server of all providers inside the process, and the creatives that it serves.
struct BuiltInServer: Sendable {
    let sandbox: Sandbox
    let catalogue: CreativeCatalogue
    /// HTML of the user's that is among the creatives.
    let document: SourceDocument?
    /// What to do where no creatives are found.
    private let folder: String?

    /// Starts it with the creatives of a folder, and with HTML of the user's.
    init(creatives: String?, adding document: SourceDocument? = nil, seed: UInt64?) throws(PlayError) {
        self.catalogue = try BuiltInServer.catalogue(creatives, adding: document)
        self.document = document
        self.folder = CreativesFolder.chosen(creatives)
        var configuration = Sandbox.Configuration()
        configuration.catalogue = self.catalogue
        if let seed { configuration.seed = seed }
        // A ledger that outlives the run must not take another run's cards for this one's.
        configuration.run = String(configuration.seed % 0x1_0000_0000, radix: 16) + "x"
        do throws(SandboxError) {
            self.sandbox = try Sandbox.start(configuration)
        } catch {
            throw PlayError(.loadFailed, error.message)
        }
    }

    static func catalogue(
        _ folder: String?,
        adding document: SourceDocument? = nil
    ) throws(PlayError) -> CreativeCatalogue {
        do throws(SandboxError) {
            let bundled = try CreativesFolder.catalogue(folder)
            guard case .markup(let entry)? = document?.content else { return bundled }
            let others = bundled.creatives.filter { $0.name != entry.name }
            return try CreativeCatalogue(others + [entry], files: bundled.files)
        } catch {
            throw PlayError(.usage, error.message)
        }
    }

    /// A creative by the name of its unit.
    func creative(_ unit: String) -> CreativeEntry? { self.catalogue.creatives.first { $0.name == unit } }

    /// The unit of the user's HTML.
    var documentUnit: String? {
        if case .markup(let entry)? = self.document?.content { entry.name } else { nil }
    }

    /// Which creatives it has, in words.
    var known: String {
        let names = self.catalogue.creatives.filter { !$0.tags.contains(.fault) }.map(\.name).joined(separator: ", ")
        guard names.isEmpty else {
            return "the built-in server has \(names), and the special units of yabbi-play help providers"
        }
        let cure = "run this inside the project, or give --creatives DIR"
        return self.folder.map { "\($0) holds no creatives; \(cure)" } ?? "no Creatives folder was found; \(cure)"
    }

    /// The message for a failed load; nil where the failure speaks for itself.
    ///
    /// For a unit that does not exist the server answers with status 404, in words that are for programs.
    func explanation(of error: AdError, unit: String) -> String? {
        guard self.creative(unit) == nil, error.code == .serverStatus, error.message.contains("status 404") else {
            return nil
        }
        let nearest = Suggestion.nearest(to: unit, among: self.catalogue.creatives.map(\.name))
        let hint = nearest.map { "did you mean \($0)? " } ?? ""
        return "there is no unit \u{201C}\(Style.printable(unit))\u{201D}; \(hint)\(self.known)"
    }
}
