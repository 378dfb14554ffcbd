extension CompletionTable {
    /// The script for zsh, as a file of its own on the way where functions are looked for, or read by a shell.
    var zsh: String {
        """
        #compdef yabbi-play
        # Completes the words of yabbi-play in zsh; written by `yabbi-play completions zsh` from its own tables.

        # The names that --set knows, by the provider that was said before.
        _yabbi-play-parameters() {
          local provider=${opt_args[--provider]:-}
          [[ -z $provider && $command == watch ]] && provider=smartico
          local -a names
          case $provider in
        \(self.zshParameterCases)
          esac
          compset -P '*='
          [[ $PREFIX$IPREFIX == *=* ]] || _describe -t parameters parameter names -S '='
        }

        _yabbi-play() {
          local -a commands
          commands=(
        \(self.entries.map { "    \(CompletionTable.quoted("\($0.name):\($0.summary)"))" }.joined(separator: "\n"))
          )
          local command=demo
          if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
            _describe -t commands command commands
            return
          fi
          if [[ $words[2] != -* ]]; then
            command=$words[2]
            shift words
            (( CURRENT-- ))
          fi
          case $command in
        \(self.entries.map(self.zshCase).joined(separator: "\n"))
          esac
        }

        # Called where it lies in a file of that name; otherwise a shell is reading it, and is told.
        if [[ ${funcstack[1]:-} == _yabbi-play ]]; then
          _yabbi-play "$@"
        elif (( ${+functions[compdef]} )); then
          compdef _yabbi-play yabbi-play
        fi
        """
    }

    private var zshParameterCases: String {
        var all: [String] = []
        var lines = self.parameters.map { entry in
            let names = entry.names.map { CompletionTable.quoted("\($0.name):\($0.about)") }
            all += names.filter { !all.contains($0) }
            return "    \(entry.provider)) names=(\(names.joined(separator: " "))) ;;"
        }
        lines.append("    '') names=(\(all.joined(separator: " "))) ;;")
        return lines.joined(separator: "\n")
    }

    private func zshCase(_ entry: Entry) -> String {
        var specs = entry.options.map { option in
            let value = CompletionTable.zshAction(for: option.argument)
            let name = "\(option.isRepeatable ? "*" : "")\(option.name)\(value == nil ? "" : "=")"
            return CompletionTable.quoted("\(name)[\(CompletionTable.escaped(option.summary))]\(value ?? "")")
        }
        specs += CompletionTable.everywhere.map { CompletionTable.quoted("(- *)\($0.name)[\($0.summary)]") }
        if let value = CompletionTable.zshAction(for: entry.argument) {
            specs.append(CompletionTable.quoted((entry.takesMany ? "*" : "1") + value))
        }
        return "    \(entry.name))\n      _arguments \\\n"
            + specs.map { "        " + $0 }.joined(separator: " \\\n") + " ;;"
    }

    /// The specification of an argument for `_arguments`; nil where there is none.
    private static func zshAction(for argument: Argument) -> String? {
        switch argument {
        case .nothing: nil
        case .word(let words): ":word:(\(words.joined(separator: " ")))"
        case .words(let words, _): ":words:_values -s , word \(words.joined(separator: " "))"
        // The same word as often as one likes, and nothing after it: the user says more.
        case .steps(let words, let placeholder):
            ":\(self.escaped(placeholder)):_sequence -s , -d compadd -S \"\" - \(words.joined(separator: " "))"
        case .file(let placeholder): ":\(self.escaped(placeholder)):_files"
        case .folder: ":DIR:_files -/"
        case .parameter: ":NAME=VALUE:_yabbi-play-parameters"
        case .other(let placeholder): ":\(self.escaped(placeholder)):"
        }
    }

    /// A text in which `_arguments` finds none of its own signs.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
