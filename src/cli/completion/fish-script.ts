/** Completion for fish, from 3.1 on. */
export const fishScript = `# tenant-users: completion for fish
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
