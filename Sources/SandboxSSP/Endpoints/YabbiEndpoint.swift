import AdCore
import LoopbackServer

/// YABBI's ad request: seven fields in, one ad out.
enum YabbiEndpoint {
    static let all = [
        Endpoint(
            path: .exact("/yabbi/load"),
            methods: ["POST"],
            about: "an ad in YABBI's protocol; unitID selects the placement",
            isAdRequest: true
        ) { request, state in
            do throws(FieldError) {
                return try YabbiEndpoint.response(to: request, &state)
            } catch {
                return .failure(error)
            }
        }
    ]

    private static func response(to request: ServerRequest, _ state: inout SandboxState) throws(FieldError)
        -> ServerResponse
    {
        let fields = try Fields(parsing: request.body)
        let name = try self.unit(fields)
        let placement: Placement
        do throws(FieldError) {
            placement = try Placement(name, of: .yabbi, at: "unitID", in: state)
        } catch {
            // A real SSP returns no fill for an unknown placement; here it is a typing error.
            return .failure(404, error.message, field: error.field)
        }
        switch placement {
        case .creative(let creative): return .json(Ad(creative, unit: name, &state).json)
        case .scenario(let scenario): return self.response(scenario, &state)
        }
    }

    /// Checks all seven fields and returns the placement.
    private static func unit(_ fields: Fields) throws(FieldError) -> String {
        // Both may be empty: not every request has them.
        _ = try fields.text("ifa", mayBeEmpty: true)
        _ = try fields.text("userAgent", mayBeEmpty: true)
        for name in ["pubID", "bundle", "appName"] { _ = try fields.text(name) }
        let unit = try fields.text("unitID")
        if try fields.value("geo") != .null {
            let geo = try fields.object("geo")
            _ = try geo.number("latitude", in: -90...90)
            _ = try geo.number("longitude", in: -180...180)
            _ = try geo.number("precision", in: 0...50_000_000)
        }
        return unit
    }

    private static func response(_ scenario: Scenario, _ state: inout SandboxState) -> ServerResponse {
        if let response = scenario.commonResponse { return response }
        var ad = Ad(.sample, unit: scenario.rawValue, &state)
        switch scenario {
        case .slow:
            var response = ServerResponse.json(ad.json)
            response.delay = state.slowDelay
            return response
        case .broken: return Scenario.broken(.json(ad.json))
        case .badHuge:
            ad.markup = ""
            return Scenario.huge(.json(ad.json))
        case .noFillMarkup: ad.markup = ""
        case .badType: ad.type = 9
        case .badMarkup: ad.type = CreativeEntry.Kind.video.rawValue
        case .badCloseTimeout: ad.closeDelay = -5000
        case .badCloseTimeoutHuge: ad.closeDelay = .double(1e300)
        case .badSize: (ad.width, ad.height) = ("320", "NaN")
        case .badTracker: (ad.view, ad.click) = ("", "")
        case .noFill, .noFillEmpty, .noFillReason, .badHTML, .badStatus: break
        }
        return .json(ad.json)
    }

    /// The response, field by field; scenarios set sizes and times to any JSON.
    private struct Ad {
        var type: Int
        var markup: String
        var closeDelay: AdJSON
        var width: AdJSON
        var height: AdJSON
        var view: String
        var click: String

        init(_ creative: CreativeEntry, unit: String, _ state: inout SandboxState) {
            let query = "?ad=\(state.nextAdNumber())&unit=\(PercentEncoding.component(unit))"
            self.type = creative.kind.rawValue
            self.markup = state.expanded(creative.markup)
            self.closeDelay = .int(creative.closeDelay)
            self.width = .int(creative.width)
            self.height = .int(creative.height)
            self.view = state.base + "/t/yabbi/view" + query
            self.click = state.base + "/t/yabbi/click" + query
        }

        var json: AdJSON {
            [
                "type": .int(self.type), "adm": .string(self.markup), "closeTimeout": self.closeDelay,
                "width": self.width, "height": self.height,
                "tracker": ["view": .string(self.view), "click": .string(self.click)],
            ]
        }
    }
}
