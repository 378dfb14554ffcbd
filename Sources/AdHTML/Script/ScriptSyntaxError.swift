/// A syntax error of a script.
package struct ScriptSyntaxError: Error {
    package let place: SourcePlace
    package let message: String

    package init(place: SourcePlace, message: String) {
        self.place = place
        self.message = message
    }
}
