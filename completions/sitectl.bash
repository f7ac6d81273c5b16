# Completion of sitectl for bash: sitectl itself says what can be typed.

_sitectl() {
    local answer line program=sitectl kind=
    # Called by a path, it is that program which answers.
    case $1 in
        "~/"*) program=$HOME/${1#"~/"} ;;
        */*) program=$1 ;;
    esac
    answer=$("$program" __complete bash "${COMP_LINE:0:COMP_POINT}" "$2" "${COMP_TYPE-}" "${COLUMNS-}" 2>/dev/null)
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then
            kind=$line
        else
            COMPREPLY+=("$line")
        fi
    done <<<"$answer"
    if [[ $kind == files ]] && ! compopt -o default +o nospace 2>/dev/null; then
        # Before bash 4.
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done <<<"$(compgen -f -- "$2")"
    fi
}

complete -o nospace -o nosort -F _sitectl sitectl 2>/dev/null || complete -o nospace -F _sitectl sitectl
