import AdCore
import AdMarkup

/// Takes documents apart: one line or one tree for each input, whatever becomes of the others.
enum Inspect {
    /// What an input turned out to be.
    private enum Finding {
        case vast(VASTDocument)
        case vmap(VMAPDocument)
        case failure(VASTError)
    }

    static func run(_ settings: Settings, _ console: any Console) async throws(PlayError) -> ExitCode {
        let transport = try Commands.transport()
        let style = Style(isColoured: console.isColoured)
        var failures = 0
        for (index, input) in settings.inputs.enumerated() where console.loss == nil {
            let finding = await self.read(input, settings, by: transport)
            if case .failure = finding { failures += 1 }
            guard !settings.isJSON else {
                let line: JSON = ["file": .string(input), "result": self.json(finding)]
                console.out(line.text())
                continue
            }
            if index > 0 { console.out("") }
            for line in self.lines(finding, of: input, style) { console.out(line) }
        }
        guard failures > 0 else { return .done }
        let all = settings.inputs.count
        let which = all == 1 ? settings.inputs[0] : "\(failures) of \(all) inputs"
        console.err(
            "yabbi-play: \(Style.printable(which)) could not be read as VAST or VMAP; what stands above says why"
        )
        return .invalidCreative
    }

    private static func read(_ input: String, _ settings: Settings, by transport: any Transport) async -> Finding {
        let bytes: [UInt8]
        do throws(PlayError) { bytes = try await Source.bytes(input, settings, by: transport) } catch {
            return .failure(VASTError(100, error.message))
        }
        do throws(VASTError) {
            if MarkupKind(sniffing: bytes) == .vmap { return .vmap(try VMAPDocument(parsing: bytes)) }
            return .vast(try VASTDocument(parsing: bytes))
        } catch {
            return .failure(error)
        }
    }

    private static func json(_ finding: Finding) -> JSON {
        switch finding {
        case .vast(let document): VASTJSON.document(document)
        case .vmap(let plan): VMAPReport.json(plan)
        case .failure(let error): VASTJSON.failure(error)
        }
    }

    private static func lines(_ finding: Finding, of input: String, _ style: Style) -> [String] {
        switch finding {
        case .vast(let document): VASTText.lines(document, of: input, style)
        case .vmap(let plan): VMAPReport.lines(plan, of: input, style)
        case .failure(let error): [VASTText.failure(error, of: input, style)]
        }
    }
}
