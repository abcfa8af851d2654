# Completion of the endstop command for bash.

_endstop_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2"); }

_endstop() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb='' place options
  # --format=json comes as three words where = parts words.
  [[ $word == '=' ]] && word=''
  [[ $before == '=' && COMP_CWORD -gt 1 ]] && before=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $word == --*=* ]] && before=${word%%=*} word=${word#*=}
  for ((place = 1; place < COMP_CWORD; place++)); do
    [[ ${COMP_WORDS[place]} == -* ]] && continue
    verb=${COMP_WORDS[place]}
    break
  done
  case $verb in
  '') options='--help --usage --version' ;;
  run) options='--matcher --strict --trace --vocab --help --usage --version' ;;
  check) options='--all --format --strict --vocab --help --usage --version' ;;
  *) options= ;;
  esac
  case $verb:$before in
  check:--format | check:-f) _endstop_words 'text table json junit' "$word" ;;
  run:--matcher | run:-m) _endstop_words 'bytes model' "$word" ;;
  *)
    if [[ $word == -* ]]; then
      _endstop_words "$options" "$word"
    elif [[ -z $verb ]]; then
      _endstop_words 'run check' "$word"
    else
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
    ;;
  esac
}

complete -F _endstop endstop
