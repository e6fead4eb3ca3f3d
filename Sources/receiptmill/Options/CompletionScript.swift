internal import ArgumentParser

/// The script with which a shell completes this program's words. It extends the parser's own script.
enum CompletionScript {
    /// Answers `--generate-completion-script bash`; other requests are left to the parser.
    ///
    /// - Returns: the script; nil if the command line asks for something else.
    static func requested(by arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        switch arguments {
        case [option, "bash"], ["\(option)=bash"]: return ReceiptMill.completionScript(for: .bash) + "\n" + joining
        default: return nil
        }
    }

    /// Bash cuts words at `=` and `:`, so the parser's function would not recognise `--param by=…`. The script joins
    /// the words before that function, and removes from its answers what bash counts as words before the cut.
    private static let joining = #"""

        _receiptmill_joined() {
            local -a words=("${COMP_WORDS[@]}") joined=()
            local -i index cursor=0
            for index in "${!words[@]}"; do
                local word="${words[index]}" before=""
                ((index > 0)) && before="${joined[${#joined[@]} - 1]}"
                # A cut has no space on either side: what stands before, the sign, what stands behind.
                if ((index > 1)) && [[ "${word}" =~ ^[=:]+$ || "${words[index - 1]}" =~ ^[=:]+$ ]] \
                    && [[ "${COMP_LINE}" == *"${before}${word}"* ]]; then
                    joined[${#joined[@]} - 1]="${before}${word}"
                else
                    joined+=("${word}")
                fi
                ((index == COMP_CWORD)) && cursor=$((${#joined[@]} - 1))
            done
            local -a COMP_WORDS=("${joined[@]}")
            local -i COMP_CWORD=${cursor}
            local typed="${COMP_WORDS[COMP_CWORD]}" former=""
            ((COMP_CWORD > 0)) && former="${COMP_WORDS[COMP_CWORD - 1]}"
            # The parser's function knows the value of an option only as a word of its own.
            if [[ "${typed}" == --*=* ]]; then
                former="${typed%%=*}" typed="${typed#*=}"
                COMP_WORDS=("${COMP_WORDS[@]::COMP_CWORD}" "${former}" "${typed}" "${COMP_WORDS[@]:COMP_CWORD + 1}")
                COMP_CWORD+=1
            fi
            _receiptmill "${1}" "${typed}" "${former}"
            # Parameters are no files, whose signs would have to be quoted.
            [[ "${former}" == --param || "${COMPREPLY[0]}" == *=* ]] && compopt +o filenames 2>/dev/null
            [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *= ]] && compopt -o nospace 2>/dev/null
            local sign cut=""
            for sign in = :; do
                [[ "${COMP_WORDBREAKS}" == *"${sign}"* && "${typed}" == *"${sign}"* ]] || continue
                local upto="${typed%"${sign}"*}${sign}"
                ((${#upto} > ${#cut})) && cut="${upto}"
            done
            [[ -n "${cut}" ]] && COMPREPLY=("${COMPREPLY[@]#"${cut}"}")
            return 0
        }

        complete -o filenames -F _receiptmill_joined receiptmill

        """#
}
