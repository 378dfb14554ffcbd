public import AdCore
public import AdTrace
public import Foundation
public import YabbiAds

// `localizedDescription` is the text of the error itself: what happened, where, and what to do. Without these conformances
// Foundation says only that "the operation could not be completed". The texts are English, for logs and developers.

extension AdError: LocalizedError {
    /// What happened and the fix, with the place and the code at its end in brackets.
    public var errorDescription: String? { self.description }

    /// The text of the error that caused this one; nil if there is none.
    public var failureReason: String? { self.underlying?.localizedDescription }
}

extension AdException: LocalizedError {
    /// The code, what happened and the fix.
    public var errorDescription: String? { self.description }

    /// The text of the error that caused this one, or the URL; nil if there is none.
    public var failureReason: String? { self.caused.isEmpty ? nil : self.caused }
}

extension AdSetupError: LocalizedError {
    /// What is missing and the fix.
    public var errorDescription: String? { self.description }
}

extension LedgerError: LocalizedError {
    /// What happened and the fix.
    public var errorDescription: String? { self.description }

    /// Whether another attempt can help.
    public var recoverySuggestion: String? {
        self.isFinal ? "Create another ledger: every further operation of this one fails, too." : "Try again."
    }
}

extension TraceFileError: LocalizedError {
    /// The path and the reason.
    public var errorDescription: String? { self.description }
}

extension TransportError: LocalizedError {
    /// What happened on the network.
    public var errorDescription: String? { self.description }
}

extension StageError: LocalizedError {
    /// Why the creative can't be displayed, and the fix.
    public var errorDescription: String? { self.description }
}

extension ReachedCap: LocalizedError {
    /// Which cap is reached, and until when.
    public var errorDescription: String? { self.description }
}

extension HTTPURL.ParseError: LocalizedError {
    /// What is wrong with the text, and the fix.
    public var errorDescription: String? { self.description }
}
