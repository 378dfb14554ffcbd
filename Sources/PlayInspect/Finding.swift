package import AdCore
package import AdHTML
package import AdMarkup
package import PlayConsole

/// What an input turned out to be.
package indirect enum Finding {
    case vast(VASTDocument, ResolvedWrappers?)
    /// A plan, and what its breaks lead to, where that was asked for.
    case vmap(VMAPDocument, [ResolvedWrappers?])
    case html(HTMLDocument)
    case answer(AdResponseReading)
    /// Bids of Prebid.js.
    case prebid(PrebidReading)
    /// Something that a server pushes.
    case engagement(EngagementReading)
    /// A server's answer of which no ad can be made.
    case badAnswer(AdError)
    case failure(VASTError)
    /// There is no document of a kind that has codes, for this reason: VAST's codes stand for VAST alone (VAST 4.3 §2.3.6.3).
    case unreadable(String)

    /// Reads bytes as what they begin like.
    package init(_ bytes: [UInt8], charset: String? = nil, from base: HTTPURL?, following follower: Follower?) async {
        switch MarkupKind(sniffing: bytes) {
        case .html:
            do throws(MarkupError) {
                self = .html(try HTMLDocument(parsing: bytes, charset: charset, base: base))
            } catch {
                self = .unreadable(error.description)
            }
        case .json:
            do throws(AdError) {
                if let engagement = try EngagementReading(bytes) {
                    self = .engagement(engagement)
                    return
                }
                if let bids = await PrebidReading(bytes, following: follower) {
                    self = .prebid(bids)
                    return
                }
                self = .answer(try await AdResponseReading(bytes, following: follower))
            } catch {
                self = .badAnswer(error)
            }
        case .vmap:
            do throws(VASTError) {
                let plan = try VMAPDocument(parsing: bytes)
                var followed: [ResolvedWrappers?] = []
                for adBreak in plan.breaks { followed.append(await follower?.follow(adBreak, from: base)) }
                self = .vmap(plan, followed)
            } catch {
                self = .failure(error)
            }
        case .empty: self = .unreadable("it is empty: there is no ad in it")
        case .binary: self = .unreadable("it is binary, and neither a tag nor a creative")
        case .vast, .xml, .text:
            do throws(VASTError) {
                let document = try VASTDocument(parsing: bytes)
                self = .vast(document, await follower?.follow(document, from: base))
            } catch {
                self = .failure(error)
            }
        }
    }

    /// Whether it can't be read, or was followed and leads to nothing.
    package var isFailure: Bool {
        switch self {
        case .failure, .badAnswer, .unreadable: true
        case .vast(_, let followed): followed?.leadsNowhere ?? false
        case .vmap(_, let followed): followed.contains { $0?.leadsNowhere ?? false }
        case .html, .engagement: false
        case .answer(let answer): answer.isFailure
        case .prebid(let bids): bids.isFailure
        }
    }

    package var json: AdJSON { self.node(of: "").json }

    package func lines(of input: String, _ style: Style) -> [String] { self.node(of: input).text(style) }

    /// The input as a tree of facts, which text and JSON are made from.
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
        case .answer(let answer): return answer.node(of: input)
        case .prebid(let bids): return bids.node(of: input)
        case .engagement(let engagement): return engagement.node(of: input)
        // An answer has none of VAST's codes; scripts expect one.
        case .badAnswer(let error):
            return VASTNodes.failure(code: 100, shown: false, error.message, line: error.place.line, of: input)
        case .failure(let error):
            return VASTNodes.failure(code: error.code, error.message, line: error.line, of: input)
        case .unreadable(let reason): return VASTNodes.failure(code: nil, reason, line: nil, of: input)
        }
    }
}
