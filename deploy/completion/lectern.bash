# bash completion of lectern
# For bash 3.2 and later; it needs no other package. It evaluates nothing that the user has typed, unlike that of @bomb.sh/tab.
_lectern() {
  local cur=${COMP_WORDS[COMP_CWORD]} line IFS=$'\n'
  COMPREPLY=()
  while IFS= read -r line; do
    case "$cur$line" in
      -*:file|-*:folder) ;;
      *:file) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
      *:folder) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
      *) [[ $line == "$cur"* ]] && COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <(lectern __complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -F _lectern lectern
