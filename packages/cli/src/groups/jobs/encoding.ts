import { CommandError } from '../../command/command-error.js';

/**
 * Returns the encoding of a text, by its byte order mark or by the zeros around the first character of JSON. PowerShell
 * writes UTF-16. @throws CommandError that names an encoding that cannot be read.
 */
export function encodingOf([first, second, third, fourth]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0 && second === 0) || (third === 0 && fourth === 0)) {
    throw new CommandError(
      'The jobs are encoded in UTF-32. Write them in UTF-8 or UTF-16. Nothing was changed.',
    );
  }
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}
