import type { CompletionSource } from './completion-words.js';
import { completionFunction, type ShellDialect } from './posix-completion.js';

const BASH: ShellDialect = {
  setUp: `  current="\${COMP_WORDS[COMP_CWORD]}"
  previous="\${COMP_WORDS[COMP_CWORD-1]}"
  at=1
  last=COMP_CWORD
  COMPREPLY=()`,
  wordAt: `\${COMP_WORDS[at]}`,
  completeFile:
    'compopt -o filenames 2>/dev/null; local IFS=$\'\\n\'; COMPREPLY=( $(compgen -f -- "$current") )',
  completeChoices: 'COMPREPLY=( $(compgen -W "$choices" -- "$current") )',
};

const ZSH: ShellDialect = {
  setUp: `  current="\${words[CURRENT]}"
  previous="\${words[CURRENT-1]}"
  at=2
  last=CURRENT`,
  wordAt: `\${words[at]}`,
  completeFile: '_files',
  completeChoices: `compadd -- \${=choices}`,
};

/** Returns the name of the completion's function. */
function functionName(programName: string): string {
  return `_${programName.replace(/[^a-z0-9]/gi, '_')}`;
}

/** Returns the completion of bash. */
export function bashCompletion(source: CompletionSource): string {
  const { programName } = source;
  const name = functionName(programName);
  return `# Completion of ${programName} for bash. Load it with: source <(${programName} completion bash)
${name}() {
${completionFunction(source, BASH)}
}
complete -F ${name} ${programName}`;
}

/** Returns the completion of zsh. */
export function zshCompletion(source: CompletionSource): string {
  const { programName } = source;
  const name = functionName(programName);
  return `#compdef ${programName}
# Completion of ${programName} for zsh. Load it after compinit with: source <(${programName} completion zsh)
${name}() {
${completionFunction(source, ZSH)}
}
if [[ "\${funcstack[1]}" == ${name} ]]; then ${name} "$@"; else compdef ${name} ${programName}; fi`;
}
