/// The sellers on the way from the app to the bidder (OpenRTB 2.6 §3.2.25), in version 1.0.
public struct SupplyChain: Hashable, Sendable {
    /// One seller (OpenRTB 2.6 §3.2.26), who is always paid (`hp` 1), as version 1.0 demands.
    public struct Node: Hashable, Sendable {
        /// The domain of the system that buyers connect to (`asi`).
        public var system: String
        /// The seller's id in that system (`sid`).
        public var sellerID: String
        /// The id of the request as this seller issued it (`rid`).
        public var requestID: String?

        /// Creates a node.
        public init(system: String, sellerID: String, requestID: String? = nil) {
            self.system = system
            self.sellerID = sellerID
            self.requestID = requestID
        }
    }

    /// Whether the chain begins with the app's owner (`complete`).
    public var isComplete: Bool
    /// The sellers, in the order of the chain (`nodes`).
    public var nodes: [Node]

    /// Creates a chain.
    public init(_ nodes: [Node], isComplete: Bool = true) {
        self.nodes = nodes
        self.isComplete = isComplete
    }
}
