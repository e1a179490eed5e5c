/** The shortest piece of a password to replace. Shorter pieces are mostly ordinary words or parts of a host's name. */
const SHORTEST_PIECE = 4;

const IN_QUERY = /[?&](?:ssl)?password=([^&#]*)/gi;

/**
 * Returns a function that replaces the passwords of a connection string by `***`. Also replaces pieces of a password
 * that is not percent-encoded, because `pg` reads a piece of it as the name of a host or a database, and its errors
 * repeat that name.
 */
export function createRedactor(connectionString: string): (text: string) => string {
  const passwords = passwordsIn(connectionString);
  const wholes = passwords.flatMap((password) => [password, decoded(password)]);
  const pieces = wholes
    .flatMap((password) => [...password.split(SEPARATORS), ...endsOf(password)])
    .filter((piece) => piece.length >= SHORTEST_PIECE);
  const secrets = [...new Set([...wholes, ...pieces])]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
}

/** Characters with a meaning in a URL. */
const SEPARATORS = /[@/?#:&]/;

/** Returns what follows each separator, to the end of the password. */
function endsOf(password: string): readonly string[] {
  return [...password].flatMap((character, index, all) =>
    SEPARATORS.test(character) ? [all.slice(index + 1).join('')] : [],
  );
}

function passwordsIn(connectionString: string): readonly string[] {
  const authority = connectionString.replace(/^[a-z]+:\/\//i, '');
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  const colon = user.indexOf(':');
  const inQuery = [...connectionString.matchAll(IN_QUERY)].map(([, password = '']) => password);
  return colon === -1 ? inQuery : [user.slice(colon + 1), ...inQuery];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It has a percent sign that encodes nothing.
    return text;
  }
}
