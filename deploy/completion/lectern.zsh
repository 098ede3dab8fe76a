#compdef lectern
# For a folder of $fpath, or to be sourced after compinit.
_lectern() {
  local line item
  local -a commands options
  for line in "${(@f)$(lectern __complete -- "${(@Q)words[2,CURRENT-1]}" 2>/dev/null)}"; do
    item="${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}"
    case $line in
      :file) _files ;;
      :folder) _files -/ ;;
      -*) options+=("$item") ;;
      ?*) commands+=("$item") ;;
    esac
  done
  _describe command commands
  _describe -o option options
}
if [[ $funcstack[1] == _lectern ]]; then _lectern "$@"; else compdef _lectern lectern; fi
