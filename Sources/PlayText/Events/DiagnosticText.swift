package import AdCore
import PlayConsole

extension AdEvent {
    /// The blank creative that it reports, if it does.
    package var blank: BlankCreative? {
        guard case .diagnostic(.blank(let blank)) = self else { return nil }
        return blank
    }
}

/// The diagnostics of a creative as text for the terminal and the report.
package enum DiagnosticText {
    package static func text(_ request: FailedRequest) -> String { "\(request.url)  \(request.reason)" }

    package static func text(_ error: ScriptError) -> String {
        var place = error.url ?? ""
        if let line = error.line {
            place += place.isEmpty ? "line \(line)" : ":\(line)"
            if let column = error.column { place += place.hasPrefix("line") ? ", column \(column)" : ":\(column)" }
        }
        return error.message + (place.isEmpty ? "" : "  (\(place))")
    }

    package static func text(_ blank: BlankCreative) -> String {
        var reasons: [String] = []
        if let first = blank.requests.first {
            reasons.append("\(Quantity.text(blank.requests.count, "request")) failed: \(self.text(first))")
        }
        if let first = blank.errors.first {
            reasons.append("\(Quantity.text(blank.errors.count, "script error")): \(self.text(first))")
        }
        if let first = blank.waiting.first {
            reasons.append("\(Quantity.text(blank.waiting.count, "request")) still pending: \(first)")
        }
        let reason = reasons.isEmpty ? "no failed requests and no script errors" : reasons.joined(separator: "; ")
        return "nothing of the creative was visible; \(reason)"
    }
}
