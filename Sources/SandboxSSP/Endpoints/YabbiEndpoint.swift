import AdCore

/// YABBI's ad request: seven fields in, one ad out.
enum YabbiEndpoint {
    static let all = [
        Endpoint(
            place: .at("/yabbi/load"),
            methods: ["POST"],
            about: "an ad in YABBI's protocol; unitID selects the placement",
            isAdRequest: true
        ) { request, state in
            do throws(FieldFault) {
                return try YabbiEndpoint.reply(to: request, &state)
            } catch {
                return .failure(error)
            }
        }
    ]

    private static func reply(to request: SandboxRequest, _ state: inout SandboxState) throws(FieldFault)
        -> SandboxReply
    {
        let fields = try Fields(parsing: request.body)
        let name = try self.unit(fields)
        let unit: Unit
        do throws(FieldFault) {
            unit = try Unit(name, of: .yabbi, at: "unitID", in: state)
        } catch {
            // A real SSP returns no fill for an unknown placement; here it is a typing error.
            return .failure(404, error.message, field: error.field)
        }
        switch unit {
        case .creative(let creative): return .json(Answer(creative, unit: name, &state).json)
        case .special(let special): return self.reply(special, &state)
        }
    }

    /// Checks all seven fields and returns the placement.
    private static func unit(_ fields: Fields) throws(FieldFault) -> String {
        // Both may be empty: not every request knows them.
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

    private static func reply(_ unit: SpecialUnit, _ state: inout SandboxState) -> SandboxReply {
        if let reply = unit.commonReply { return reply }
        var answer = Answer(.plain, unit: unit.rawValue, &state)
        switch unit {
        case .slow:
            var reply = SandboxReply.json(answer.json)
            reply.delay = state.slowness
            return reply
        case .broken: return SpecialUnit.broken(.json(answer.json))
        case .badHuge:
            answer.markup = ""
            return SpecialUnit.huge(.json(answer.json))
        case .noFillMarkup: answer.markup = ""
        case .badType: answer.type = 9
        case .badMarkup: answer.type = CreativeEntry.Kind.video.rawValue
        case .badCloseTimeout: answer.closeDelay = -5000
        case .badCloseTimeoutHuge: answer.closeDelay = .double(1e300)
        case .badSize: (answer.width, answer.height) = ("320", "NaN")
        case .badTracker: (answer.view, answer.click) = ("", "")
        case .noFill, .noFillEmpty, .noFillReason, .badHTML, .badStatus: break
        }
        return .json(answer.json)
    }

    /// The response, field by field; scenarios set sizes and times to any JSON.
    private struct Answer {
        var type: Int
        var markup: String
        var closeDelay: AdJSON
        var width: AdJSON
        var height: AdJSON
        var view: String
        var click: String

        init(_ creative: CreativeEntry, unit: String, _ state: inout SandboxState) {
            let query = "?ad=\(state.nextAd())&unit=\(PercentEncoding.component(unit))"
            self.type = creative.kind.rawValue
            self.markup = state.resolved(creative.markup)
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
