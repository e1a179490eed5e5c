import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

type Html = ReturnType<typeof html>;

/** The page of a link that works. Its button sends the link's own address. */
export function signInPage(name: string): Html {
  return plainPage(
    'Sign in to the partner console',
    <form method="post">
      <p>
        You sign in as <strong>{name}</strong>. The button works once.
      </p>
      <button type="submit">Sign in</button>
    </form>,
  );
}

/** The page of a link that was used, has expired or never worked. */
export function usedLinkPage(path: string): Html {
  return plainPage(
    'This link does not work',
    <>
      <p>A link works once, and only for a few minutes. This one was used, or it has expired.</p>
      <p>To get a new link, restart the program that printed it.</p>
      <p>
        If you have signed in, <a href={path}>open the console</a>.
      </p>
    </>,
  );
}

/** The page after a session has ended. */
export function signedOutPage(): Html {
  return plainPage(
    'You are signed out',
    <p>The session has ended. To sign in again, restart the program that printed the link.</p>,
  );
}

/** A page without styles: the console's files are only for people who have signed in. */
function plainPage(title: string, body: Child): Html {
  return html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {body}
        </main>
      </body>
    </html>
  )}`;
}
