extension CompletionTable {
    /// The script for bash, also for the old one of macOS.
    var bash: String {
        let commands = self.entries.map(\.name).joined(separator: " ")
        let parts: [String] = [
            self.bashBeginning,
            """
            # The options of a command.
            _yabbi_play_options() {
                case $command in
            \(self.optionCases)
                esac
            }

            # The names that --set knows.
            _yabbi_play_parameters() {
                case ${provider:-$([[ $command == watch ]] && echo smartico)} in
            \(self.parameterCases)
                esac
                compopt -o nospace 2>/dev/null
            }

            # The value of an option.
            _yabbi_play_value() {
                case $1 in
            \(self.valueCases)
                esac
            }

            # What stands behind a command without an option's name.
            _yabbi_play_argument() {
                case $command in
            \(self.argumentCases)
                esac
            }

            _yabbi_play() {
                local current=${COMP_WORDS[COMP_CWORD]} command=demo at=1 count=0
                local expected='' provider='' lead='' is_over='' word
                COMPREPLY=()
                if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
                    _yabbi_play_words '\(commands)'
                    return
                fi
                if [[ ${COMP_WORDS[1]} != -* ]]; then
                    command=${COMP_WORDS[1]}
                    at=2
                fi
                # bash takes --name=value apart into three words.
                for ((; at < COMP_CWORD; at++)); do
                    word=${COMP_WORDS[at]}
                    if [[ $word == = ]]; then
                        [[ $expected ]] || ((at++))
                    elif [[ $expected ]]; then
                        [[ $expected == --provider ]] && provider=$word
                        expected=
                    elif [[ $is_over ]]; then
                        ((count++))
                    else
                        case $word in
                        --provider=*) provider=${word#*=} ;;
                        \(self.withValue.map(\.name).joined(separator: "|"))) expected=$word ;;
                        --) is_over=1 ;;
                        -?*) ;;
                        *) ((count++)) ;;
                        esac
                    fi
                done
                ((at > COMP_CWORD)) && return
                if [[ ! $expected && ! $is_over && $current == --*=* ]]; then
                    expected=${current%%=*}
                    lead=$expected=
                    current=${current#*=}
                fi
                if [[ $expected ]]; then
                    [[ $current == = ]] && current=
                    _yabbi_play_value "$expected"
                    [[ $lead ]] && COMPREPLY=("${COMPREPLY[@]/#/$lead}")
                elif [[ ! $is_over && $current == -* ]]; then
                    _yabbi_play_options
                else
                    _yabbi_play_argument
                    ((${#COMPREPLY[@]} == 0)) && [[ ! $current && ! $is_over ]] && _yabbi_play_options
                fi
                return 0
            }

            complete -F _yabbi_play yabbi-play
            """,
        ]
        return parts.joined(separator: "\n\n")
    }

    private var bashBeginning: String {
        #"""
        # Completes the words of yabbi-play in bash; written by `yabbi-play completions bash` from its own tables.

        # Those of the words that begin as what stands there.
        _yabbi_play_words() {
            local word
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
        }

        # The same for the last of several words with commas between them.
        _yabbi_play_list() {
            local before='' word
            [[ $current == *,* ]] && before=${current%,*},
            while IFS= read -r word; do COMPREPLY+=("$before$word"); done < <(compgen -W "$1" -- "${current##*,}")
            compopt -o nospace 2>/dev/null
        }

        # Files (f) or folders (d), whatever stands in their names.
        _yabbi_play_paths() {
            local path
            compopt -o filenames 2>/dev/null
            while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "-$1" -- "$current")
        }
        """#
    }

    private var optionCases: String {
        self.entries.map { entry in
            "    \(entry.name)) _yabbi_play_words '\(self.optionNames(of: entry).joined(separator: " "))' ;;"
        }.joined(separator: "\n")
    }

    private var parameterCases: String {
        let known = self.parameters.map { entry in
            "    \(entry.provider)) _yabbi_play_words '\(entry.names.map { $0.name + "=" }.joined(separator: " "))' ;;"
        }
        var seen: Set<String> = []
        let all = self.parameters.flatMap(\.names).map { $0.name + "=" }.filter { seen.insert($0).inserted }
        return (known + ["    '') _yabbi_play_words '\(all.joined(separator: " "))' ;;"]).joined(separator: "\n")
    }

    private var valueCases: String {
        self.withValue.compactMap { option in
            CompletionTable.bashWords(for: option.argument).map { "    \(option.name)) \($0) ;;" }
        }.joined(separator: "\n")
    }

    private var argumentCases: String {
        self.entries.compactMap { entry in
            CompletionTable.bashWords(for: entry.argument).map { words in
                "    \(entry.name)) \(entry.takesMany ? "" : "((count > 0)) || ")\(words) ;;"
            }
        }.joined(separator: "\n")
    }

    /// The call that completes an argument; nil where nothing is known of it.
    private static func bashWords(for argument: Argument) -> String? {
        switch argument {
        case .nothing, .other: nil
        case .word(let words): "_yabbi_play_words '\(words.joined(separator: " "))'"
        case .words(let words, _), .steps(let words, _): "_yabbi_play_list '\(words.joined(separator: " "))'"
        case .file: "_yabbi_play_paths f"
        case .folder: "_yabbi_play_paths d"
        case .parameter: "_yabbi_play_parameters"
        }
    }
}
