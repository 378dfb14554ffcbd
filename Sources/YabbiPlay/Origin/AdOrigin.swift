import AdBundle
import AdCore
import AdHTML
import AdMarkup
import AdProviders
import AdRuntime
import PlayConsole
import PlayText
import SandboxSSP
import WebStage

/// Where the ads of a run come from: one value, resolved before anything is loaded.
protocol AdOrigin: Sendable {
    /// The user's document; nil if the ads are not from one.
    var document: SourceDocument? { get }
    /// Whether trackers may be on any server.
    var namesAnyServer: Bool { get }
    /// Its servers, also those that are not on loopback.
    var servers: [HTTPURL] { get }

    /// The requested unit.
    ///
    /// Throws if the command line names none.
    func unit(_ named: String?, for command: String) throws(PlayError) -> String
    /// The format of a unit, if the command line names none.
    func format(of unit: String) -> AdFormat
    /// A unit of a format, if the command line names none; nil if none is known.
    func unit(of format: AdFormat) -> String?
    /// A loader for placements.
    func loader(for query: PlacementQuery, in run: RunContext) throws(PlayError) -> AdLoader<YabbiPlacement>
    /// The URL of a provider's API, by its path at the built-in server.
    func endpoint(_ path: String) throws(PlayError) -> HTTPURL

    /// The origin of the built-in server if it only serves the user's document, as in `http://127.0.0.1:8080`: requests
    /// to it are not listed. Nil otherwise.
    var standInServer: String? { get }

    /// The origin as a server that pushes; nil if it does not.
    var pushServer: (any PushServer)? { get }

    /// The title of a creative; nil if it has none.
    func title(of unit: String) -> String?
    /// The markup of a unit as it was sent; nil if it is not known.
    func markup(of unit: String) -> [UInt8]?
    /// The size of the media file of a tag, if no format was requested.
    func naturalSize(of offer: Offer?) -> Size?
    /// The message for a failed load, if this origin has more than the error.
    func explanation(of error: AdError, unit: String) -> String?
}

// MARK: Defaults

extension AdOrigin {
    var document: SourceDocument? { nil }
    var namesAnyServer: Bool { false }
    var servers: [HTTPURL] { [] }
    var standInServer: String? { nil }
    var pushServer: (any PushServer)? { nil }

    func unit(_ named: String?, for command: String) throws(PlayError) -> String {
        if let named { return named }
        throw PlayError(.usage, "nothing to \(command); give --unit <id>")
    }

    func format(of unit: String) -> AdFormat { .banner }

    func unit(of format: AdFormat) -> String? { nil }

    func loader(for query: PlacementQuery, in run: RunContext) throws(PlayError) -> AdLoader<YabbiPlacement> {
        let (app, guarantee) = (run.plan.app, run.options.guarantee)
        let language = query.language ?? .yabbi
        let endpoint = try self.endpoint(language.path)
        switch language {
        case .yabbi:
            let provider = YabbiProvider(endpoint: endpoint, app: app.app, guarantee: guarantee)
            return self.loader(provider, query.format, run.services)
        case .openrtb:
            let provider = YabbiRTBProvider(endpoint: endpoint, app: app.app, guarantee: guarantee)
            return self.loader(provider, query.format, run.services)
        }
    }

    /// A loader for the chosen format.
    ///
    /// Without one the response decides.
    private func loader<Provider: AdProvider>(
        _ provider: Provider,
        _ format: AdFormat?,
        _ services: AdServices
    ) -> AdLoader<YabbiPlacement> where Provider.Placement == YabbiPlacement, Provider.Memory == NoMemory {
        guard format == nil else { return self.loader(provider, services) }
        return self.loader(AnySlotProvider(base: provider), services)
    }

    private func loader(
        _ provider: some AdProvider<YabbiPlacement>,
        _ services: AdServices
    ) -> AdLoader<YabbiPlacement> {
        guard let document else { return AdLoader(provider, services: services) }
        return AdLoader(provider, serving: document.name, services: services)
    }

    func endpoint(_ path: String) throws(PlayError) -> HTTPURL {
        throw PlayError(.usage, "ads can't be requested here; use --endpoint with an http or https URL")
    }

    func title(of unit: String) -> String? { nil }
    func markup(of unit: String) -> [UInt8]? { nil }
    func naturalSize(of offer: Offer?) -> Size? { nil }
    func explanation(of error: AdError, unit: String) -> String? { nil }
}

// MARK: What holds for all

extension AdOrigin {
    /// The base URL for relative links in the markup.
    var base: HTTPURL? { self.document?.base }

    /// The base URL for the linter, with which the relative URLs of a bundle lead to its files.
    var lintBase: HTTPURL? { self.document?.bundle == nil ? self.base : SourceReader.bundleBase }

    /// The files beside the user's HTML; nil for a single document.
    var files: StageFiles? {
        guard let bundle = self.document?.bundle else { return nil }
        let name = bundle.name.split(separator: "/").last.map(String.init) ?? bundle.name
        return StageFiles(name) { target in
            // A path of the page's origin is below the page's folder, or else below the bundle's top.
            let relative = String(target.dropFirst())
            if let file = bundle.file(at: relative) ?? bundle.file(at: target) {
                return .file(StageFiles.File(type: file.contentType, bytes: file.bytes))
            }
            let hint = (bundle.issue(at: relative) ?? bundle.issue(at: target))?.message
            return .missing(hint ?? "it is not in \(name)")
        }
    }

    /// The servers on loopback that creatives in a browser may request.
    var allowedHosts: [HTTPURL] { self.servers.filter(\.isLoopback) }

    /// The size that the user's HTML declares for itself.
    var declaredSize: HTMLDocument.DeclaredSize? {
        guard case .markup(let entry)? = self.document?.content else { return nil }
        return (try? HTMLDocument(parsing: entry.markup))?.declaredSize
    }

    /// The markup of an ad as it was sent; nil if it is not known.
    func markup(of unit: String, _ offer: Offer?) -> [UInt8]? {
        if case .html(let html) = offer?.creative { Array(html.markup.utf8) } else { self.markup(of: unit) }
    }

    /// The message for a failed load.
    ///
    /// The format is that of the command line.
    func explanation(of error: AdError, unit: String, format: AdFormat?) -> String {
        if error.code == .formatMismatch, format == nil {
            return "\(error.description); use --format interstitial or --format rewarded"
        }
        return self.explanation(of: error, unit: unit) ?? error.description
    }
}
