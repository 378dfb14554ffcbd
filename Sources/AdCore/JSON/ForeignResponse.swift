extension AdError {
    /// The error of a response without any of the members of its protocol, such as an error report.
    ///
    /// It is nil for an empty object, which means no fill for some servers, and for other values than objects.
    package static func foreign(_ json: AdJSON, hasNoneOf names: String...) -> AdError? {
        guard case .object(let members) = json, !members.isEmpty, !members.contains(where: { names.contains($0.name) })
        else { return nil }
        let last = names.suffix(1).joined()
        let missing = names.count > 1 ? "neither \(names.dropLast().joined(separator: ", ")) nor \(last)" : "no \(last)"
        let present = members.prefix(5).map { $0.name.excerpt() }.joined(separator: ", ")
        return AdError(.incompleteOffer, "the response has \(missing); it has: \(present)")
    }
}
