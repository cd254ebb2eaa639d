# SPDX-License-Identifier: BSD-3-Clause
# complete.zsh LINE - what zsh completes at the end of a command line, one word a line; _reseat is in this folder. An
# interactive zsh on a pseudo-terminal does it; its compadd shows each match.
zmodload zsh/zpty || exit 2
zpty shell zsh -f -i
zpty -w shell 'PS1= PS2= RPS1=
    fpath=($PWD $fpath)
    autoload -Uz compinit && compinit -u -D
    compadd() {
        local -a found
        [[ ${@[1,(i)(-|--)]} == *-[OAD]\ * ]] && { builtin compadd "$@"; return }
        builtin compadd -A found "$@"
        print -rl -- "match"": "$^found
        builtin compadd "$@"
    }
    finish() { print "end of" matches; exit }
    comppostfuncs=(finish)
    bindkey "^I" complete-word
    print ready to "complete"'
zpty -r shell text '*ready to complete*'
zpty -wn shell "$1"$'\t'
zpty -r shell text '*end of matches*'
print -r -- "$text" | tr -d '\r' | sed -n 's/.*match: //p'
