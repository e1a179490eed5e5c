import { decodePercents } from '../../../domain/text.js';

/** Longer texts are résumés, also if they are named like a Word file. Error messages are shorter. */
const MAX_SHORT_TEXT = 1_000;

const OTHER_NAME = /\.(?:pdf|docx?|docm|dotx?|odt|rtf|pages|html?|xml|json|zip|png|jpe?g)$/i;
const OTHER_TYPE =
  /^\s*(?:application\/(?:x-)?(?:pdf|msword|rtf|json|problem|xml|xhtml|zip|vnd\.)|text\/(?:html|xml|rtf|richtext)|image\/)/i;

/** Returns whether a plain text is an error message: it is short, and its type, its name or a link promises another file. */
export function isErrorMessage(text: Buffer, type: string, name: string, links: readonly string[]): boolean {
  if (text.length > MAX_SHORT_TEXT) return false;
  return (
    OTHER_TYPE.test(type) || [name.trim(), ...links.flatMap(partsOf)].some((part) => OTHER_NAME.test(part))
  );
}

/** Returns the parts of a link behind its host, such as the names of files. */
function partsOf(link: string): readonly string[] {
  const { pathname, search, hash } = new URL(link);
  return decodePercents(pathname + search + hash).split(/[/\\?&=;#"'\s]+/);
}
