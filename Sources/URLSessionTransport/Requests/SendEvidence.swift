import AdCore

/// What the metrics of a transfer say about how far its request came.
struct SendEvidence: Hashable, Sendable {
    /// Whether the request was begun to be sent.
    let wasSent: Bool
    /// The addresses that URLSession connected to, as it writes them.
    let peers: [String]

    /// The first peer that a request for public addresses must not reach; one that can't be read counts as such.
    func privatePeer(besides allowed: Set<IPAddress>) -> String? {
        self.peers.first { peer in
            guard let address = IPAddress(text: peer) else { return true }
            return !address.isPublic && !allowed.contains(address)
        }
    }
}
