import AdCore
import LoopbackServer

/// ActiveAds: the campaigns of a format, the same for all users, and the click on one.
///
/// A request with anything that identifies a user is refused: ActiveAds guarantees that apps send nothing of the kind.
enum ActiveAdsEndpoint {
    static let all = [
        Endpoint(
            path: .exact("/functions/v1/get-active-ads"),
            methods: ["POST"],
            about:
                "the active campaigns of a format in ActiveAds' protocol, at most \(Campaign.maxPerResponse), chosen at "
                + "random: {\"format\": \"feed\"}, \"banner\" or \"popup\", and nothing that identifies a user",
            isAdRequest: true
        ) { request, state in
            if let refusal = Self.refusal(of: request, allowing: "format") { return refusal }
            do throws(FieldError) {
                let fields = try Fields(parsing: request.body)
                let text = try fields.text("format")
                guard let format = Campaign.Format(rawValue: text) else {
                    let known = Campaign.Format.allCases.map(\.rawValue).joined(separator: ", ")
                    throw fields.error("format", "is unknown: \"\(text)\"; allowed: \(known)")
                }
                let campaigns = Campaign.rotated(Campaign.ranked(format, on: state.day), using: &state.random)
                return .json(["ads": .array(campaigns.map { Self.json($0, base: state.base) })])
            } catch {
                return .failure(error)
            }
        },
        Endpoint(
            path: .exact("/functions/v1/track-ad-click"),
            methods: ["POST"],
            about: "a click in ActiveAds' protocol: {\"campaign_id\": …} and nothing else",
            billed: .activeAds
        ) { request, _ in
            if let refusal = Self.refusal(of: request, allowing: "campaign_id") { return refusal }
            do throws(FieldError) {
                let id = try Fields(parsing: request.body).text("campaign_id")
                guard Campaign.pool.contains(where: { $0.id == id }) else {
                    return .failure(FieldError("campaign_id", "is not a campaign of the sandbox"), status: 404)
                }
                return .json(["success": true])
            } catch {
                return .failure(error)
            }
        },
        Endpoint(path: .prefix("/pictures/"), methods: ["GET"], about: "the pictures of ActiveAds' campaigns") {
            request,
            _ in
            let name = request.path.dropFirst("/pictures/".count)
            guard name.hasSuffix(".gif"), Self.pictures.contains(String(name.dropLast(4))) else {
                return .failure(404, "unknown picture")
            }
            return ServerResponse(
                status: 200,
                headers: ["Content-Type": "image/gif", "Access-Control-Allow-Origin": "*"],
                body: .bytes(Picture(String(name.dropLast(4))).gif)
            )
        },
    ]

    /// The names of all campaign pictures.
    private static let pictures = Set(Campaign.pool.compactMap(\.picture))

    /// The refusal of a request that identifies its user; nil for all others.
    private static func refusal(of request: ServerRequest, allowing name: String) -> ServerResponse? {
        var unwanted = ["Cookie", "Authorization", "apikey"].filter { request.headers[$0.asciiLowercased] != nil }
            .map { (name: $0, words: "the header \"\($0)\"") }
        if !request.query.isEmpty { unwanted.append(("", "the query")) }
        if case .object(let members)? = try? AdJSON(parsing: request.body) {
            unwanted += members.map(\.name).filter { $0 != name }.map { ($0, "the member \"\($0)\"") }
        }
        guard let first = unwanted.first else { return nil }
        let list = unwanted.map(\.words).joined(separator: ", ")
        return .failure(
            400,
            "\(list) must not be sent: no request may identify its user",
            field: first.name.isEmpty ? nil : first.name
        )
    }

    private static func json(_ campaign: Campaign, base: String) -> AdJSON {
        let picture = campaign.picture.map { base + "/pictures/\($0).gif" }
        let link = campaign.link.map { base + "/landing?from=activeads-\($0)" }
        return [
            "id": .string(campaign.id), "format": .string(campaign.format.rawValue),
            "title": .string(campaign.title), "description": .text(campaign.description),
            "image_url": .text(picture), "cta_text": .text(campaign.button), "cta_url": .text(link),
            "daily_bid": campaign.bid.map { .double($0) } ?? .null,
        ]
    }
}
