import type { StandaloneCommand } from '../command/command.js';

const BASH = `_partner_hiring() {
  local IFS=$'\\n'
  COMPREPLY=( $(partner-hiring complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1) )
}
complete -o default -F _partner_hiring partner-hiring`;

const ZSH = `_partner_hiring() {
  local -a found=( \${(f)"$(partner-hiring complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"} )
  if (( $#found )); then found=( "\${(@)found/$'\\t'/:}" ); _describe word found; else _files; fi
}
compdef _partner_hiring partner-hiring`;

const FISH = `function __partner_hiring
  set -l typed (commandline -ct)
  set -l found (partner-hiring complete (commandline -opc)[2..-1] "$typed" 2>/dev/null)
  if set -q found[1]; printf '%s\\n' $found; else; __fish_complete_path "$typed"; end
end
complete -c partner-hiring -f -a '(__partner_hiring)'`;

/** Each script asks `partner-hiring complete` for words. If it prints none, the shell completes the names of files. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH } as const;
const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

/** The command `completion`. */
export const completion: StandaloneCommand = {
  summary: 'Prints a script that completes commands in your shell',
  arguments: [{ name: 'shell', choices: SHELLS }],
  runAlone: async (input) => {
    const script = SCRIPTS[input.choice('shell', SHELLS)];
    return { text: script, value: script };
  },
};
