# Completion of sitectl for fish: sitectl itself says what can be typed.

function __sitectl_complete
    set -l words (commandline --cut-at-cursor --current-process --tokenize)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l program sitectl
    # Called by a path, it is that program which answers.
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
        set --erase lines[1]
        string join \n -- $lines
    end
end

complete --command sitectl --erase
complete --command sitectl --no-files --keep-order --arguments '(__sitectl_complete)'
