@_exported public import AdCore
@_exported public import AdMarkup
@_exported public import AdProviders
@_exported public import AdRuntime
@_exported public import AdTrace
@_exported public import CurlTransport
@_exported public import SQLiteLedger
