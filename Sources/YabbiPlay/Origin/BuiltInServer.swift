import AdCore
import PlayConsole
import SandboxSSP

/// The sandbox that runs inside the process, and its creatives.
struct BuiltInServer: AdOrigin {
    let sandbox: Sandbox
    let catalogue: CreativeCatalogue
    /// The user's HTML, which is one of the creatives.
    let document: SourceDocument?
    /// The folder of the creatives, for error messages.
    private let folder: String?

    /// Starts the server with the creatives of a folder, and with the user's HTML.
    init(creatives: String?, adding document: SourceDocument? = nil, seed: UInt64?) throws(PlayError) {
        self.catalogue = try BuiltInServer.catalogue(creatives, adding: document)
        self.document = document
        self.folder = CreativesFolder.chosen(creatives)
        var configuration = Sandbox.Configuration()
        configuration.catalogue = self.catalogue
        if let seed { configuration.seed = seed }
        // Distinguishes the cards of several runs that use the same ledger.
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

    /// The creative of a unit.
    func creative(_ unit: String) -> CreativeEntry? { self.catalogue.creatives.first { $0.name == unit } }

    /// The unit of the user's HTML.
    private var documentUnit: String? {
        if case .markup(let entry)? = self.document?.content { entry.name } else { nil }
    }

    // MARK: Ads

    var standInServer: String? { self.document == nil ? nil : self.sandbox.baseURL.origin }
    var servers: [HTTPURL] { [self.sandbox.url("/"), self.document?.base].compactMap(\.self) }

    func unit(_ named: String?, for command: String) throws(PlayError) -> String {
        if let unit = self.documentUnit ?? named { return unit }
        throw PlayError(.usage, "nothing to \(command); give a <source> or --unit <id>; \(self.known)")
    }

    func format(of unit: String) -> AdFormat {
        switch self.creative(unit)?.format {
        case .interstitial: .interstitial
        case .rewarded: .rewarded
        case .banner, nil: .banner
        }
    }

    func unit(of format: AdFormat) -> String? {
        self.catalogue.creatives.first { self.format(of: $0.name) == format }?.name
    }

    func endpoint(_ path: String) throws(PlayError) -> HTTPURL {
        (path.isEmpty ? nil : self.sandbox.url(path)) ?? self.sandbox.baseURL
    }

    func title(of unit: String) -> String? { self.creative(unit)?.title }

    /// The markup with a public https URL in place of this server's, so that the linter reports no loopback URLs.
    func markup(of unit: String) -> [UInt8]? {
        self.creative(unit).map { entry in
            Array(entry.markup.replacing("${SANDBOX}", with: "https://sandbox.example.com").utf8)
        }
    }

    // MARK: Errors

    /// The names of its creatives, for error messages.
    var known: String {
        let names = self.catalogue.creatives.filter { !$0.tags.contains(.fault) }.map(\.name).joined(separator: ", ")
        guard names.isEmpty else {
            return "units of the built-in server: \(names), and those of yabbi-play help providers"
        }
        let fix = "run this inside the project, or use --creatives <dir>"
        return self.folder.map { "\($0) contains no creatives; \(fix)" } ?? "no Creatives folder was found; \(fix)"
    }

    /// The message for an unknown unit, for which the server returns status 404; nil for other errors.
    func explanation(of error: AdError, unit: String) -> String? {
        guard self.creative(unit) == nil, error.code == .serverStatus, error.message.contains("status 404") else {
            return nil
        }
        let nearest = Suggestion.nearest(to: unit, among: self.catalogue.creatives.map(\.name))
        let hint = nearest.map { "did you mean \($0)? " } ?? ""
        return "unknown unit \u{201C}\(Style.printable(unit))\u{201D}; \(hint)\(self.known)"
    }
}
