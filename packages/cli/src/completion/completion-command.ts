import type { StandaloneCommand } from '../command/command.js';
import { sentence } from '../report/report.js';
import { fishCompletion } from './fish-completion.js';
import { bashCompletion, zshCompletion } from './posix-scripts.js';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

/** The command `completion`. */
export const completion: StandaloneCommand = {
  summary: 'Prints a script that completes commands in your shell',
  arguments: [{ name: 'shell', choices: SHELLS }],
  runAlone: async (input, context) => {
    const script = SCRIPTS[input.choice('shell', SHELLS)](context);
    return sentence(script, script);
  },
};
