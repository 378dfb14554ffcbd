import AdMarkup

/// The syntax tree of scripts (ECMA-262 §13–15), with what the interpreter supports.
///
/// The nodes are in one array and refer to each other by index, so that a large tree is freed without recursion.
struct ScriptProgram {
    /// The index of a node.
    typealias ID = Int

    enum Node {
        // Expressions.
        case undefined, null, this, unsupported
        case boolean(Bool)
        case number(Double)
        case string(String)
        case regularExpression(String)
        case name(String)
        case template([String], [ID])
        case member(ID, ID, isOptional: Bool)
        case call(ID, [ID], isOptional: Bool)
        case new(ID, [ID])
        case function(Int)
        case object([(key: ID, value: ID)])
        case array([ID])
        case spread(ID)
        case unary(String, ID)
        case update(ID, by: Double, isPrefix: Bool)
        case binary(String, ID, ID)
        case conditional(ID, ID, ID)
        case assign(String, ID, ID)
        case sequence([ID])
        // Statements.
        case empty
        case expression(ID)
        case declare(isVariable: Bool, [(target: ID, value: ID?)])
        case declareFunction(String, Int)
        case block([ID])
        case ifElse(ID, ID, ID?)
        case labelled(String, ID)
        case loop(Loop)
        case forEach(target: ID, values: ID, isOf: Bool, body: ID)
        case jump(Jump, ID?)
        case tryCatch(ID, parameter: ID?, handler: ID?, finalizer: ID?)
        case switchCase(ID, [(test: ID?, body: [ID])])
    }

    /// A statement that leaves a block; `break` and `continue` may have a label.
    enum Jump {
        case returning, throwing
        case breaking(String?)
        case continuing(String?)
    }

    struct Loop {
        var start: ID?
        let test: ID?
        var step: ID?
        let body: ID
        var testsLast = false
    }

    struct Function {
        let name: String?
        let parameters: [ID]
        /// The statements, or the value of an arrow function without a block.
        let body: Body
        /// The names that are declared by `var` in it.
        let variables: [String]
        let isArrow: Bool
        enum Body {
            case statements([ID])
            case value(ID)
        }
    }

    var nodes: [Node] = []
    var functions: [Function] = []

    /// The number of nodes that all scripts of a creative may have; further scripts are not run.
    static let maxNodes = 200_000
}
