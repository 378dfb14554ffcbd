package import AdCore
package import AdHTML
package import AdMarkup
package import PlayConsole

/// An inspected input, by its kind.
package indirect enum InspectedInput {
    case vast(VASTDocument, ResolvedWrappers?)
    /// A VMAP document, with the resolved wrappers of each break if they are followed.
    case vmap(VMAPDocument, [ResolvedWrappers?])
    case html(HTMLDocument)
    /// An ad response in JSON.
    case response(AdResponseReading)
    /// Bids of Prebid.js.
    case prebid(PrebidReading)
    /// A message that a server pushes.
    case engagement(EngagementReading)
    /// A JSON document that is not a valid ad response.
    case badResponse(AdError)
    case failure(VASTError)
    /// An input that is neither VAST nor VMAP and can't be read: error codes are defined for VAST only (VAST 4.3 §2.3.6.3).
    case unreadable(String)

    /// Reads bytes as the format that their beginning indicates.
    package init(_ bytes: [UInt8], charset: String? = nil, from base: HTTPURL?, following follower: Follower?) async {
        switch MarkupKind(sniffing: bytes) {
        case .html:
            do throws(MarkupError) {
                self = .html(try HTMLDocument(parsing: bytes, charset: charset, base: base))
            } catch {
                self = .unreadable(error.description)
            }
        case .json: self = await InspectedInput.json(bytes, following: follower)
        case .vmap:
            do throws(VASTError) {
                let plan = try VMAPDocument(parsing: bytes)
                var followed: [ResolvedWrappers?] = []
                for adBreak in plan.breaks { followed.append(await follower?.follow(adBreak, from: base)) }
                self = .vmap(plan, followed)
            } catch {
                self = .failure(error)
            }
        case .empty: self = .unreadable("the input is empty")
        case .binary: self = .unreadable("binary file; expected HTML, VAST or JSON")
        case .vast, .xml, .text:
            do throws(VASTError) {
                let document = try VASTDocument(parsing: bytes)
                self = .vast(document, await follower?.follow(document, from: base))
            } catch {
                self = .failure(error)
            }
        }
    }

    private static func json(_ bytes: [UInt8], following follower: Follower?) async -> InspectedInput {
        do throws(AdError) {
            if let engagement = try EngagementReading(bytes) { return .engagement(engagement) }
            if let bids = await PrebidReading(bytes, following: follower) { return .prebid(bids) }
            return .response(try await AdResponseReading(bytes, following: follower))
        } catch {
            return .badResponse(error)
        }
    }

    /// Whether it can't be read, or its wrappers resolve to no ad.
    package var isFailure: Bool {
        switch self {
        case .failure, .badResponse, .unreadable: true
        case .vast(_, let followed): followed?.isFailure ?? false
        case .vmap(_, let followed): followed.contains { $0?.isFailure ?? false }
        case .html, .engagement: false
        case .response(let response): response.isFailure
        case .prebid(let bids): bids.isFailure
        }
    }

    package var json: AdJSON { self.node(of: "").json }

    package func lines(of input: String, _ style: Style) -> [String] { self.node(of: input).text(style) }

    /// The input as a tree, from which text and JSON are rendered.
    func node(of input: String) -> InspectNode {
        switch self {
        case .vast(let document, let followed):
            let version = document.version.map { "VAST \(Style.printable($0))" } ?? "VAST without a version"
            let what = "\(version), \(Quantity.text(document.ads.count, "ad"))"
            return .input(input, what, VASTNodes.members(document) + (followed.map { [$0.node] } ?? []))
        case .vmap(let document, let followed):
            let version = document.version.map { "VMAP \(Style.printable($0))" } ?? "VMAP without a version"
            let what = "\(version), \(Quantity.text(document.breaks.count, "break"))"
            return .input(input, what, VMAPNodes.members(document, followed))
        case .html(let document): return .input(input, HTMLNodes.heading(document), HTMLNodes.members(document))
        case .response(let response): return response.node(of: input)
        case .prebid(let bids): return bids.node(of: input)
        case .engagement(let engagement): return engagement.node(of: input)
        // Ad responses in JSON have no VAST error codes; in JSON it is 100, on which scripts rely.
        case .badResponse(let error):
            return VASTNodes.failure(code: 100, shown: false, error.message, line: error.place.line, of: input)
        case .failure(let error):
            return VASTNodes.failure(code: error.code, error.message, line: error.line, of: input)
        case .unreadable(let reason): return VASTNodes.failure(code: nil, reason, line: nil, of: input)
        }
    }
}
