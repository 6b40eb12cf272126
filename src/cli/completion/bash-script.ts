/**
 * Completion for bash, from 3.2 on, with or without the package bash-completion. What the program answers is ready to be
 * put in: nothing of it is split, expanded or evaluated here.
 */
export const bashScript = `# tenant-users: completion for bash
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
