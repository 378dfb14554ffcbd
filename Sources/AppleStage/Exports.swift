// `StageNotification` is part of the presenter's interface, and the same for every engine.
@_exported public import WebStage
