# Completion of sitectl for bash. The program itself finds the candidates.

_sitectl() {
    local reply line program=sitectl kind=
    # Called by a path, that program completes.
    case $1 in
        "~/"*) program=$HOME/${1#"~/"} ;;
        */*) program=$1 ;;
    esac
    reply=$("$program" __complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then
            kind=$line
        else
            # The program prints what follows the text before the cursor.
            COMPREPLY+=("$2$line")
        fi
    done <<<"$reply"
    if [[ $kind == files ]] && ! compopt -o default +o nospace 2>/dev/null; then
        # Before bash 4.
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done <<<"$(compgen -f -- "$2")"
    fi
}

complete -o nospace -o nosort -F _sitectl sitectl 2>/dev/null || complete -o nospace -F _sitectl sitectl
