# Completion of sitectl for fish. The program itself finds the candidates.

function __sitectl_complete
    set -l words (commandline --cut-at-cursor --current-process --tokenize)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l program sitectl
    # Called by a path, that program completes.
    if string match --quiet '*/*' -- $words[1]
        set program (string replace --regex '^~/' "$HOME/" -- $words[1])
    end
    set -l lines ($program __complete fish $words "$current" 2>/dev/null)
    if test "$lines[1]" = files
        set -l before (string match --regex '^--[^=]*=' -- $current)
        for path in (__fish_complete_path (string replace --regex '^--[^=]*=' '' -- $current))
            echo "$before"$path
        end
    else if set --query lines[2]
        # Fish itself decides whether a space follows.
        string sub --start 2 -- $lines[2..]
    end
end

complete --command sitectl --erase
complete --command sitectl --no-files --keep-order --arguments '(__sitectl_complete)'
