import { html } from 'hono/html';
import type { PageContent } from '../http/screen.js';

/** Sends a page without styles: the console's files are only for people who have signed in. */
export async function plainPage(
  { title, body, status = 200 }: PageContent,
  more: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const text = await html`<!doctype html>${(
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
  return new Response(text, { status, headers: { 'content-type': 'text/html; charset=utf-8', ...more } });
}
