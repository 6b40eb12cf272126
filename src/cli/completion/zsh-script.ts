/** Completion for zsh, to be evaluated after compinit or kept as a file `_tenant-users` on fpath. */
export const zshScript = `#compdef tenant-users
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
