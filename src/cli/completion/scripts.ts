/**
 * Completion for bash 3.2 and newer, with or without the package bash-completion. The program's answer is inserted as
 * it is: nothing of it is split, expanded or evaluated here.
 */
const bash = `# tenant-users: completion for bash
_tenant_users() {
    local answer candidate directive
    COMPREPLY=()
    answer=$(tenant-users complete --bash "$COMP_WORDBREAKS" -- "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null) || return 0
    answer=$'\\n'$answer
    directive=\${answer##*$'\\n':}
    while IFS= read -r candidate; do
        if [[ -n $candidate ]]; then COMPREPLY+=("$candidate"); fi
    done <<< "\${answer%$'\\n':*}"
    # bash 3.2 has no compopt: there, files are offered where nothing else is, and a space follows each word.
    case $directive in 2 | 6) compopt -o nospace 2>/dev/null ;; esac
    case $directive in 4 | 6) compopt +o default 2>/dev/null ;; esac
    return 0
}
complete -o default -F _tenant_users tenant-users
`;

/** Completion for fish 3.1 and newer. */
const fish = `# tenant-users: completion for fish
function __tenant_users_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # What is typed is matched unquoted; fish quotes what it puts in.
    set -l plain (string unescape -- (string replace -r -- '^["\\']' '' "$current"))
    set -l answer (tenant-users complete -- $words[2..-1] "$plain" 2>/dev/null)
    or return
    test (count $answer) -gt 1
    and printf '%s\\n' $answer[1..-2]
    switch "$answer[-1]"
        case ':0' ':2'
            set -l flag (string match -r -- '^--[^=]*=' "$current")
            for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' "$current"))
                printf '%s%s\\n' "$flag" $path
            end
    end
end
complete -c tenant-users -e
complete -c tenant-users -f -a '(__tenant_users_complete)'
`;

/** Completion for zsh, either evaluated after compinit or stored as a file `_tenant-users` on fpath. */
const zsh = `#compdef tenant-users
# tenant-users: completion for zsh
_tenant_users() {
    local answer directive line
    local -a values shown suffix
    answer=$'\\n'"$(tenant-users complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)"
    directive=\${answer##*$'\\n':}
    for line in "\${(@f)\${answer%$'\\n':*}}"; do
        [[ -n $line ]] || continue
        values+=("\${line%%$'\\t'*}")
        shown+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
    done
    case $directive in 2 | 6) suffix=(-S '') ;; esac
    # compadd quotes what it puts in.
    if (( \${#values} )) && compadd "\${suffix[@]}" -l -d shown -a -- values; then
        return 0
    fi
    case $directive in 4 | 6) return 1 ;; esac
    compset -P '--*='
    _files
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then
    _tenant_users "$@"
else
    compdef _tenant_users tenant-users
fi
`;

/**
 * Completion for PowerShell 5.1 and newer. The last word is passed in an option, since older versions drop an empty
 * argument. Without candidates it returns an empty text, since PowerShell offers files if nothing is returned.
 */
const powershell = `# tenant-users: completion for PowerShell
Register-ArgumentCompleter -Native -CommandName 'tenant-users' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
            else { $_.Extent.Text }
        })
    $current = $wordToComplete -replace '^[''"]|[''"]$', ''
    $answer = @(& tenant-users complete "--word=$current" '--' @before 2>$null)
    if ($answer.Count -eq 0) { return }
    $directive = $answer[-1]
    if ($answer.Count -gt 1) {
        foreach ($line in $answer[0..($answer.Count - 2)]) {
            $value, $description = $line.Split([char]9, 2)
            $text = $value
            if ($text -notmatch '^[\\w=:./-]+$') { $text = "'" + ($text -replace "'", "''") + "'" }
            if (-not $description) { $description = $value }
            [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
        }
    }
    elseif ($directive -eq ':4' -or $directive -eq ':6') { '' }
}
`;

/**
 * The completion script of each shell. They are hand-written because those of @bomb.sh/tab, in bash, execute what a
 * candidate says (`compgen -W` expands `$(…)`), need the package bash-completion, and never offer files.
 */
export const completionScripts = { bash, zsh, fish, powershell };
