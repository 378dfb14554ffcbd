extension AdError {
    /// An answer that has none of the members by which its protocol would be known: a report of a fault, say, or the
    /// answer of another protocol.
    ///
    /// Nil for an empty object, which is how some servers say that there is no ad, and for what is no object.
    package static func foreign(_ json: AdJSON, hasNoneOf names: String...) -> AdError? {
        guard case .object(let members) = json, !members.isEmpty, !members.contains(where: { names.contains($0.name) })
        else { return nil }
        let last = names.suffix(1).joined()
        let wanted = names.count > 1 ? "neither \(names.dropLast().joined(separator: ", ")) nor \(last)" : "no \(last)"
        let present = members.prefix(5).map { $0.name.excerpt() }.joined(separator: ", ")
        return AdError(.incompleteOffer, "the answer has \(wanted); what it has is: \(present)")
    }
}
