package import AdCore
package import AdHTML
package import AdMarkup
package import PlayConsole

/// What an input turned out to be.
package indirect enum Finding {
    case vast(VASTDocument, Followed?)
    /// A plan, and what its breaks lead to, where that was asked for.
    case vmap(VMAPDocument, [Followed?])
    case html(HTMLDocument)
    case answer(AnswerReading)
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
                self = .answer(try await AnswerReading(bytes, following: follower))
            } catch {
                self = .badAnswer(error)
            }
        case .vmap:
            do throws(VASTError) {
                let plan = try VMAPDocument(parsing: bytes)
                var followed: [Followed?] = []
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

    package var json: AdJSON {
        switch self {
        case .vast(let document, let followed):
            followed.map { VASTJSON.document(document).adding("followed", $0.json) } ?? VASTJSON.document(document)
        case .vmap(let plan, let followed): VMAPReport.json(plan, followed)
        case .html(let document): HTMLReport.json(document)
        case .answer(let answer): answer.json
        case .prebid(let bids): bids.json
        case .engagement(let engagement): engagement.json
        case .badAnswer(let error): VASTJSON.failure(VASTError(100, error.message, line: error.place.line))
        case .failure(let error): VASTJSON.failure(error)
        case .unreadable(let reason): VASTJSON.failure(code: nil, reason, line: nil)
        }
    }

    package func lines(of input: String, _ style: Style) -> [String] {
        switch self {
        case .vast(let document, let followed):
            VASTText.lines(document, of: input, style) + (followed?.lines(style) ?? [])
        case .vmap(let plan, let followed): VMAPReport.lines(plan, followed, of: input, style)
        case .html(let document): HTMLReport.lines(document, of: input, style)
        case .answer(let answer): answer.lines(of: input, style)
        case .prebid(let bids): bids.lines(of: input, style)
        case .engagement(let engagement): engagement.lines(of: input, style)
        case .badAnswer(let error): [VASTText.failure(error, of: input, style)]
        case .failure(let error): [VASTText.failure(error, of: input, style)]
        case .unreadable(let reason): [VASTText.failure(reason, of: input, style)]
        }
    }
}

extension AdJSON {
    /// An object with one more member.
    func adding(_ name: String, _ value: AdJSON) -> AdJSON {
        guard case .object(let members) = self else { return self }
        return .object(members + [AdJSON.Member(name, value)])
    }
}
