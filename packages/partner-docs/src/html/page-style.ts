/** The style of every page, in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8886; --shade: #8882; }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 0 auto; padding: 1rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .25rem .5rem; border-radius: .25rem; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav [aria-current] { background: var(--shade); font-weight: 600; }
main { min-width: 0; }
h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin-top: 2rem; }
p, li { overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
code, pre { font: .9em ui-monospace, monospace; background: var(--shade); border-radius: .25rem; }
code { padding: .1em .25em; overflow-wrap: anywhere; }
td:first-child code { overflow-wrap: break-word; }
.fence { position: relative; }
pre { padding: .75rem; overflow-x: auto; }
pre code { background: none; padding: 0; font-size: 1em; overflow-wrap: normal; }
.fence button { position: absolute; top: .4rem; right: .4rem; font: .8rem system-ui, sans-serif; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); }
@media (min-width: 64rem) {
  body:has(nav) { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 2rem; }
  nav { position: sticky; top: 1rem; align-self: start; }
}
@media (max-width: 63.99rem) {
  nav ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
}
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  td { border: 0; padding: .1rem 0; }
}
`;

/** Adds a button to each block of code. Browsers have a clipboard only on HTTPS and on the machine itself. */
export const SCRIPT = `
for (const fence of navigator.clipboard ? document.querySelectorAll('.fence') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(fence.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  fence.append(button);
}
`;
